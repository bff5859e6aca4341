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
    find_points(points, targets, search, view(), stream);
}

} // namespace shepard
