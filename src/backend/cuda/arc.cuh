/* SPDX-License-Identifier: MIT */
/* From the distances that searches go by to those of a metric: on a sphere squared chords become
 * squared arcs. */
#ifndef SHEPARD_BACKEND_CUDA_ARC_CUH
#define SHEPARD_BACKEND_CUDA_ARC_CUH

#include "backend/cuda/nearest_list.cuh"

extern "C" {
#include "core/sphere_arc.h"
}

namespace shepard
{

/* The squared arc between two places at a squared chord. */
__device__ inline double arc2_between(const space_points_view &points, const space_place &a,
                                      const space_place &b, double chord2)
{
    return shepard_sphere_arc2(chord2, squared(a.x + b.x, a.y + b.y, a.z + b.z), points.diameter);
}

/* Squared distance of a metric between two places at a squared distance in the frame. Distances of
 * the plane are what they are. */
__device__ inline double bent(const points_view &, const plane_place &, const plane_place &,
                              double d2)
{
    return d2;
}

__device__ inline double bent(const space_points_view &points, const space_place &a,
                              const space_place &b, double d2)
{
    return points.diameter > 0 ? arc2_between(points, a, b, d2) : d2;
}

/* The same of rows. */
__device__ inline void bend(const points_view &, const plane_place &, const neighbour_row &, int) {}
__device__ inline void bend_sorted(const points_view &, const plane_place &, const neighbour_row &,
                                   int)
{
}

/* Of the point in place i of a row. */
__device__ inline double arc2_of(const space_points_view &points, const space_place &at,
                                 const neighbour_row &row, int i)
{
    space_place point;
    place_of(points, row.rank(i), &point);
    return arc2_between(points, at, point, row.d2(i));
}

/* The first `count` of a row. */
__device__ inline void bend(const space_points_view &points, const space_place &at,
                            const neighbour_row &row, int count)
{
    for (int i = 0; points.diameter > 0 && i < count; i++)
        row.d2(i) = arc2_of(points, at, row, i);
}

/* The same of points that are sorted, those that are there; arcs never fall then: rounding may make
 * the arc of a longer chord the shorter one. */
__device__ inline void bend_sorted(const space_points_view &points, const space_place &at,
                                   const neighbour_row &row, int count)
{
    if (points.diameter == 0)
        return;
    double least = 0;
    for (int i = 0; i < count && row.d2(i) < (double)INFINITY; i++) {
        least = fmax(least, arc2_of(points, at, row, i));
        row.d2(i) = least;
    }
}

} // namespace shepard

#endif
