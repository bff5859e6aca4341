/* SPDX-License-Identifier: MIT */
/** Which source of a mosaic has each block. */
#ifndef SHEPARD_IO_MOSAIC_BLOCKS_H
#define SHEPARD_IO_MOSAIC_BLOCKS_H

#include "mosaic_source.h"

/** Start from {0}. */
struct shepard_mosaic_blocks {
    const char *const *paths; /* [sources], borrowed */
    size_t sources;
    struct shepard_mosaic_source first; /* stays open */
    uint32_t *owner; /* [blocks of all planes] number of the source from 1; 0: none has it */
    size_t missing;  /* blocks that no source has */
    uint64_t bytes;  /* of all blocks, as they are coded */
};

/** Opens all sources one after the other, compares them and assigns the blocks. Fails, with names,
 * where two have the same block, and where parts are missing. */
enum shepard_io_status shepard_mosaic_blocks_find(struct shepard_mosaic_blocks *blocks,
                                                  const char *const *paths, size_t sources,
                                                  const struct shepard_io_control *control,
                                                  struct shepard_io_error *error);

void shepard_mosaic_blocks_free(struct shepard_mosaic_blocks *blocks);

#endif
