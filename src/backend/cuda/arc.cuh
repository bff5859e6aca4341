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

/* Distances of the plane are what they are. */
__device__ inline void bend(const points_view &, const plane_place &, const neighbour_row &, int) {}
__device__ inline void bend_sorted(const points_view &, const plane_place &, const neighbour_row &,
                                   int)
{
}

/* Of the point in place i of a row. */
__device__ inline double arc2_of(const space_points_view &points, const space_place &at,
                                 const neighbour_row &row, int i)
{
    const std::uint32_t rank = row.rank(i);
    const double opposite2 =
        squared(at.x + points.x[rank], at.y + points.y[rank], at.z + points.z[rank]);
    return shepard_sphere_arc2(row.d2(i), opposite2, points.diameter);
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
