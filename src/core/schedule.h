/* SPDX-License-Identifier: MIT */
/* The targets of a call cut into blocks of near neighbours: lists along the Hilbert curve, rasters
 * into square tiles. */
#ifndef SHEPARD_CORE_SCHEDULE_H
#define SHEPARD_CORE_SCHEDULE_H

#include "core/frame.h"
#include "core/targets.h"

/* Largest side of a tile, in cells, and targets of a block. */
#define SHEPARD_TILE_MAX 16
#define SHEPARD_BLOCK_MAX 1024

struct shepard_schedule {
    const struct shepard_targets_view *targets;
    const struct shepard_frame *frame;
    size_t tile; /* side of a tile */
    size_t run;  /* targets of a block of a list */
    size_t blocks;
    uint32_t *order; /* of a list; NULL for a raster, and where a list stays as given */
    /* Of a raster: the cells of a tile along the Hilbert curve, column + SHEPARD_TILE_MAX * row. */
    uint8_t curve[SHEPARD_TILE_MAX * SHEPARD_TILE_MAX];
    const struct shepard_allocator *allocator;
};

/* One block: coordinates in frame units, NaN where the target is not finite. */
struct shepard_target_block {
    size_t count;
    size_t index[SHEPARD_BLOCK_MAX]; /* into the outputs */
    double x[SHEPARD_BLOCK_MAX], y[SHEPARD_BLOCK_MAX];
    double z[SHEPARD_BLOCK_MAX]; /* 0 where places have two coordinates */
};

/* How large blocks are. */
struct shepard_block_size {
    size_t tile;   /* 1 to SHEPARD_TILE_MAX */
    size_t run;    /* 1 to SHEPARD_BLOCK_MAX */
    bool as_given; /* a list is not put in order */
};

enum shepard_status shepard_schedule_create(const struct shepard_targets_view *targets,
                                            const struct shepard_frame *frame,
                                            struct shepard_block_size size, int threads,
                                            const struct shepard_allocator *allocator,
                                            struct shepard_schedule *schedule);

void shepard_schedule_free(struct shepard_schedule *schedule);

void shepard_schedule_block(const struct shepard_schedule *schedule, size_t block,
                            struct shepard_target_block *targets);

#endif
