/* SPDX-License-Identifier: MIT */
/* Targets that leave points out: data points, each left out of its own prediction, with their
 * positions among the points of a prediction, and the stars of targets. */
#ifndef SHEPARD_CORE_LEAVE_OUT_H
#define SHEPARD_CORE_LEAVE_OUT_H

#include "core/geometry.h"
#include "kernel/left_out.h"

struct shepard_leave_out {
    const struct shepard_geometry *all;    /* the targets are of */
    const struct shepard_geometry *points; /* predictions are made from: all, or a subset */
    bool keep_coincident;
    bool data;               /* targets are data points */
    const uint32_t *indices; /* [m] of the targets; NULL: all */
    /* [coordinates of the caller] where a point stands; SHEPARD_NO_POINT: nowhere. */
    uint32_t *rank, *rank_used; /* in all; in points, NULL: the same */
    struct shepard_star *stars; /* [m]; NULL: none */
    const struct shepard_allocator *allocator;
};

/* For targets that leave points out, which outlive *leave_out as the geometries do. Cost: O(n) for
 * data points. On
 * failure nothing is held. */
enum shepard_status shepard_leave_out_create(const struct shepard_targets_view *targets,
                                             const struct shepard_geometry *all,
                                             const struct shepard_geometry *points,
                                             struct shepard_leave_out *leave_out);

/* A zeroed struct is allowed. */
void shepard_leave_out_free(struct shepard_leave_out *leave_out);

/* The index of target i, a data point, into the caller's coordinates. */
static inline size_t shepard_leave_out_index(const struct shepard_leave_out *leave_out, size_t i)
{
    return leave_out->indices != NULL ? leave_out->indices[i] : i;
}

/* Loads where data point i of the targets stands into the caches. */
SHEPARD_FETCH void shepard_leave_out_fetch(const struct shepard_leave_out *leave_out, size_t i)
{
    const size_t index = shepard_leave_out_index(leave_out, i);
    __builtin_prefetch(&leave_out->rank[index]);
    if (leave_out->rank_used != NULL)
        __builtin_prefetch(&leave_out->rank_used[index]);
}

/* Target i, frame units; false where the point is skipped. */
bool shepard_leave_out_place(const struct shepard_leave_out *leave_out, size_t i, double *x,
                             double *y);

/* The same of a place with three coordinates. */
bool shepard_leave_out_place_3d(const struct shepard_leave_out *leave_out, size_t i, double *x,
                                double *y, double *z);

/* The star of target i; NULL: it has none. */
const struct shepard_star *shepard_leave_out_star(const struct shepard_leave_out *leave_out,
                                                  size_t i);

/* The points that target i, not skipped, does not use: where `all` is in the order of
 * core/hilbert.h. Its count is without those that only a star covers, and, where places have three
 * coordinates, without others at the place: shepard_leave_out_count_at counts all. */
struct shepard_left_out shepard_leave_out_of(const struct shepard_leave_out *leave_out, size_t i);

/* How many points of the tree are left out at (x, y). Cost: that of the nodes that a star covers in
 * part. */
uint32_t shepard_leave_out_count(const struct shepard_left_out *left_out,
                                 const struct shepard_tree *tree, double x, double y);

/* The same where points have three coordinates, at a place that has directions if there is a star.
 */
uint32_t shepard_leave_out_count_at(const struct shepard_left_out *left_out,
                                    const struct shepard_tree *tree,
                                    const struct shepard_place *place);

#endif
