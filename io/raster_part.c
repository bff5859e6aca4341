/* SPDX-License-Identifier: MIT */
#include "raster_part.h"

#include "standard_output.h"
#include "string_list.h"

#include <cpl_string.h>

static size_t divided_up(size_t number, size_t by)
{
    return number / by + (number % by > 0);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t shepard_block_layout_across(const struct shepard_block_layout *layout)
{
    return divided_up(layout->columns, layout->block_columns);
}

size_t shepard_block_layout_down(const struct shepard_block_layout *layout)
{
    return divided_up(layout->rows, layout->block_rows);
}

/* Blocks before part i, from 0: the first parts have one more where they do not go up evenly. */
static size_t blocks_before(size_t i, size_t count, size_t blocks)
{
    return i * (blocks / count) + smaller(i, blocks % count);
}

void shepard_part_blocks(const struct shepard_raster_part *part,
                         const struct shepard_block_layout *layout, size_t *first, size_t *end)
{
    const size_t blocks = shepard_block_layout_across(layout) * shepard_block_layout_down(layout);
    const bool whole = part->number == 0;
    *first = whole ? 0 : blocks_before(part->number - 1, part->count, blocks);
    *end = whole ? blocks : blocks_before(part->number, part->count, blocks);
}

struct shepard_window shepard_block_window(const struct shepard_block_layout *layout,
                                           const size_t from[2], const size_t end[2])
{
    struct shepard_window window = {.column = from[0] * layout->block_columns,
                                    .row = from[1] * layout->block_rows};
    window.columns = smaller(end[0] * layout->block_columns, layout->columns) - window.column;
    window.rows = smaller(end[1] * layout->block_rows, layout->rows) - window.row;
    return window;
}

/* The end of a row of blocks, whole rows, the beginning of a row. */
size_t shepard_part_windows(const struct shepard_raster_part *part,
                            const struct shepard_block_layout *layout, size_t from,
                            struct shepard_window *windows)
{
    const size_t across = shepard_block_layout_across(layout);
    size_t at, end, count = 0;
    shepard_part_blocks(part, layout, &at, &end);
    at = from > at ? from : at;
    while (at < end) {
        const size_t row = at / across, column = at % across;
        const size_t whole = column == 0 ? (end - at) / across : 0;
        const size_t columns = whole > 0 ? across : smaller(across - column, end - at);
        const size_t rows = whole > 0 ? whole : 1;
        windows[count++] = shepard_block_window(layout, (const size_t[]){column, row},
                                                (const size_t[]){column + columns, row + rows});
        at += columns * rows;
    }
    return count;
}

/* Readers of the parts take missing blocks for nodata, which other profiles do not write. */
static bool keeps_nodata(const char *const *creation_options)
{
    const char *profile = CSLFetchNameValue(shepard_list(creation_options), "PROFILE");
    return !profile || EQUAL(profile, "GDALGeoTIFF");
}

enum shepard_io_status shepard_part_check(const struct shepard_raster_part *part, const char *path,
                                          GDALDriverH driver, const char *const *creation_options,
                                          struct shepard_io_error *error)
{
    if (part->number == 0)
        return SHEPARD_IO_OK;
    if (part->number > part->count)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "part",
                               "there is no part %zu of %zu", part->number, part->count);
    if (shepard_is_stdout(path))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "a part of a raster needs a file of its own, standard output takes "
                               "none: give the name of a GeoTIFF");
    if (!EQUAL(GDALGetDriverShortName(driver), "GTiff"))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "format",
                               "the format %s cannot hold a part of a raster: only GeoTIFF (-of "
                               "GTiff) leaves out blocks; make the whole from the parts afterwards",
                               GDALGetDriverShortName(driver));
    if (!keeps_nodata(creation_options))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "creation_options",
                               "a part of a raster needs its nodata value in the file, which only "
                               "PROFILE=GDALGeoTIFF has; leave PROFILE out");
    return SHEPARD_IO_OK;
}

char **shepard_part_creation_options(const struct shepard_raster_part *part, char **options)
{
    return part->number > 0 ? CSLSetNameValue(options, "SPARSE_OK", "TRUE") : options;
}
