/* SPDX-License-Identifier: MIT */
/* The points of neighbourhoods of places with three coordinates. */
#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/neighbour_lists_kernels.cuh"
#include "cuda/check.cuh"

namespace shepard
{

neighbour_lists::neighbour_lists(const space_points_view &points, const space_target_view &targets,
                                 const shepard_search &search, cudaStream_t stream)
    : neighbour_lists(targets.m, list_places(search, points.n), stream)
{
    const list_rules rule = list_rules_of(search, points.n);
    if (m_ == 0)
        return;
    if (!is_by_sector(search))
        choose_search_in_space<neighbours_max>(targets, rule.each, [&](auto tag) {
            using found = decltype(tag);
            const auto kernel = list_nearest_kernel<typename found::list, found::leaving,
                                                    space_points_view, space_target_view>;
            kernel<<<search_blocks(m_), search_threads, 0, stream>>>(points, targets, rule, view());
        });
    else if (search.sectors == 8)
        find_by_sector<8>(points, targets, rule, view(), stream);
    else
        find_by_sector<4>(points, targets, rule, view(), stream);
    check_launch("finding the points of neighbourhoods");
}

} // namespace shepard
