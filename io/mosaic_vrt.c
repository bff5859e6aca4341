/* SPDX-License-Identifier: MIT */
/* realpath is X/Open. */
#define _XOPEN_SOURCE 700
#include "mosaic_vrt.h"

#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names of sources ------------------------------------------------------------------------ */

struct source_name {
    char *text; /* to be freed by CPLFree */
    bool relative;
};

static char *full_path(const char *path)
{
    char *real = realpath(path, NULL);
    char *full = CPLStrdup(real ? real : path);
    free(real);
    return full;
}

/* The folder of a path, "/" at its end; the folder exists, the file may not. */
static char *full_folder(const char *path)
{
    const char *folder = CPLGetPath(path);
    char *full = full_path(folder[0] ? folder : ".");
    char *ended = CPLStrdup(CPLSPrintf("%s%s", full, strcmp(full, "/") == 0 ? "" : "/"));
    CPLFree(full);
    return ended;
}

static struct source_name name_of(const char *path, const char *folder)
{
    struct source_name name = {.text = full_path(path)};
    const size_t length = folder ? strlen(folder) : 0;
    if (length > 0 && strncmp(name.text, folder, length) == 0) {
        memmove(name.text, name.text + length, strlen(name.text + length) + 1);
        name.relative = true;
    }
    return name;
}

/* ---- Rectangles ------------------------------------------------------------------------------ */

/* Blocks of one plane that one source has; numbers of blocks. */
struct block_window {
    size_t column, row, columns, rows;
};

/* Whether a row of blocks belongs to one source throughout. */
static bool is_run(const uint32_t *owner, size_t columns, uint32_t source)
{
    size_t i = 0;
    while (i < columns && owner[i] == source)
        i++;
    return i == columns;
}

