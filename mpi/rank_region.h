/* SPDX-License-Identifier: MIT */
/** Which blocks of a raster each rank computes: a stretch of a Hilbert curve through them. */
#ifndef SHEPARD_MPI_RANK_REGION_H
#define SHEPARD_MPI_RANK_REGION_H

#include "shepard/shepard.h"

#include <stdbool.h>

/** A raster cut into blocks, of which those at the end of a row or a column may be smaller. */
struct shepard_block_raster {
    struct shepard_raster raster;
    size_t columns, rows; /**< cells of a block */
    const bool *finished; /**< by block, row by row: in no region; NULL: none of them */
};

/** How many blocks it has. */
size_t shepard_block_raster_count(const struct shepard_block_raster *blocks);

/** Windows of whole blocks. Start from {0}. */
struct shepard_rank_region {
    struct shepard_window *windows; /**< [count] */
    size_t count;                   /**< 0: there are too few blocks for all ranks */
};

/** The region of a rank of several. Every block that is not finished is in the region of one of
 * them; regions differ in cells by two blocks at most. Windows go from top to bottom; in_order:
 * each is one block high, and they go row by row. False: out of memory. */
bool shepard_rank_region_make(struct shepard_rank_region *region,
                              const struct shepard_block_raster *blocks, size_t rank, size_t ranks,
                              bool in_order);

void shepard_rank_region_free(struct shepard_rank_region *region);

#endif
