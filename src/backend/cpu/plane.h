/* SPDX-License-Identifier: MIT */
/* The plane of a weighted list of points (Eq. 10 to 12b of docs/math.md), fitted in the list's own
 * axes. */
#ifndef SHEPARD_BACKEND_CPU_PLANE_H
#define SHEPARD_BACKEND_CPU_PLANE_H

#include "backend/cpu/worker.h"
#include "core/fit.h"

struct shepard_cpu_plane {
    const struct shepard_cpu_weighted *list;
    double *along, *across;       /* [list->count] offsets of the points, both scaled alike */
    double w;                     /* sum of the list's weights */
    struct shepard_spread spread; /* x along, y across */
    struct shepard_slopes slopes;
};

/* Fills in offsets, spread and slopes; the other members and the room for offsets are given. */
void shepard_cpu_plane_fit(struct shepard_cpu_plane *plane, const struct shepard_samples *points,
                           const struct shepard_rules *rules);

/* What the plane of values [n] * scale adds at the target to their weighted mean * scale. */
double shepard_cpu_plane_rise(const struct shepard_cpu_plane *plane, const double *values,
                              double scale, double mean);

#endif
