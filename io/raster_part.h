/* SPDX-License-Identifier: MIT */
/** Which blocks of a raster a part of it has. */
#ifndef SHEPARD_IO_RASTER_PART_H
#define SHEPARD_IO_RASTER_PART_H

#include "io_error.h"

#include <gdal.h>

/** A raster cut into blocks, in cells. */
struct shepard_block_layout {
    size_t columns, rows;             /* of the raster */
    size_t block_columns, block_rows; /* of a block; those at the right and lower edge are cut */
};

size_t shepard_block_layout_across(const struct shepard_block_layout *layout);
size_t shepard_block_layout_down(const struct shepard_block_layout *layout);

/** Cells of the blocks from column and row `from` up to, not with, `end`. */
struct shepard_window shepard_block_window(const struct shepard_block_layout *layout,
                                           const size_t from[2], const size_t end[2]);

/** The part's run of blocks in row-major order: *first up to, not with, *end. Whole rasters have
 * all. */
void shepard_part_blocks(const struct shepard_raster_part *part,
                         const struct shepard_block_layout *layout, size_t *first, size_t *end);

/** The same, from block `from` on, as windows, at most SHEPARD_PART_WINDOWS; returns how many there
 * are. */
size_t shepard_part_windows(const struct shepard_raster_part *part,
                            const struct shepard_block_layout *layout, size_t from,
                            struct shepard_window *windows);

/** Fails where a part cannot be written so: the output must be a GeoTIFF, not on standard output,
 * with its nodata value. path: NULL, of a trial in memory. */
enum shepard_io_status shepard_part_check(const struct shepard_raster_part *part, const char *path,
                                          GDALDriverH driver, const char *const *creation_options,
                                          struct shepard_io_error *error);

/** The creation options of a file that holds this part. */
char **shepard_part_creation_options(const struct shepard_raster_part *part, char **options);

#endif
