/* SPDX-License-Identifier: MIT */
/* Kernels that sum: IDW, and AIDW whose powers are there already. T targets a thread share what is
 * read of a point. */
#ifndef SHEPARD_PAPERS_WEIGH_CUH
#define SHEPARD_PAPERS_WEIGH_CUH

#include "brute_sums.cuh"
#include "powers.cuh"

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

/* The weight function of a target, from the arrays or the one for all. */
template <form F, class Real>
__device__ inline weight_function<Real> weight_function_at(const target_powers<Real> &by,
                                                           std::uint32_t target, bool &good)
{
    good = by.alpha <= limits<Real>::alpha;
    if (F != form::adaptive)
        return weight_function_of(by.alpha, Real(0));
    const Real shift = by.shifts[target];
    good = isfinite(shift);
    return weight_function_of(by.alphas[target], good ? shift : Real(0));
}

/* The data in parts, whose sums other blocks make and `join` adds: with few long blocks some
 * multiprocessors would wait for the others at the end. */
template <class Real> struct division {
    Real *sums;           /* [parts, C + 1, m]; NULL with one part */
    std::uint32_t length; /* of a part, points */
    std::uint32_t parts;
};

template <class Real, int C>
__device__ inline Real *sums_of_part(const division<Real> &division, std::uint32_t part,
                                     std::uint32_t m)
{
    return division.sums + (std::size_t)part * (C + 1) * m;
}

/* The sum of weights is not a number where a part cannot be used: then fixup computes the target
 * again. */
template <class Real, int C>
__device__ inline void leave_part(const division<Real> &division, const kernel_data<Real, C> &data,
                                  const summand<Real, C> &target, std::uint32_t index, bool good)
{
    Real *to = sums_of_part<Real, C>(division, blockIdx.y, data.m);
    target.total.store(to, data.m, index);
    if (!good || !target.check.is_good())
        to[index] = Real(NAN);
}

template <bool Packed, class Real, int C>
__device__ inline void join_target(const kernel_data<Real, C> &data, const division<Real> &division,
                                   const fixup_list &list)
{
    const std::uint32_t index = blockIdx.x * (std::uint32_t)block_threads + threadIdx.x;
    if (index >= data.m)
        return;
    target_sums<Real, C> total;
    for (std::uint32_t part = 0; part < division.parts; part++)
        total.load(sums_of_part<Real, C>(division, part, data.m), data.m, index);
    if (total.is_good())
        total.template write<Packed>(data, index);
    else
        fixup_later(list, index);
}

template <bool Packed, class Real, int C>
__global__ void __launch_bounds__(block_threads)
    join(const kernel_data<Real, C> data, const division<Real> division, const fixup_list list)
{
    join_target<Packed>(data, division, list);
}

template <form F, bool Packed, int T, bool Tiled, class Real, int C>
__device__ inline void weigh_targets(const kernel_data<Real, C> &data,
                                     const target_powers<Real> &by, const division<Real> &division,
                                     const fixup_list &list, tile_memory<Real, C, Tiled> &tile)
{
    const std::uint32_t base = blockIdx.x * (std::uint32_t)(block_threads * T) + threadIdx.x;
    summand<Real, C> targets[T];
    bool good[T];
#pragma unroll
    for (int t = 0; t < T; t++) {
        const std::uint32_t index = smaller(base + t * block_threads, data.m - 1);
        const packed_point<Real> at = read_target<Packed>(data, index);
        targets[t].x = at.x;
        targets[t].y = at.y;
        targets[t].by = weight_function_at<F>(by, index, good[t]);
    }
    const std::uint32_t first = blockIdx.y * division.length;
    const data_span part = {first, smaller(division.length, data.n - first) + first};
    for_each_run<Tiled, Packed>(
        data, part, tile.view(), [&](const auto &view, std::uint32_t count) {
            add_run<F, polynomials_in<F, Tiled, Real>>(view, count, targets);
        });
#pragma unroll
    for (int t = 0; t < T; t++) {
        const std::uint32_t index = base + t * block_threads;
        if (index >= data.m)
            continue;
        if (division.parts > 1)
            leave_part(division, data, targets[t], index, good[t]);
        else
            finish<Packed>(data, list, targets[t], index, good[t]);
    }
}

template <form F, bool Tiled, bool Packed, class Real, int C, int T>
__global__ void __launch_bounds__(block_threads, blocks_held<Real, C>)
    weigh(const __grid_constant__ kernel_data<Real, C> data, const target_powers<Real> by,
          const division<Real> division, const fixup_list list)
{
    __shared__ tile_memory<Real, C, Tiled> tile;
    weigh_targets<F, Packed, T>(data, by, division, list, tile);
}

/* ---- separate sets, in the third dimension of the grid, joined in the second ---- */

template <class Real>
__device__ inline division<Real> division_of_set(division<Real> division, std::uint32_t m,
                                                 std::uint32_t set)
{
    if (division.parts > 1)
        division.sums = sums_of_part<Real, 1>(division, set * division.parts, m);
    return division;
}

template <bool Tiled, class Real, int T>
__global__ void __launch_bounds__(block_threads)
    weigh_sets(const kernel_data<Real, 1> all, const target_powers<Real> by,
               const division<Real> division, const fixup_list list)
{
    __shared__ tile_memory<Real, 1, Tiled> tile;
    weigh_targets<form::square, false, T>(data_of_set(all, blockIdx.z), by,
                                          division_of_set(division, all.m, blockIdx.z),
                                          list_of_set(list, all.m, blockIdx.z), tile);
}

template <class Real>
__global__ void __launch_bounds__(block_threads)
    join_sets(const kernel_data<Real, 1> all, const division<Real> division, const fixup_list list)
{
    join_target<false>(data_of_set(all, blockIdx.y), division_of_set(division, all.m, blockIdx.y),
                       list_of_set(list, all.m, blockIdx.y));
}

} // namespace shepard

#endif
