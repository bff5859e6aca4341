/* SPDX-License-Identifier: MIT */
/* Where points lie as seen from a target: the offsets that sectors go by. In the plane those of x
 * and y, in space those along the directions of the target, with the bits of the CPU where CUDA
 * compiles them without multiply-add. Mirrors kernel/place.h. */
#ifndef SHEPARD_BACKEND_CUDA_BEARING_CUH
#define SHEPARD_BACKEND_CUDA_BEARING_CUH

#include "backend/cuda/points_view.cuh"

extern "C" {
#include "core/sphere_tangent.h"
}

namespace shepard
{

/* A place with its directions. */
__device__ __forceinline__ plane_place oriented(const points_view &, const plane_place &at)
{
    return at;
}

__device__ inline shepard_place oriented(const space_points_view &points, const space_place &at)
{
    shepard_place place = {at.x, at.y, at.z, {}, {}, 0};
    if (points.diameter > 0)
        shepard_sphere_orient(points.diameter, &place);
    else
        shepard_place_orient(&place);
    return place;
}

__device__ __forceinline__ double2 bearing_to(const plane_place &from, const plane_place &to)
{
    return {to.x - from.x, to.y - from.y};
}

__device__ __forceinline__ double2 bearing_to(const shepard_place &from, const space_place &to)
{
    return {shepard_place_along(&from, from.east, to.x, to.y, to.z),
            shepard_place_along(&from, from.north, to.x, to.y, to.z)};
}

__device__ __forceinline__ double squared_apart(const plane_place &from, const plane_place &to)
{
    return squared(to.x - from.x, to.y - from.y);
}

__device__ __forceinline__ double squared_apart(const shepard_place &from, const space_place &to)
{
    return squared(to.x - from.x, to.y - from.y, to.z - from.z);
}

/* The least and the largest offset along a direction of what lies in a box, a little too far out.
 */
struct reach {
    double least, most;
};

__device__ inline reach reach_of(const space_box &of, const shepard_place &from,
                                 const double direction[3])
{
    const double low[3] = {of.x_min - from.x, of.y_min - from.y, of.z_min - from.z};
    const double high[3] = {of.x_max - from.x, of.y_max - from.y, of.z_max - from.z};
    reach whole = {-2 * from.snap, 2 * from.snap};
    for (int k = 0; k < 3; k++) {
        const double a = direction[k] * low[k], b = direction[k] * high[k];
        whole.least += fmin(a, b);
        whole.most += fmax(a, b);
    }
    return whole;
}

} // namespace shepard

#endif
