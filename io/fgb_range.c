/* SPDX-License-Identifier: MIT */
/*
 * FlatGeobuf 3: 8 bytes of magic, the header with its size before it, the index, the features with
 * their sizes before them. The index is a packed R-tree, level by level from the root. Its last
 * level has a node for each feature, in the order of the features: a box and where the feature
 * begins. See https://flatgeobuf.org and its header.fbs.
 */
#include "fgb_range.h"

#include "las_bytes.h"
#include "share_first.h"
#include "small_file.h"
#include "sparse_view.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

enum {
    MAGIC = 8,
    SIZE = 4,                /* bytes of a size */
    NODE = 40,               /* bytes of a node: a box of 4 doubles and an offset */
    NODE_OFFSET = 32,        /* where in a node the offset is */
    NODE_SIZE = 16,          /* children of a node where the header does not say how many */
    HEADER_MAX = 10 << 20,   /* bytes, as GDAL has it */
    SLOT_FEATURES_COUNT = 8, /* fields of the header */
    SLOT_INDEX_NODE_SIZE = 9
};

struct fgb_file {
    VSILFILE *file;
    uint64_t size;         /* bytes of the file */
    unsigned char *start;  /* magic and header */
    size_t start_size;     /* their bytes */
    size_t count_at;       /* where in them the number of features is */
    uint64_t count;        /* features */
    unsigned node_size;    /* children of a node */
    uint64_t leaves, data; /* where the last level of the index begins, and the first feature */
};

/* ---- The header ------------------------------------------------------------------------------ */

static bool read_at(const struct fgb_file *fgb, uint64_t at, void *bytes, size_t length)
{
    return at <= fgb->size && length <= fgb->size - at && VSIFSeekL(fgb->file, at, SEEK_SET) == 0 &&
           VSIFReadL(bytes, 1, length, fgb->file) == length;
}

static bool read_start(struct fgb_file *fgb)
{
    static const unsigned char magic[] = {'f', 'g', 'b', 3, 'f', 'g', 'b'};
    unsigned char bytes[MAGIC + SIZE];
    if (!read_at(fgb, 0, bytes, sizeof bytes) || memcmp(bytes, magic, sizeof magic) != 0)
        return false;
    const size_t header = shepard_las_u32(bytes + MAGIC);
    fgb->start_size = sizeof bytes + header;
    fgb->start = header <= HEADER_MAX ? VSIMalloc(fgb->start_size) : NULL;
    return fgb->start && read_at(fgb, 0, fgb->start, fgb->start_size);
}

/* Where in `start` a field of the header's flatbuffer has its `width` bytes; 0: it is left out, or
 * the header is no flatbuffer. */
static size_t find_field(const struct fgb_file *fgb, size_t slot, size_t width)
{
    const unsigned char *header = fgb->start + MAGIC + SIZE;
    const size_t size = fgb->start_size - MAGIC - SIZE;
    const size_t table = size >= SIZE ? shepard_las_u32(header) : size;
    if (table > size - SIZE || size < SIZE)
        return 0;
    const int64_t slots = (int64_t)table - shepard_las_i32(header + table);
    const size_t place = (2 + slot) * sizeof(uint16_t);
    if (slots < 0 || (uint64_t)slots + place + 2 > size ||
        place + 2 > shepard_las_u16(header + slots))
        return 0;
    const size_t at = shepard_las_u16(header + slots + place);
    return at > 0 && table + at + width <= size ? MAGIC + SIZE + table + at : 0;
}

/* Nodes of an index over so many features; its leaves are the last ones. */
static uint64_t count_nodes(uint64_t features, unsigned node_size)
{
    uint64_t nodes = features;
    for (uint64_t level = features; level > 1; nodes += level)
        level = (level + node_size - 1) / node_size;
    return nodes;
}

