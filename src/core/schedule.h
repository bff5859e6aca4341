/* SPDX-License-Identifier: MIT */
/* The targets of a call cut into blocks of near neighbours: lists along the Hilbert curve, rasters
 * into square tiles. */
#ifndef SHEPARD_CORE_SCHEDULE_H
#define SHEPARD_CORE_SCHEDULE_H

#include "core/frame.h"
#include "core/targets.h"

/* Targets per block: tiles of 16 x 16 cells. */
#define SHEPARD_TILE 16
#define SHEPARD_BLOCK (SHEPARD_TILE * SHEPARD_TILE)

struct shepard_schedule {
    const struct shepard_targets_view *targets;
    const struct shepard_frame *frame;
    size_t blocks;
    uint32_t *order; /* of a list; NULL for a raster */
    const struct shepard_allocator *allocator;
};

/* One block: coordinates in frame units, NaN where the target is not finite. */
struct shepard_target_block {
    size_t count;
    size_t index[SHEPARD_BLOCK]; /* into the outputs */
    double x[SHEPARD_BLOCK], y[SHEPARD_BLOCK];
};

enum shepard_status shepard_schedule_create(const struct shepard_targets_view *targets,
                                            const struct shepard_frame *frame, int threads,
                                            const struct shepard_allocator *allocator,
                                            struct shepard_schedule *schedule);

void shepard_schedule_free(struct shepard_schedule *schedule);

void shepard_schedule_block(const struct shepard_schedule *schedule, size_t block,
                            struct shepard_target_block *targets);

#endif