/* Takes the largest window from this block on: to the right, then down. */
static struct block_window take_window(uint32_t *owner, size_t across, size_t down, size_t at)
{
    const uint32_t source = owner[at];
    struct block_window window = {.column = at % across, .row = at / across};
    while (window.column + window.columns < across && owner[at + window.columns] == source)
        window.columns++;
    while (window.row + window.rows < down &&
           is_run(owner + at + window.rows * across, window.columns, source)) {
        memset(owner + at + window.rows * across, 0, window.columns * sizeof *owner);
        window.rows++;
    }
    return window;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void add_window(CPLXMLNode *source, const char *name, const struct shepard_window *window)
{
    CPLXMLNode *node = CPLCreateXMLNode(source, CXT_Element, name);
    CPLAddXMLAttributeAndValue(node, "xOff", CPLSPrintf("%zu", window->column));
    CPLAddXMLAttributeAndValue(node, "yOff", CPLSPrintf("%zu", window->row));
    CPLAddXMLAttributeAndValue(node, "xSize", CPLSPrintf("%zu", window->columns));
    CPLAddXMLAttributeAndValue(node, "ySize", CPLSPrintf("%zu", window->rows));
}

static CPLXMLNode *make_source(const struct shepard_mosaic_source *first,
                               const struct source_name *name, int band,
                               const struct shepard_window *window)
{
    const struct shepard_block_layout *layout = &first->tiff.layout;
    GDALRasterBandH of = GDALGetRasterBand(first->dataset, band);
    CPLXMLNode *source = CPLCreateXMLNode(NULL, CXT_Element, "SimpleSource");
    CPLXMLNode *file = CPLCreateXMLElementAndValue(source, "SourceFilename", name->text);
    CPLAddXMLAttributeAndValue(file, "relativeToVRT", name->relative ? "1" : "0");
    CPLCreateXMLElementAndValue(source, "SourceBand", CPLSPrintf("%d", band));
    CPLXMLNode *properties = CPLCreateXMLNode(source, CXT_Element, "SourceProperties");
    CPLAddXMLAttributeAndValue(properties, "RasterXSize", CPLSPrintf("%zu", layout->columns));
    CPLAddXMLAttributeAndValue(properties, "RasterYSize", CPLSPrintf("%zu", layout->rows));
    CPLAddXMLAttributeAndValue(properties, "DataType",
                               GDALGetDataTypeName(GDALGetRasterDataType(of)));
    CPLAddXMLAttributeAndValue(properties, "BlockXSize", CPLSPrintf("%zu", layout->block_columns));
    CPLAddXMLAttributeAndValue(properties, "BlockYSize", CPLSPrintf("%zu", layout->block_rows));
    add_window(source, "SrcRect", window);
    add_window(source, "DstRect", window);
    return source;
}

/* The last child: appending by CPLAddXMLChild would walk over all for each. */
static CPLXMLNode *last_child(CPLXMLNode *node)
{
    CPLXMLNode *child = node->psChild;
    while (child && child->psNext)
        child = child->psNext;
    return child;
}

static void add_sources(const struct shepard_mosaic_blocks *blocks, CPLXMLNode *node, int band,
                        uint32_t *owner, const char *folder)
{
    const struct shepard_block_layout *layout = &blocks->first.tiff.layout;
    const size_t across = shepard_block_layout_across(layout);
    const size_t down = shepard_block_layout_down(layout);
    CPLXMLNode *last = last_child(node);
    for (size_t i = 0; i < across * down; i++) {
        if (owner[i] == 0)
            continue;
        struct source_name name = name_of(blocks->paths[owner[i] - 1], folder);
        const struct block_window of_blocks = take_window(owner, across, down, i);
        const struct shepard_window window = shepard_block_window(
            layout, (const size_t[]){of_blocks.column, of_blocks.row},
            (const size_t[]){of_blocks.column + of_blocks.columns, of_blocks.row + of_blocks.rows});
        last->psNext = make_source(&blocks->first, &name, band, &window);
        last = last->psNext;
        CPLFree(name.text);
    }
}

/* Everything but the sources. */
static CPLXMLNode *make_frame(const struct shepard_mosaic_source *first)
{
    const struct shepard_block_layout *layout = &first->tiff.layout;
    GDALDatasetH frame =
        GDALCreate(GDALGetDriverByName("VRT"), "", (int)layout->columns, (int)layout->rows,
                   GDALGetRasterCount(first->dataset),
                   GDALGetRasterDataType(GDALGetRasterBand(first->dataset, 1)), NULL);
    if (!frame)
        return NULL;
    shepard_mosaic_source_copy_header(first, frame);
    char **text = GDALGetMetadata(frame, "xml:VRT");
    CPLXMLNode *tree = text && text[0] ? CPLParseXMLString(text[0]) : NULL;
    GDALClose(frame);
    return tree;
}

/* Bands of one plane share the owners of its blocks, which adding sources uses up. */
static bool fill(const struct shepard_mosaic_blocks *blocks, CPLXMLNode *tree, const char *folder)
{
    const size_t in_plane = blocks->first.tiff.blocks / blocks->first.tiff.planes;
    uint32_t *owner = VSIMalloc2(in_plane, sizeof *owner);
    int band = 0;
    for (CPLXMLNode *node = tree->psChild; owner && node; node = node->psNext) {
        if (node->eType != CXT_Element || !EQUAL(node->pszValue, "VRTRasterBand"))
            continue;
        const size_t plane = blocks->first.tiff.planes > 1 ? (size_t)band : 0;
        memcpy(owner, blocks->owner + plane * in_plane, in_plane * sizeof *owner);
        add_sources(blocks, node, ++band, owner, folder);
    }
    const bool good = owner && band == GDALGetRasterCount(blocks->first.dataset);
    VSIFree(owner);
    return good;
}

char *shepard_mosaic_vrt(const struct shepard_mosaic_blocks *blocks, const char *target)
{
    char *folder = target ? full_folder(target) : NULL;
    CPLXMLNode *tree = make_frame(&blocks->first);
    /* The declaration, where there is one, comes first. */
    CPLXMLNode *root = tree ? CPLGetXMLNode(tree, "=VRTDataset") : NULL;
    char *text = root && fill(blocks, root, folder) ? CPLSerializeXMLTree(tree) : NULL;
    CPLDestroyXMLNode(tree);
    CPLFree(folder);
    return text;
}
