/* SPDX-License-Identifier: MIT */
/* Neighbourhoods of places with three coordinates. */
#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/neighbourhood.cuh"
#include "backend/cuda/neighbourhood_kernels.cuh"
#include "cuda/check.cuh"

namespace shepard
{

namespace
{

/* As choose_search; few lists: each is the code of two searches once more. */
template <class Launch>
void choose_search_in_space(const target_view &targets, int k, const Launch &launch)
{
    if (targets.left_out != nullptr)
        choose_leaving_search<neighbours_max>(k, launch);
    else if (k <= 1)
        launch(search_tag<lone_list<true>, false>());
    else if (k <= 12)
        launch(search_tag<slot_list<12 + spare_places, true>, false>());
    else if (k <= 24)
        launch(search_tag<slot_list<24 + spare_places, true>, false>());
    else
        launch(search_tag<heap_list<neighbours_max, true>, false>());
}

} // namespace

void predict_local(const space_points_view &points, const space_target_view &targets,
                   const shepard_rules &rules, double frame_scale, const outputs &out,
                   cudaStream_t stream)
{
    if (targets.m == 0)
        return;
    const neighbourhood_rules rule = rules_of(rules, points.n, frame_scale);
    choose_search_in_space(targets, rule.k, [&](auto tag) {
        using search = decltype(tag);
        const auto kernel = predict_kernel<typename search::list, false, search::leaving,
                                           space_points_view, space_target_view>;
        kernel<<<search_blocks(targets.m), search_threads, 0, stream>>>(points, targets, rule, out);
    });
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
    choose_search_in_space(targets, out.k, [&](auto tag) {
        using search = decltype(tag);
        const auto kernel = nearest_kernel<typename search::list, search::leaving,
                                           space_points_view, space_target_view>;
        kernel<<<search_blocks(targets.m), search_threads, 0, stream>>>(points, targets, out);
    });
    check_launch("finding nearest points");
}

} // namespace shepard
