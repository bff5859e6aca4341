/* SPDX-License-Identifier: MIT */
/* The plane of a weighted neighbourhood (Eq. 10 to 12b of docs/math.md), as backend/cpu/plane.c
 * has it in axes. Offsets are computed where they are needed: that is cheaper than keeping them.
 * Mirrors backend/cpu/plane.h. */
#ifndef SHEPARD_BACKEND_CUDA_PLANE_CUH
#define SHEPARD_BACKEND_CUDA_PLANE_CUH

#include "backend/cuda/bearing.cuh"
#include "backend/cuda/nearest_list.cuh"

extern "C" {
#include "core/fit.h"
}

namespace shepard
{

/* The points of a target's neighbourhood and their weights, q included; the nearest is the first.
 * What takes a weighted list takes others with these members, too: all lanes of a warp go through
 * them together. */
struct weighted_row {
    neighbour_row row; /* weights in place of squared distances */
    int count;
    double w, ww; /* sums of weights and of their squares */
    static constexpr bool takes_part = true;

    /* use(weight, rank). */
    template <class Use> __device__ void for_each(const Use &use) const
    {
        for (int i = 0; i < count; i++)
            use(row.d2(i), row.rank(i));
    }

    __device__ std::uint32_t nearest() const { return row.rank(0); }
    /* Whether the nearest has all the weight that there is. */
    __device__ bool is_alone() const { return row.d2(0) == w; }
};

/* Where points and the target lie on the map that a plane is fitted on: in the plane where they
 * are. */
class plane_map
{
  public:
    __device__ plane_map(const points_view &points, const plane_place &target)
        : points_(points), target_(target)
    {
    }

    __device__ double2 target() const { return {target_.x, target_.y}; }
    __device__ double2 place_of(std::uint32_t rank) const
    {
        return {points_.x[rank], points_.y[rank]};
    }

  private:
    const points_view &points_;
    const plane_place target_;
};

/* On a sphere: the plane that touches it at the target (Eq. 99a). */
class tangent_map
{
  public:
    __device__ tangent_map(const space_points_view &points, const space_place &target)
        : points_(points), from_(oriented(points, target))
    {
    }

    __device__ double2 target() const { return {0, 0}; }
    __device__ double2 place_of(std::uint32_t rank) const
    {
        const double at[3] = {points_.x[rank], points_.y[rank], points_.z[rank]};
        double2 place;
        shepard_sphere_offset(points_.diameter, &from_, at, &place.x, &place.y);
        return place;
    }

  private:
    const space_points_view &points_;
    const shepard_place from_;
};

__device__ inline plane_map map_round(const points_view &points, const plane_place &target)
{
    return {points, target};
}

__device__ inline tangent_map map_round(const space_points_view &points, const space_place &target)
{
    return {points, target};
}

template <class Map> struct plane {
    Map map;
    shepard_axes axes;
    shepard_spread spread; /* x along, y across */
    shepard_slopes slopes;
};

template <class Map>
__device__ inline double2 offset_of(const Map &map, const shepard_axes &axes, std::uint32_t rank)
{
    double2 at = map.place_of(rank);
    shepard_axes_turn(&axes, &at.x, &at.y);
    return at;
}

/* Means and centred moments of offset(rank). */
template <class List, class Offset>
__device__ inline shepard_spread spread_of(const List &list, const Offset &offset)
{
    double u = 0, v = 0, uu = 0, uv = 0, vv = 0;
    list.for_each([&](double w, std::uint32_t rank) {
        const double2 d = offset(rank);
        const double wu = w * d.x, wv = w * d.y;
        u += wu;
        v += wv;
        uu += wu * d.x;
        uv += wu * d.y;
        vv += wv * d.y;
    });
    u /= list.w;
    v /= list.w;
    return {u, v, uu / list.w - u * u, uv / list.w - u * v, vv / list.w - v * v};
}

/* h2: of the ridge. */
template <class Map, class List>
__device__ inline plane<Map> fit_plane(const Map &map, const List &list, double ridge_h2,
                                       double damping)
{
    double2 target = map.target();
    const shepard_spread rough = spread_of(list, [&](std::uint32_t rank) -> double2 {
        const double2 at = map.place_of(rank);
        return {at.x - target.x, at.y - target.y};
    });
    const shepard_axes axes = shepard_fit_axes(target.x, target.y, &rough);
    shepard_spread spread =
        spread_of(list, [&](std::uint32_t rank) { return offset_of(map, axes, rank); });
    shepard_slopes slopes = shepard_fit_slopes(&spread, ridge_h2 * shepard_axes_length2(&axes));
    shepard_axes_turn(&axes, &target.x, &target.y);
    spread.x -= target.x;
    spread.y -= target.y;
    shepard_fit_damp(&spread, damping, &slopes);
    return {map, axes, spread, slopes};
}

/* What the plane of values * scale adds at the target to their weighted mean * scale. */
template <class Map, class List>
__device__ inline double plane_rise(const points_view &points, const List &list,
                                    const plane<Map> &fitted, int column, double mean)
{
    const double *z = points.values + (std::size_t)column * points.n;
    const double scale = points.scale[column];
    double along = 0, across = 0;
    list.for_each([&](double w, std::uint32_t rank) {
        const double2 d = offset_of(fitted.map, fitted.axes, rank);
        const double wz = w * (z[rank] * scale - mean * scale);
        along += wz * d.x;
        across += wz * d.y;
    });
    return shepard_fit_rise(&fitted.spread, &fitted.slopes, along / list.w, across / list.w);
}

} // namespace shepard

#endif
