/* SPDX-License-Identifier: MIT */
#include "mosaic_blocks.h"

#include <cpl_conv.h>
#include <string.h>

/* One source after the other. */
struct claim {
    struct shepard_mosaic_blocks *blocks;
    uint64_t *offsets, *sizes; /* of the source at hand, [blocks] each */
    uint32_t *part_of;         /* [parts] number of the source from 1; NULL: they are no parts */
};

static enum shepard_io_status fail_overlap(const struct shepard_mosaic_blocks *blocks, size_t block,
                                           size_t source, struct shepard_io_error *error)
{
    const struct shepard_block_layout *layout = &blocks->first.tiff.layout;
    const size_t across = shepard_block_layout_across(layout);
    const size_t in_plane = block % (across * shepard_block_layout_down(layout));
    return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "sources",
                           "both \"%.300s\" and \"%.300s\" have the block at column %zu, row %zu; "
                           "leave one of them out",
                           blocks->paths[blocks->owner[block] - 1], blocks->paths[source],
                           in_plane % across * layout->block_columns,
                           in_plane / across * layout->block_rows);
}

static enum shepard_io_status claim_blocks(struct claim *claim,
                                           const struct shepard_mosaic_source *source, size_t index,
                                           struct shepard_io_error *error)
{
    struct shepard_mosaic_blocks *const blocks = claim->blocks;
    if (!shepard_tiff_read_blocks(&source->tiff, claim->offsets, claim->sizes))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_READ, "sources",
                               "\"%.300s\" is damaged: its list of blocks cannot be read",
                               source->path);
    for (size_t i = 0; i < source->tiff.blocks; i++) {
        if (claim->offsets[i] == 0 || claim->sizes[i] == 0)
            continue;
        if (blocks->owner[i] > 0)
            return fail_overlap(blocks, i, index, error);
        blocks->owner[i] = (uint32_t)(index + 1);
        blocks->bytes += claim->sizes[i];
    }
    return SHEPARD_IO_OK;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* "another" file for a part that is there, and for one of another number of parts. */
static enum shepard_io_status claim_part(struct claim *claim,
                                         const struct shepard_mosaic_source *source, size_t index,
                                         struct shepard_io_error *error)
{
    const struct shepard_mosaic_blocks *const blocks = claim->blocks;
    if (source->part.count != blocks->first.part.count)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "sources",
                               "\"%.300s\" and \"%.300s\" are no parts of one raster: that was cut "
                               "into %zu and %zu parts",
                               blocks->paths[0], source->path, blocks->first.part.count,
                               source->part.count);
    if (!claim->part_of)
        return SHEPARD_IO_OK;
    uint32_t *const place = &claim->part_of[source->part.number - 1];
    if (*place > 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "sources",
                               "both \"%.300s\" and \"%.300s\" are part %zu/%zu; leave one of them "
                               "out",
                               blocks->paths[*place - 1], source->path, source->part.number,
                               source->part.count);
    *place = (uint32_t)(index + 1);
    return SHEPARD_IO_OK;
}

static enum shepard_io_status check_parts(const struct claim *claim, struct shepard_io_error *error)
{
    enum { SHOWN = 10 };
    const size_t count = claim->part_of ? claim->blocks->first.part.count : 0;
    char names[200] = "";
    size_t missing = 0;
    for (size_t i = 0; i < count; i++) {
        if (claim->part_of[i] == 0 && missing++ < SHOWN)
            shepard_text_append(names, sizeof names, "%s%zu", names[0] ? ", " : "", i + 1);
    }
    if (missing == 0)
        return SHEPARD_IO_OK;
    if (missing > SHOWN)
        shepard_text_append(names, sizeof names, " and %zu more", missing - SHOWN);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "sources",
                           "of %zu parts these are missing: %s; compute them, or join what there "
                           "is with gdalbuildvrt",
                           count, names);
}

/* ---- All sources ----------------------------------------------------------------------------- */

static enum shepard_io_status claim_source(struct claim *claim, size_t index,
                                           struct shepard_io_error *error)
{
    struct shepard_mosaic_source source;
    enum shepard_io_status status =
        shepard_mosaic_source_open(&source, claim->blocks->paths[index], error);
    if (!status)
        status = shepard_mosaic_source_compare(&claim->blocks->first, &source, error);
    if (!status)
        status = claim_part(claim, &source, index, error);
    if (!status)
        status = claim_blocks(claim, &source, index, error);
    shepard_mosaic_source_close(&source);
    return status;
}

/* What to claim in: as many parts as the first one says, blocks as it has. */
static enum shepard_io_status make_claim(struct claim *claim, struct shepard_io_error *error)
{
    struct shepard_mosaic_blocks *const blocks = claim->blocks;
    const size_t count = blocks->first.tiff.blocks, parts = blocks->first.part.count;
    blocks->owner = VSICalloc(count, sizeof *blocks->owner);
    claim->offsets = VSIMalloc2(count, sizeof *claim->offsets);
    claim->sizes = VSIMalloc2(count, sizeof *claim->sizes);
    claim->part_of = parts > 0 ? VSICalloc(parts, sizeof *claim->part_of) : NULL;
    return blocks->owner && claim->offsets && claim->sizes && (claim->part_of || parts == 0)
               ? SHEPARD_IO_OK
               : shepard_io_fail_memory(error);
}

enum shepard_io_status shepard_mosaic_blocks_find(struct shepard_mosaic_blocks *blocks,
                                                  const char *const *paths, size_t sources,
                                                  const struct shepard_io_control *control,
                                                  struct shepard_io_error *error)
{
    struct claim claim = {.blocks = blocks};
    *blocks = (struct shepard_mosaic_blocks){.paths = paths, .sources = sources};
    enum shepard_io_status status = shepard_mosaic_source_open(&blocks->first, paths[0], error);
    if (!status)
        status = make_claim(&claim, error);
    for (size_t i = 0; !status && i < sources; i++) {
        status = claim_source(&claim, i, error);
        if (!status && !shepard_io_progress(control, 0))
            status = shepard_io_fail_cancelled(error);
    }
    if (!status)
        status = check_parts(&claim, error);
    for (size_t i = 0; !status && i < blocks->first.tiff.blocks; i++)
        blocks->missing += blocks->owner[i] == 0;
    VSIFree(claim.offsets);
    VSIFree(claim.sizes);
    VSIFree(claim.part_of);
    return status;
}

void shepard_mosaic_blocks_free(struct shepard_mosaic_blocks *blocks)
{
    shepard_mosaic_source_close(&blocks->first);
    VSIFree(blocks->owner);
    *blocks = (struct shepard_mosaic_blocks){0};
}
