/* SPDX-License-Identifier: MIT */
/* Builds the index of barriers (kernel/sight.h) in the frame of points. */
#ifndef SHEPARD_CORE_BARRIERS_H
#define SHEPARD_CORE_BARRIERS_H

#include "core/frame.h"
#include "kernel/sight.h"

struct shepard_barrier_store {
    struct shepard_barrier_tree tree;
    struct shepard_segment *segments;
    struct shepard_boxes *boxes; /* of all levels */
    size_t box_count;
    const struct shepard_allocator *allocator;
};

/* The segments that lines have, whose strides are resolved. Refused where a vertex is not finite
 * and no end of a line. */
enum shepard_status shepard_barriers_count(const struct shepard_barriers *lines, size_t *segments,
                                           struct shepard_error *error);

/* Copies counted lines, `segments` >= 1. Refused where a vertex is too far from the points. On
 * failure *store holds nothing. Cost: O(m log m) of m segments. */
enum shepard_status shepard_barriers_create(const struct shepard_barriers *lines, size_t segments,
                                            const struct shepard_frame *frame, int threads,
                                            struct shepard_barrier_store *store,
                                            struct shepard_error *error);

/* A zeroed struct is allowed. */
void shepard_barriers_free(struct shepard_barrier_store *store);

size_t shepard_barriers_bytes(const struct shepard_barrier_store *store);

#endif
