/* SPDX-License-Identifier: MIT */
/* Which places a target sees past barriers: an index of their segments, and one target's questions
 * to it. */
#ifndef SHEPARD_KERNEL_SIGHT_H
#define SHEPARD_KERNEL_SIGHT_H

#include "kernel/horizon.h"
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

/* Most segments that are listed round a target. More are looked up in the tree for each place. */
#define SHEPARD_NEAR_MAX 192

/* A segment, and its offsets from the target, rounded. */
struct shepard_near_segment {
    struct shepard_segment segment;
    double ax, ay, bx, by;
    size_t number;
};

/* What a target sees. */
struct shepard_sight {
    const struct shepard_barrier_tree *tree;
    struct shepard_plane_point target;
    size_t last;  /* the segment that hid something last: often it hides what is asked next */
    double reach; /* within this square round the target, what hides is in the list; < 0: nowhere */
    size_t count;
    bool full; /* there are too many for the list */
    bool has_horizon;
    struct shepard_near_segment near[SHEPARD_NEAR_MAX];
    struct shepard_horizon horizon;
};

/* Turns to the next target. */
void shepard_sight_turn(struct shepard_sight *sight, double x, double y);

/* Whether a segment hides the place from the target (Eq. 14a). */
bool shepard_sight_hides(struct shepard_sight *sight, double x, double y);

/* Whether one segment hides all of a box: never without cause, though not for every cause. */
bool shepard_sight_hides_box(struct shepard_sight *sight, double x_min, double x_max, double y_min,
                             double y_max);

/* Whether no segment comes into the square within `reach` of the target: it sees all there. */
bool shepard_sight_is_clear(struct shepard_sight *sight, double reach);

/* Gets ready for many questions about the places round the target. */
void shepard_sight_look_round(struct shepard_sight *sight);

/* Whether all places at this squared distance and beyond are surely hidden. */
static inline bool shepard_sight_ends(const struct shepard_sight *sight, double d2)
{
    /* A distance is at most sqrt(2) times the horizon's. */
    return sight->has_horizon && d2 > 2.000001 * sight->horizon.most * sight->horizon.most;
}

#endif
