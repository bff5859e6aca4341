/* SPDX-License-Identifier: MIT */
/* Targets that are data points, each left out of its own prediction: their positions among the
 * points of a prediction. */
#ifndef SHEPARD_CORE_LEAVE_OUT_H
#define SHEPARD_CORE_LEAVE_OUT_H

#include "core/geometry.h"
#include "kernel/left_out.h"

struct shepard_leave_out {
    const struct shepard_geometry *all;    /* the targets are of */
    const struct shepard_geometry *points; /* predictions are made from: all, or a subset */
    bool keep_coincident;
    const uint32_t *indices; /* [m] of the targets; NULL: all */
    /* [coordinates of the caller] where a point stands; SHEPARD_NO_POINT: nowhere. */
    uint32_t *rank, *rank_used; /* in all; in points, NULL: the same */
    const struct shepard_allocator *allocator;
};

/* For targets that are points, which outlive *leave_out as the geometries do. Cost: O(n). On
 * failure nothing is held. */
enum shepard_status shepard_leave_out_create(const struct shepard_targets_view *targets,
                                             const struct shepard_geometry *all,
                                             const struct shepard_geometry *points,
                                             struct shepard_leave_out *leave_out);

/* A zeroed struct is allowed. */
void shepard_leave_out_free(struct shepard_leave_out *leave_out);

/* Target i, frame units; false where the point is skipped. */
bool shepard_leave_out_place(const struct shepard_leave_out *leave_out, size_t i, double *x,
                             double *y);

/* The points that target i, not skipped, does not use: where `all` is in the order of
 * core/hilbert.h. */
struct shepard_left_out shepard_leave_out_of(const struct shepard_leave_out *leave_out, size_t i);

#endif
