/* SPDX-License-Identifier: MIT */
/* The plane of a weighted list of points (Eq. 10 to 12c of docs/math.md), from moments about the
 * target, or in the list's own axes where these moments are not good enough. */
#ifndef SHEPARD_BACKEND_CPU_PLANE_H
#define SHEPARD_BACKEND_CPU_PLANE_H

#include "backend/cpu/worker.h"
#include "core/fit.h"

struct shepard_cpu_plane {
    const struct shepard_cpu_weighted *list;
    double *along, *across;       /* [list->count] offsets of the points, both scaled alike */
    double w;                     /* sum of the list's weights */
    struct shepard_direct direct; /* if good, offsets are from the target, and the following not
                                     set; else they are turned into axes */
    struct shepard_spread spread; /* x along, y across */
    struct shepard_slopes slopes;
};

/* Fills in all but list, w and the room for offsets, which are given. */
void shepard_cpu_plane_fit(struct shepard_cpu_plane *plane, const struct shepard_samples *points,
                           const struct shepard_rules *rules);

/* Values of a column [n], which are summed as scale (z - middle). */
struct shepard_cpu_plane_values {
    const double *values;
    double scale, middle;
};

/* The weighted sum of the values, and what a plane that is direct adds at the target to their
 * weighted mean * scale. */
double shepard_cpu_plane_sum(const struct shepard_cpu_plane *plane,
                             const struct shepard_cpu_plane_values *of, double *rise);

/* What another plane adds; mean: that weighted mean. */
double shepard_cpu_plane_rise(const struct shepard_cpu_plane *plane,
                              const struct shepard_cpu_plane_values *of, double mean);

#endif
