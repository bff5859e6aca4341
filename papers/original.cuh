/* SPDX-License-Identifier: MIT */
/* AIDW of 2015 in one kernel: a thread finds its target's neighbours among all points by insertion,
 * then sums over all points. */
#ifndef SHEPARD_PAPERS_ORIGINAL_CUH
#define SHEPARD_PAPERS_ORIGINAL_CUH

#include "grid_search.cuh"
#include "weigh.cuh"

namespace shepard
{

template <class View, class Real, int K>
__device__ inline void offer_run(const View &view, std::uint32_t count, Real x, Real y,
                                 nearest_list<Real, K> &list)
{
#pragma unroll 4
    for (std::uint32_t j = 0; j < count; j++) {
        const packed_point<Real> point = view.point(j);
        list.offer(distance2(point.x, point.y, x, y));
    }
}

/* by.alphas: written, for fixup. */
template <bool Tiled, bool Packed, class Real, int C, int K>
__global__ void __launch_bounds__(block_threads, blocks_held<Real, C>)
    original(const __grid_constant__ kernel_data<Real, C> data,
             const __grid_constant__ adapt_table<Real> table, const target_powers<Real> by,
             const fixup_list list)
{
    __shared__ tile_memory<Real, C, Tiled> tile;
    const std::uint32_t own = blockIdx.x * (std::uint32_t)block_threads + threadIdx.x;
    const std::uint32_t index = smaller(own, data.m - 1);
    summand<Real, C> targets[1];
    const packed_point<Real> at = read_target<Packed>(data, index);
    targets[0].x = at.x;
    targets[0].y = at.y;
    found_weight_function<Real> found;
    {
        nearest_list<Real, K> near(table.k);
        for_each_run<Tiled, Packed>(data, {0, data.n}, tile.view(),
                                    [&](const auto &view, std::uint32_t count) {
                                        offer_run(view, count, targets[0].x, targets[0].y, near);
                                    });
        found = adapt_to(table, near);
    }
    targets[0].by = weight_function_of(found.alpha, found.shift);
    for_each_run<Tiled, Packed>(
        data, {0, data.n}, tile.view(), [&](const auto &view, std::uint32_t count) {
            add_run<form::adaptive, polynomials_in<form::adaptive, Tiled, Real>>(view, count,
                                                                                 targets);
        });
    if (own < data.m) {
        by.alphas[own] = found.alpha;
        finish<Packed>(data, list, targets[0], own, found.good);
    }
}

} // namespace shepard

#endif
