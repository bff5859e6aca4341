/* SPDX-License-Identifier: MIT */
/* Neighbourhoods of places with three coordinates. */
#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/neighbourhood.cuh"
#include "backend/cuda/neighbourhood_kernels.cuh"
#include "backend/cuda/radius_kernels.cuh"
#include "cuda/check.cuh"
#include "cuda/launch.cuh"

namespace shepard
{

namespace
{

void predict_nearest(const space_points_view &points, const space_target_view &targets,
                     const shepard_rules &rules, double frame_scale, const outputs &out,
                     cudaStream_t stream)
{
    const neighbourhood_rules rule = rules_of(rules, points.n, frame_scale);
    choose_search<true>(targets, rule.k, [&](auto tag) {
        using search = decltype(tag);
        const auto kernel = predict_kernel<typename search::list, false, search::leaving,
                                           space_points_view, space_target_view>;
        kernel<<<search_blocks(targets.m), search_threads, 0, stream>>>(points, targets, rule, out);
    });
}

/* ---- powers ---------------------------------------------------------------------------------- */

/* The power of each target from its nearest points, [m]. */
__global__ void __launch_bounds__(list_threads)
    power_kernel(const __grid_constant__ space_points_view points,
                 const __grid_constant__ space_target_view targets,
                 const __grid_constant__ neighbour_lists_view nearest,
                 const __grid_constant__ power_rule rule, double *powers)
{
    const std::size_t i = (std::size_t)blockIdx.x * list_threads + threadIdx.x;
    if (i >= targets.m || nearest.count[i] == 0)
        return;
    const std::uint32_t t = (std::uint32_t)i;
    powers[t] = power_of(rule, nearest.row(t), points_for(points, targets, t));
}

/* Of each target, [m]; none where all have the same. */
block<double> find_powers(const space_points_view &points, const space_target_view &targets,
                          const shepard_rules &rules, cudaStream_t stream)
{
    if (!rules.adaptive)
        return {};
    const neighbour_lists nearest(points, targets, search_of_nearest(rules.adapt.k), stream);
    block<double> powers(targets.m, stream);
    power_kernel<<<blocks_for(targets.m, list_threads), list_threads, 0, stream>>>(
        points, targets, nearest.view(), power_rule_of(rules), powers.get());
    return powers;
}

} // namespace

void predict_local(const space_points_view &points, const space_target_view &targets,
                   const shepard_rules &rules, double frame_scale, const outputs &out,
                   cudaStream_t stream)
{
    if (targets.m == 0)
        return;
    if (has_no_limit(rules.search))
        predict_within_radius(points, targets, rules, frame_scale,
                              find_powers(points, targets, rules, stream).get(), out, stream);
    else if (keeps_lists(rules, true))
        predict_from_lists(points, targets, rules, frame_scale,
                           find_powers(points, targets, rules, stream).get(), out, stream);
    else
        predict_nearest(points, targets, rules, frame_scale, out, stream);
    check_launch("predicting from neighbours");
}

void find_nearest(const space_points_view &points, const space_target_view &targets, int k,
                  double frame_scale, std::uint32_t *indices, double *distances,
                  cudaStream_t stream)
{
    if (targets.m == 0)
        return;
    const nearest_outputs out = {(int)std::min((std::uint32_t)k, points.n), k, frame_scale, indices,
                                 distances};
    choose_search<true>(targets, out.k, [&](auto tag) {
        using search = decltype(tag);
        const auto kernel = nearest_kernel<typename search::list, search::leaving,
                                           space_points_view, space_target_view>;
        kernel<<<search_blocks(targets.m), search_threads, 0, stream>>>(points, targets, out);
    });
    check_launch("finding nearest points");
}

} // namespace shepard
