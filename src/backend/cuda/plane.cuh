/* SPDX-License-Identifier: MIT */
/* The plane of a weighted neighbourhood (Eq. 10 to 12b of docs/math.md), as backend/cpu/plane.c.
 * Offsets are made anew where they are needed: that is cheaper than keeping them. Mirrors
 * backend/cpu/plane.h. */
#ifndef SHEPARD_BACKEND_CUDA_PLANE_CUH
#define SHEPARD_BACKEND_CUDA_PLANE_CUH

#include "backend/cuda/nearest_list.cuh"

extern "C" {
#include "core/fit.h"
}

namespace shepard
{

/* The points of a target's neighbourhood and their weights, q included. */
struct weighted_row {
    neighbour_row row; /* weights in place of squared distances */
    int count;
    double w; /* their sum */
};

struct plane {
    shepard_axes axes;
    shepard_spread spread; /* x along, y across */
    shepard_slopes slopes;
};

__device__ inline double2 place_of(const points_view &points, const weighted_row &list, int i)
{
    const std::uint32_t rank = list.row.rank(i);
    return {points.x[rank], points.y[rank]};
}

__device__ inline double2 offset_of(const points_view &points, const weighted_row &list,
                                    const shepard_axes &axes, int i)
{
    double2 at = place_of(points, list, i);
    shepard_axes_turn(&axes, &at.x, &at.y);
    return at;
}

/* Means and centred moments of offset(i). */
template <class Offset>
__device__ inline shepard_spread spread_of(const weighted_row &list, const Offset &offset)
{
    double u = 0, v = 0, uu = 0, uv = 0, vv = 0;
    for (int i = 0; i < list.count; i++) {
        const double2 d = offset(i);
        const double wu = list.row.d2(i) * d.x, wv = list.row.d2(i) * d.y;
        u += wu;
        v += wv;
        uu += wu * d.x;
        uv += wu * d.y;
        vv += wv * d.y;
    }
    u /= list.w;
    v /= list.w;
    return {u, v, uu / list.w - u * u, uv / list.w - u * v, vv / list.w - v * v};
}

/* h2: of the ridge. */
__device__ inline plane fit_plane(const points_view &points, const weighted_row &list, double x,
                                  double y, double ridge_h2, double damping)
{
    const shepard_spread rough = spread_of(list, [&](int i) -> double2 {
        const double2 at = place_of(points, list, i);
        return {at.x - x, at.y - y};
    });
    plane fitted;
    fitted.axes = shepard_fit_axes(x, y, &rough);
    fitted.spread = spread_of(list, [&](int i) { return offset_of(points, list, fitted.axes, i); });
    fitted.slopes =
        shepard_fit_slopes(&fitted.spread, ridge_h2 * shepard_axes_length2(&fitted.axes));
    shepard_axes_turn(&fitted.axes, &x, &y);
    fitted.spread.x -= x;
    fitted.spread.y -= y;
    shepard_fit_damp(&fitted.spread, damping, &fitted.slopes);
    return fitted;
}

/* What the plane of values * scale adds at the target to their weighted mean * scale. */
__device__ inline double plane_rise(const points_view &points, const weighted_row &list,
                                    const plane &fitted, int column, double mean)
{
    const double *z = points.values + (std::size_t)column * points.n;
    const double scale = points.scale[column];
    double along = 0, across = 0;
    for (int i = 0; i < list.count; i++) {
        const double2 d = offset_of(points, list, fitted.axes, i);
        const double wz = list.row.d2(i) * (z[list.row.rank(i)] * scale - mean * scale);
        along += wz * d.x;
        across += wz * d.y;
    }
    return shepard_fit_rise(&fitted.spread, &fitted.slopes, along / list.w, across / list.w);
}

} // namespace shepard

#endif
