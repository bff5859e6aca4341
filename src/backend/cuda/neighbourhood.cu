/* SPDX-License-Identifier: MIT */
#include "backend/cuda/neighbourhood.cuh"

#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/neighbour_lists.cuh"
#include "backend/cuda/neighbourhood_kernels.cuh"
#include "backend/cuda/radius_kernels.cuh"
#include "cuda/check.cuh"

namespace shepard
{

namespace
{

template <class List, bool Leaving> auto kernel_for(int degree)
{
    return degree == 1 ? predict_kernel<List, true, Leaving, points_view, target_view>
                       : predict_kernel<List, false, Leaving, points_view, target_view>;
}

void predict_nearest(const points_view &points, const target_view &targets,
                     const shepard_rules &rules, double frame_scale, const outputs &out,
                     cudaStream_t stream)
{
    const neighbourhood_rules rule = rules_of(rules, points.n, frame_scale);
    choose_search<true>(targets, rule.k, [&](auto tag) {
        using search = decltype(tag);
        const auto kernel = kernel_for<typename search::list, search::leaving>(rules.degree);
        kernel<<<search_blocks(targets.m), search_threads, 0, stream>>>(points, targets, rule, out);
    });
}

/* Of each target, [m]; none where all have the same. */
block<double> find_powers(const points_view &points, const target_view &targets,
                          const shepard_rules &rules, cudaStream_t stream)
{
    if (!rules.adaptive)
        return {};
    const block<double> nearest2(targets.m, stream);
    block<double> powers(targets.m, stream);
    find_knn_stats(points, targets, rules,
                   {nearest2.get(), powers.get(), nullptr, nullptr, nullptr}, stream);
    return powers;
}

} // namespace

void predict_local(const points_view &points, const target_view &targets,
                   const shepard_rules &rules, double frame_scale, const outputs &out,
                   cudaStream_t stream)
{
    if (targets.m == 0)
        return;
    if (has_no_limit(rules.search))
        predict_within_radius(points, targets, rules, frame_scale,
                              find_powers(points, targets, rules, stream).get(), out, stream);
    else if (keeps_lists(rules, false))
        predict_from_lists(points, targets, rules, frame_scale,
                           find_powers(points, targets, rules, stream).get(), out, stream);
    else
        predict_nearest(points, targets, rules, frame_scale, out, stream);
    check_launch("predicting from neighbours");
}

/* ---- the points themselves ------------------------------------------------------------------- */

void find_nearest(const points_view &points, const target_view &targets, int k, double frame_scale,
                  std::uint32_t *indices, double *distances, cudaStream_t stream)
{
    if (targets.m == 0)
        return;
    const nearest_outputs out = {(int)std::min((std::uint32_t)k, points.n), k, frame_scale, indices,
                                 distances};
    choose_search<true>(targets, out.k, [&](auto tag) {
        using search = decltype(tag);
        const auto kernel =
            nearest_kernel<typename search::list, search::leaving, points_view, target_view>;
        kernel<<<search_blocks(targets.m), search_threads, 0, stream>>>(points, targets, out);
    });
    check_launch("finding nearest points");
}

} // namespace shepard
