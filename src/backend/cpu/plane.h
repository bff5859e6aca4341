/* SPDX-License-Identifier: MIT */
/* The plane of a weighted list of points (Eq. 10 to 12c of docs/math.md), from moments about the
 * target, or in the list's own axes where these moments are not good enough. */
#ifndef SHEPARD_BACKEND_CPU_PLANE_H
#define SHEPARD_BACKEND_CPU_PLANE_H

#include "backend/cpu/worker.h"
#include "core/fit.h"

/* A column's values [n], which are summed as scale z - scale middle. */
struct shepard_cpu_column {
    const double *values;
    double scale, middle;
};

/* A point's term in a weighted sum of the column. */
static inline double shepard_cpu_column_term(const struct shepard_cpu_column *of, double w,
                                             uint32_t rank)
{
    return w * (of->values[rank] * of->scale - of->middle * of->scale);
}

struct shepard_cpu_plane {
    const struct shepard_cpu_weighted *list;
    double *along, *across;       /* [list->count] offsets of the points, both scaled alike */
    double w;                     /* sum of the list's weights */
    struct shepard_direct direct; /* if good, offsets are from the target, and the members below
                                     not set; else offsets are along and across axes */
    struct shepard_spread spread; /* x along, y across */
    struct shepard_slopes slopes;
};

/* Fills in all but list, w and the room for offsets, which are given. */
void shepard_cpu_plane_fit(struct shepard_cpu_plane *plane, const struct shepard_samples *points,
                           const struct shepard_rules *rules);

/* What the plane adds at the target to the weighted mean of a column, times its scale. sum: of the
 * column's terms; mean: as it is, not scaled. */
double shepard_cpu_plane_rise(const struct shepard_cpu_plane *plane,
                              const struct shepard_cpu_column *of, double sum, double mean);

#endif