static bool find_parts(struct fgb_file *fgb)
{
    fgb->count_at = find_field(fgb, SLOT_FEATURES_COUNT, sizeof(uint64_t));
    const size_t node_at = find_field(fgb, SLOT_INDEX_NODE_SIZE, sizeof(uint16_t));
    if (!fgb->count_at)
        return false;
    fgb->count = shepard_las_u64(fgb->start + fgb->count_at);
    fgb->node_size = node_at ? shepard_las_u16(fgb->start + node_at) : NODE_SIZE;
    if (fgb->node_size < 2 || fgb->count > fgb->size / NODE)
        return false;
    const uint64_t nodes = count_nodes(fgb->count, fgb->node_size);
    fgb->data = fgb->start_size + nodes * NODE;
    fgb->leaves = fgb->data - fgb->count * NODE;
    return fgb->data <= fgb->size;
}

/* ---- Features -------------------------------------------------------------------------------- */

/* Where a feature begins, in the file; behind the last one the file ends. */
static bool find_feature(const struct fgb_file *fgb, uint64_t i, uint64_t *at)
{
    unsigned char offset[sizeof(uint64_t)];
    *at = fgb->size;
    if (i == fgb->count)
        return true;
    if (!read_at(fgb, fgb->leaves + i * NODE + NODE_OFFSET, offset, sizeof offset))
        return false;
    *at = fgb->data + shepard_las_u64(offset);
    return *at >= fgb->data && *at < fgb->size;
}

/* Whether feature i begins where the one before it ends, as where the index has their order. */
static bool follows(const struct fgb_file *fgb, uint64_t i)
{
    unsigned char size[SIZE];
    uint64_t before, at;
    if (!find_feature(fgb, i, &at))
        return false;
    return i == 0 ? at == fgb->data
                  : find_feature(fgb, i - 1, &before) && read_at(fgb, before, size, sizeof size) &&
                        before + SIZE + shepard_las_u32(size) == at;
}

/* All shares, so that all processes find the same. */
static bool can_be_shared(const struct fgb_file *fgb, size_t shares)
{
    bool good = fgb->count >= shares;
    for (size_t i = 0; good && i <= shares; i++)
        good = follows(fgb, shepard_share_first(fgb->count, i, shares));
    return good;
}

/* ---- The view -------------------------------------------------------------------------------- */

/* The start with another number of features, a gap where the index would be, and the features. */
static char *make_view(const struct fgb_file *fgb, const char *path, const char *folder,
                       const struct shepard_share *share)
{
    const uint64_t first = shepard_share_first(fgb->count, share->number, share->count);
    const uint64_t end = shepard_share_first(fgb->count, share->number + 1, share->count);
    const uint64_t index = count_nodes(end - first, fgb->node_size) * NODE;
    uint64_t from, to;
    if (!find_feature(fgb, first, &from) || !find_feature(fgb, end, &to))
        return NULL;
    shepard_las_put64(fgb->start + fgb->count_at, end - first);
    char *start = CPLStrdup(CPLSPrintf("%s/range-start", folder));
    char *view = CPLStrdup(CPLSPrintf("%s/range.fgb", folder));
    const struct shepard_view_part parts[] = {{start, 0, fgb->start_size, 0},
                                              {path, from, to - from, fgb->start_size + index}};
    char *made = shepard_small_file_write(start, fgb->start, fgb->start_size)
                     ? shepard_sparse_view_make(view, parts, sizeof parts / sizeof *parts)
                     : NULL;
    CPLFree(view);
    CPLFree(start);
    return made;
}

char *shepard_fgb_range(const char *path, const char *folder, const struct shepard_share *share)
{
    VSIStatBufL stat;
    if (VSIStatL(path, &stat) != 0 || !VSI_ISREG(stat.st_mode))
        return NULL;
    struct fgb_file fgb = {.file = VSIFOpenL(path, "rb"), .size = (uint64_t)stat.st_size};
    const bool good =
        fgb.file && read_start(&fgb) && find_parts(&fgb) && can_be_shared(&fgb, share->count);
    char *view = good ? make_view(&fgb, path, folder, share) : NULL;
    VSIFree(fgb.start);
    if (fgb.file)
        VSIFCloseL(fgb.file);
    return view;
}
