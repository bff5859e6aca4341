/* SPDX-License-Identifier: MIT */
/* Sums as the papers' programs have them, for comparisons of like with like: a thread sums for one
 * target over all data, one after another in the kernel's precision; a tile is as long as the
 * block; weights come from a division and the CUDA library's pow. What the papers leave wrong is
 * corrected: targets at the place of data points, and sums that left the range, are left to fixup.
 * One value column. */
#ifndef SHEPARD_PAPERS_PLAIN_CUH
#define SHEPARD_PAPERS_PLAIN_CUH

#include "grid_search.cuh"
#include "kernel_data.cuh"
#include "powers.cuh"

#include <type_traits>

namespace shepard
{

/* ---- reading data ---------------------------------------------------------------------------- */

/* A tile in the layout of the data. */
template <class Real> struct plain_tile_of_arrays {
    Real x[block_threads], y[block_threads], z[block_threads];

    __device__ void set(std::uint32_t j, const packed_point<Real> &point)
    {
        x[j] = point.x;
        y[j] = point.y;
        z[j] = point.z;
    }
    __device__ packed_point<Real> point(std::uint32_t j) const { return {x[j], y[j], z[j], 0}; }
};

template <class Real> struct plain_tile_of_structures {
    packed_point<Real> points[block_threads];

    __device__ void set(std::uint32_t j, const packed_point<Real> &point) { points[j] = point; }
    __device__ packed_point<Real> point(std::uint32_t j) const { return points[j]; }
};

struct no_tile {
};

template <bool Tiled, bool Packed, class Real>
using plain_tile = std::conditional_t<
    !Tiled, no_tile,
    std::conditional_t<Packed, plain_tile_of_structures<Real>, plain_tile_of_arrays<Real>>>;

/* Calls work(point) for each data point in turn, from global memory. */
template <bool Packed, class Real, class Work>
__device__ inline void for_each_point(const kernel_data<Real, 1> &data, no_tile &, const Work &work)
{
    for (std::uint32_t i = 0; i < data.n; i++)
        work(read_point<Packed>(data, i));
}

/* The same from tiles that the threads of the block fill, a point each. */
template <bool Packed, class Real, class Tile, class Work>
__device__ inline void for_each_point(const kernel_data<Real, 1> &data, Tile &tile,
                                      const Work &work)
{
    for (std::uint32_t first = 0; first < data.n; first += block_threads) {
        const std::uint32_t count = smaller(block_threads, data.n - first);
        __syncthreads();
        if (threadIdx.x < count)
            tile.set(threadIdx.x, read_point<Packed>(data, first + threadIdx.x));
        __syncthreads();
        for (std::uint32_t j = 0; j < count; j++)
            work(tile.point(j));
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* A target while a thread sums for it; d^-alpha is made of squared distances. */
template <form F, class Real> struct plain_sums {
    Real x, y, alpha;
    Real w = 0, z = 0;

    __device__ void add(const packed_point<Real> &point)
    {
        const Real d2 = distance2(point.x, point.y, x, y);
        const Real power = F == form::square ? d2 : pow(d2, alpha / 2);
        const Real weight = 1 / power;
        w += weight;
        z += weight * point.z;
    }

    /* NaN and infinities fail too. */
    __device__ bool is_good() const
    {
        return alpha <= limits<Real>::alpha && w >= limits<Real>::total_low &&
               w <= limits<Real>::total_high;
    }
};

/* Sums for the target of this thread, own; by threads past the last one for the last one. */
template <form F, bool Packed, class Real, class Tile>
__device__ inline void plain_sum(const kernel_data<Real, 1> &data, const fixup_list &list,
                                 Tile &tile, std::uint32_t own, const packed_point<Real> &at,
                                 Real alpha)
{
    plain_sums<F, Real> sums = {at.x, at.y, alpha};
    for_each_point<Packed>(data, tile, [&](const packed_point<Real> &point) { sums.add(point); });
    if (own >= data.m)
        return;
    if (sums.is_good())
        write_mean<Packed>(data, 0, own, sums.z / sums.w);
    else
        fixup_later(list, own);
}

/* ---- kernels --------------------------------------------------------------------------------- */

template <form F, bool Tiled, bool Packed, class Real>
__global__ void __launch_bounds__(block_threads)
    plain_weigh(const __grid_constant__ kernel_data<Real, 1> data, const target_powers<Real> by,
                const fixup_list list)
{
    __shared__ plain_tile<Tiled, Packed, Real> tile;
    const std::uint32_t own = blockIdx.x * (std::uint32_t)block_threads + threadIdx.x;
    const std::uint32_t index = smaller(own, data.m - 1);
    const Real alpha = F == form::adaptive ? by.alphas[index] : by.alpha;
    plain_sum<F, Packed>(data, list, tile, own, read_target<Packed>(data, index), alpha);
}

/* AIDW of 2015, neighbours first. by.alphas: written, for fixup. */
template <bool Tiled, bool Packed, class Real, int K>
__global__ void __launch_bounds__(block_threads)
    plain_original(const __grid_constant__ kernel_data<Real, 1> data,
                   const __grid_constant__ adapt_table<Real> table, const target_powers<Real> by,
                   const fixup_list list)
{
    __shared__ plain_tile<Tiled, Packed, Real> tile;
    const std::uint32_t own = blockIdx.x * (std::uint32_t)block_threads + threadIdx.x;
    const packed_point<Real> at = read_target<Packed>(data, smaller(own, data.m - 1));
    nearest_list<Real, K> near(table.k);
    for_each_point<Packed>(data, tile, [&](const packed_point<Real> &point) {
        near.offer(distance2(point.x, point.y, at.x, at.y));
    });
    const Real alpha = shepard_adapt_power(&table, near.mean_distance(table.k));
    if (own < data.m)
        by.alphas[own] = alpha;
    plain_sum<form::adaptive, Packed>(data, list, tile, own, at, alpha);
}

} // namespace shepard

#endif
