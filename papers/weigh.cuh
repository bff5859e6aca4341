/* SPDX-License-Identifier: MIT */
/* Kernels that sum: IDW, and AIDW whose powers are there already. T targets a thread share what is
 * read of a point. */
#ifndef SHEPARD_PAPERS_WEIGH_CUH
#define SHEPARD_PAPERS_WEIGH_CUH

#include "powers.cuh"
#include "sums.cuh"

namespace shepard
{

template <form F, bool Tiled, class Real>
constexpr int polynomials_in = Tiled && sizeof(Real) == 4 && F != form::square
                                   ? polynomials_of_group
                                   : 0;

/* Shared memory of a block's tile; none where the kernel reads global memory. */
template <class Real, int C, bool Tiled> struct tile_memory {
    packed_point<Real> points[Tiled ? tile_points : 1];
    value_row<Real, C> rows[Tiled && C > 1 ? tile_points : 1];

    __device__ tile_view<Real, C> view() { return {points, rows}; }
};

/* The law of a target, from the arrays or the one for all. */
template <form F, class Real>
__device__ inline law<Real> law_at(const powers<Real> &by, std::uint32_t target, bool &good)
{
    good = by.alpha <= limits<Real>::alpha;
    if (F != form::adaptive)
        return law_of(by.alpha, Real(0));
    const Real shift = by.shifts[target];
    good = isfinite(shift);
    return law_of(by.alphas[target], good ? shift : Real(0));
}

template <form F, bool Tiled, bool Packed, class Real, int C, int T>
__global__ void __launch_bounds__(block_threads, blocks_held<Real, C>)
    weigh(const __grid_constant__ scene<Real, C> data, const powers<Real> by, const mend_list list)
{
    __shared__ tile_memory<Real, C, Tiled> tile;
    const std::uint32_t base = blockIdx.x * (std::uint32_t)(block_threads * T) + threadIdx.x;
    summand<Real, C> targets[T];
    bool good[T];
#pragma unroll
    for (int t = 0; t < T; t++) {
        const std::uint32_t index = smaller(base + t * block_threads, data.m - 1);
        targets[t].x = data.target_x[index];
        targets[t].y = data.target_y[index];
        targets[t].by = law_at<F>(by, index, good[t]);
    }
    for_each_run<Tiled, Packed>(data, tile.view(), [&](const auto &view, std::uint32_t count) {
        add_run<F, polynomials_in<F, Tiled, Real>>(view, count, targets);
    });
#pragma unroll
    for (int t = 0; t < T; t++) {
        const std::uint32_t index = base + t * block_threads;
        if (index < data.m)
            finish(data, list, targets[t], index, good[t]);
    }
}

} // namespace shepard

#endif
