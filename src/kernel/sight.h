/* SPDX-License-Identifier: MIT */
/* Which places a target sees past barriers: an index of their segments, and one target's questions
 * to it. */
#ifndef SHEPARD_KERNEL_SIGHT_H
#define SHEPARD_KERNEL_SIGHT_H

#include "kernel/segment.h"
#include "kernel/tree.h"

/* Segments in Hilbert order of their middles, under boxes as kernel/tree.h has them: those of level
 * 0 hold one segment each. */
struct shepard_barrier_tree {
    size_t count;                                          /* >= 1 */
    const struct shepard_segment *segments;                /* [count] */
    int levels;                                            /* >= 1 */
    const struct shepard_boxes *boxes[SHEPARD_LEVELS_MAX]; /* [nodes of the level / FANOUT, up] */
};

#define SHEPARD_NO_SEGMENT SIZE_MAX

/* What a target sees. */
struct shepard_sight {
    const struct shepard_barrier_tree *tree;
    struct shepard_plane_point target;
    size_t last; /* the segment that hid something last: often it hides what is asked next */
};

/* Turns to the next target. */
void shepard_sight_turn(struct shepard_sight *sight, double x, double y);

/* Whether a segment hides the place from the target (Eq. 14a). */
bool shepard_sight_hides(struct shepard_sight *sight, double x, double y);

/* Whether one segment hides all of a box: never without cause, though not for every cause. */
bool shepard_sight_hides_box(struct shepard_sight *sight, double x_min, double x_max, double y_min,
                             double y_max);

/* Whether no segment comes into the square within `reach` of the target: it sees all there. */
bool shepard_sight_is_clear(const struct shepard_sight *sight, double reach);

#endif
