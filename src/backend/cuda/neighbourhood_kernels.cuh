/* SPDX-License-Identifier: MIT */
/* What kernels of neighbourhoods do after a search, in the plane and in space, and their rules. */
#ifndef SHEPARD_BACKEND_CUDA_NEIGHBOURHOOD_KERNELS_CUH
#define SHEPARD_BACKEND_CUDA_NEIGHBOURHOOD_KERNELS_CUH

#include "backend/cuda/arc.cuh"
#include "backend/cuda/choose_search.cuh"
#include "backend/cuda/decay.cuh"
#include "backend/cuda/neighbour_lists.cuh"
#include "backend/cuda/output.cuh"
#include "backend/cuda/plane.cuh"
#include "backend/cuda/power.cuh"

extern "C" {
#include "base/arithmetic.h"
}

#include <algorithm>

namespace shepard
{

struct neighbourhood_rules {
    int k;             /* points looked for */
    int most;          /* the first of them that a neighbourhood may hold */
    double radius2;    /* and how far away, squared; infinite: no bound */
    double cap;        /* of the search */
    std::size_t least; /* points that make a prediction */
    power_rule power;
    double smoothing2, ridge, damping, nodata, frame_scale;
};

/* ---- a prediction from a neighbourhood ------------------------------------------------------- */

/* q included. At the place of data points only these count. */
__device__ inline double weight_of(const points_view &points, const shepard_decay &decay, double d2,
                                   std::uint32_t rank)
{
    const double w = decay.unit2 > 0 ? weight_at(decay, d2) : d2 == 0;
    return points.weights != nullptr ? w * points.weights[rank] : w;
}

/* Puts weights in place of squared distances. */
__device__ inline weighted_row weigh(const points_view &points, const neighbour_row &row, int count,
                                     const shepard_decay &decay)
{
    weighted_row list = {row, count, 0, 0};
    for (int i = 0; i < count; i++) {
        const double w = weight_of(points, decay, row.d2(i), row.rank(i));
        row.d2(i) = w;
        list.w += w;
        list.ww += w * w;
    }
    return list;
}

/* The weighted mean of a column, about the middle of its range; where the nearest point has all the
 * weight that there is, its value, to the last bit. */
template <class List>
__device__ double mean_of(const points_view &points, const List &list, int column)
{
    const double *z = points.values + (std::size_t)column * points.n;
    const double middle = points.middle[column], scale = points.scale[column];
    double sum = 0;
    list.for_each(
        [&](double w, std::uint32_t rank) { sum += w * (z[rank] * scale - middle * scale); });
    if (list.is_alone())
        return z[list.nearest()];
    return shepard_clamp(middle + sum / list.w / scale, points.value_min[column],
                         points.value_max[column]);
}

template <class List>
__device__ double deviation_of(const points_view &points, const List &list, int column, double mean)
{
    const double *z = points.values + (std::size_t)column * points.n;
    const double scale = points.scale[column];
    double sum = 0;
    list.for_each([&](double w, std::uint32_t rank) {
        const double d = z[rank] * scale - mean * scale;
        sum += w * d * d;
    });
    return sqrt(sum / list.w) / scale;
}

/* fitted: nullptr with degree 0. */
template <class Map, class List>
__device__ void predict_columns(const points_view &points, const List &list,
                                const plane<Map> *fitted, const outputs &out, std::uint32_t index)
{
    if (out.values == nullptr && out.deviations == nullptr)
        return;
    for (int c = 0; c < points.columns; c++) {
        const std::size_t at = (std::size_t)c * out.m + index;
        const double mean = mean_of(points, list, c);
        double value = mean;
        if (fitted != nullptr && out.values != nullptr)
            value += plane_rise(points, list, *fitted, c, mean) / points.scale[c];
        if (out.values != nullptr && list.takes_part)
            out.values[at] = value;
        if (out.deviations == nullptr)
            continue;
        const double deviation = deviation_of(points, list, c, mean);
        if (list.takes_part)
            out.deviations[at] = deviation;
    }
}

/* h2: the squared median of the distances, for a plane. */
template <bool with_plane, class Points, class List, class Place>
__device__ void predict_from_weights(const Points &points, const neighbourhood_rules &rule,
                                     const List &list, double h2, double power, const Place &target,
                                     const outputs &out, std::uint32_t index)
{
    if (list.takes_part) {
        put(out.power, index, power);
        put(out.effective, index, list.w * list.w / list.ww);
    }
    if constexpr (with_plane) {
        const auto fitted =
            fit_plane(map_round(points, target), list, rule.ridge * h2, rule.damping);
        predict_columns(points, list, &fitted, out, index);
    } else {
        predict_columns<plane_map>(points, list, nullptr, out, index);
    }
}

/* row: the nearest point is the first. h2: the squared median of the distances, for a plane. */
template <bool with_plane, class Points, class Place>
__device__ void predict_from(const Points &points, const neighbourhood_rules &rule,
                             const neighbour_row &row, int count, double h2, double power,
                             const Place &target, const outputs &out, std::uint32_t index)
{
    const shepard_decay decay = {SHEPARD_FORM_GENERAL, power, rule.smoothing2,
                                 row.d2(0) + rule.smoothing2};
    predict_from_weights<with_plane>(points, rule, weigh(points, row, count, decay), h2, power,
                                     target, out, index);
}

template <class List, bool with_plane, bool Leaving, class Points, class Targets>
__global__ void __launch_bounds__(search_threads)
    predict_kernel(const __grid_constant__ Points points, const __grid_constant__ Targets targets,
                   const __grid_constant__ neighbourhood_rules rule,
                   const __grid_constant__ outputs out)
{
    __shared__ search_scratch<List, Points> scratch[search_threads / warp_lanes];
    const auto target = target_of_lane(targets);
    neighbour_search<List, Leaving, Points, Targets> search(
        points, targets, scratch[threadIdx.x / warp_lanes], target, rule.k, rule.cap);
    const neighbour_row row = search.find(target);
    if (target.i >= targets.m)
        return;
    const std::uint32_t index = targets.index[target.i];
    const int count = target.present ? count_within(row, rule.most, rule.radius2) : 0;
    bend_sorted(points, target, row, target.present ? rule.k : 0);
    put(out.count, index, count);
    put(out.nearest, index, count > 0 ? sqrt(row.d2(0)) / rule.frame_scale : rule.nodata);
    if (count > 0 && (std::size_t)count >= rule.least)
        predict_from<with_plane>(points, rule, row, count, with_plane ? median2_of(row, count) : 0,
                                 power_of(rule.power, row, points_for(points, targets, target.i)),
                                 target, out, index);
    else
        put_nodata(out, points.columns, index, rule.nodata);
}

/* ---- a prediction from a list ---------------------------------------------------------------- */

constexpr int list_threads = 128;

template <bool with_plane, class Points, class Targets>
__global__ void __launch_bounds__(list_threads)
    predict_list_kernel(const __grid_constant__ Points points,
                        const __grid_constant__ Targets targets,
                        const __grid_constant__ neighbour_lists_view lists,
                        const __grid_constant__ neighbourhood_rules rule,
                        const double *__restrict__ powers, const __grid_constant__ outputs out)
{
    const std::size_t i = (std::size_t)blockIdx.x * list_threads + threadIdx.x;
    if (i >= targets.m)
        return;
    const std::uint32_t t = (std::uint32_t)i, index = targets.index[t];
    const neighbour_row row = lists.row(t);
    const int count = (int)lists.count[t];
    double h2 = 0;
    if constexpr (with_plane) {
        select_median(row, count);
        h2 = median2_of(row, count);
    }
    bring_nearest_first(row, count);
    put(out.count, index, count);
    put(out.nearest, index, count > 0 ? sqrt(row.d2(0)) / rule.frame_scale : rule.nodata);
    typename Targets::place_type target;
    place_at(targets, t, &target);
    if (lists.enough[t])
        predict_from<with_plane>(points, rule, row, count, h2,
                                 powers != nullptr ? powers[t] : rule.power.power, target, out,
                                 index);
    else
        put_nodata(out, points.columns, index, rule.nodata);
}

/* ---- rules ----------------------------------------------------------------------------------- */

inline std::size_t most_points(const shepard_search &search)
{
    return std::min(search.max_points, search.max_points_per_sector);
}

inline neighbourhood_rules rules_of(const shepard_rules &rules, std::uint32_t n, double frame_scale)
{
    const shepard_search &search = rules.search;
    neighbourhood_rules rule = {};
    rule.most = (int)std::min(most_points(search), (std::size_t)n);
    rule.k = rules.adaptive ? std::max(rule.most, (int)rules.adapt.k) : rule.most;
    rule.radius2 =
        search.bounded ? search.ellipse.radius1 * search.ellipse.radius1 : (double)INFINITY;
    /* The power is that of the nearest points, inside the circle or not. */
    rule.cap = search.bounded && !rules.adaptive ? next_up(rule.radius2) : DBL_MAX;
    rule.least = std::max(search.min_points, search.min_points_per_sector);
    rule.power = power_rule_of(rules);
    rule.smoothing2 = rules.smoothing2;
    rule.ridge = rules.ridge;
    rule.damping = rules.damping;
    rule.nodata = rules.nodata;
    rule.frame_scale = frame_scale;
    return rule;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* From the points of lists; powers: [m]; nullptr: the rules'. */
template <class Points, class Targets>
void predict_from_lists(const Points &points, const Targets &targets, const shepard_rules &rules,
                        double frame_scale, const double *powers, const outputs &out,
                        cudaStream_t stream)
{
    const neighbour_lists lists(points, targets, rules.search, stream);
    const auto kernel = rules.degree == 1 ? predict_list_kernel<true, Points, Targets>
                                          : predict_list_kernel<false, Points, Targets>;
    kernel<<<blocks_for(targets.m, list_threads), list_threads, 0, stream>>>(
        points, targets, lists.view(), rules_of(rules, points.n, frame_scale), powers, out);
}

/* ---- the points themselves ------------------------------------------------------------------- */

struct nearest_outputs {
    int k;     /* looked for */
    int width; /* of a target's row of outputs */
    double frame_scale;
    std::uint32_t *indices;
    double *distances;
};

template <class List, bool Leaving, class Points, class Targets>
__global__ void __launch_bounds__(search_threads)
    nearest_kernel(const __grid_constant__ Points points, const __grid_constant__ Targets targets,
                   const __grid_constant__ nearest_outputs out)
{
    __shared__ search_scratch<List, Points> scratch[search_threads / warp_lanes];
    const auto target = target_of_lane(targets);
    neighbour_search<List, Leaving, Points, Targets> search(
        points, targets, scratch[threadIdx.x / warp_lanes], target, out.k, DBL_MAX);
    const neighbour_row row = search.find(target);
    if (target.i >= targets.m)
        return;
    bend_sorted(points, target, row, target.present ? out.k : 0);
    const std::size_t first = (std::size_t)targets.index[target.i] * out.width;
    const std::uint32_t used = target.present ? points_for(points, targets, target.i) : 0;
    const int count = (int)min((std::uint32_t)out.k, used);
    for (int j = 0; j < out.width; j++) {
        if (out.indices != nullptr)
            out.indices[first + j] = j < count ? points.index[row.rank(j)] : SHEPARD_NO_POINT;
        if (out.distances != nullptr)
            out.distances[first + j] = j < count ? sqrt(row.d2(j)) / out.frame_scale : (double)NAN;
    }
}

} // namespace shepard

#endif
