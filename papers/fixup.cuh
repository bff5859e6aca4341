/* SPDX-License-Identifier: MIT */
/* Sums with care, for the few targets that a plain sum fails: a block for each. Weights are
 * relative to the nearest point before any logarithm, each addition is compensated; at the place of
 * data points their mean is the answer. */
#ifndef SHEPARD_PAPERS_FIXUP_CUH
#define SHEPARD_PAPERS_FIXUP_CUH

#include "brute_sums.cuh"
#include "powers.cuh"

namespace shepard
{

template <class Real> struct fixup_space {
    Real values[block_threads];
};

template <class Real, class Join>
__device__ inline Real join_block(fixup_space<Real> &space, Real mine, const Join &join)
{
    __syncthreads();
    space.values[threadIdx.x] = mine;
    for (int half = block_threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            space.values[threadIdx.x] =
                join(space.values[threadIdx.x], space.values[threadIdx.x + half]);
    }
    __syncthreads();
    return space.values[0];
}

template <bool Packed, class Real, int C>
__device__ inline Real nearest_of_block(const kernel_data<Real, C> &data, fixup_space<Real> &space,
                                        Real x, Real y)
{
    Real nearest2 = INFINITY;
    for (std::uint32_t i = threadIdx.x; i < data.n; i += block_threads) {
        const packed_point<Real> point = read_point<Packed>(data, i);
        const Real d2 = distance2(point.x, point.y, x, y);
        nearest2 = d2 < nearest2 ? d2 : nearest2;
    }
    return join_block(space, nearest2, [](Real a, Real b) { return a < b ? a : b; });
}

/* (nearest / d)^alpha; 0^0 does not come up. */
template <class Real> __device__ inline Real careful_weight(Real alpha, Real nearest2, Real d2)
{
    if (nearest2 == 0)
        return d2 == 0 ? Real(1) : Real(0);
    return exp2(alpha * Real(0.5) * log2(nearest2 / d2));
}

template <bool Packed, class Real, int C>
__device__ inline void fixup_target(const kernel_data<Real, C> &data, fixup_space<Real> &space,
                                    Real alpha, std::uint32_t target)
{
    const packed_point<Real> at = read_target<Packed>(data, target);
    const Real nearest2 = nearest_of_block<Packed>(data, space, at.x, at.y);
    target_sums<Real, C> total;
    for (std::uint32_t i = threadIdx.x; i < data.n; i += block_threads) {
        const packed_point<Real> point = read_point<Packed>(data, i);
        const Real d2 = distance2(point.x, point.y, at.x, at.y);
        partial_sums<Real, C> part;
        const Real w = careful_weight(alpha, nearest2, d2);
        if constexpr (C == 1)
            part.add(w, point);
        else
            part.add(w, data.rows[i]);
        total.add(part);
    }
    const auto add = [](Real a, Real b) { return a + b; };
    const Real w = join_block(space, total.w.get(), add);
    for (int c = 0; c < C; c++) {
        const Real z = join_block(space, total.z[c].get(), add);
        if (threadIdx.x == 0)
            write_mean<Packed>(data, c, target, z / w);
    }
}

template <bool Packed, class Real, int C>
__device__ inline void fixup_listed(const kernel_data<Real, C> &data, const target_powers<Real> &by,
                                    const fixup_list &list)
{
    __shared__ fixup_space<Real> space;
    for (unsigned i = blockIdx.x; i < *list.count; i += gridDim.x) {
        const std::uint32_t target = list.targets[i];
        const Real alpha = by.alphas != nullptr ? by.alphas[target] : by.alpha;
        fixup_target<Packed>(data, space, alpha, target);
    }
}

template <bool Packed, class Real, int C>
__global__ void __launch_bounds__(block_threads)
    fixup(const __grid_constant__ kernel_data<Real, C> data, const target_powers<Real> by,
          const fixup_list list)
{
    fixup_listed<Packed>(data, by, list);
}

/* Separate sets, in the second dimension of the grid, of one power. */
template <class Real>
__global__ void __launch_bounds__(block_threads)
    fixup_sets(const kernel_data<Real, 1> all, const target_powers<Real> by, const fixup_list list)
{
    fixup_listed<false>(data_of_set(all, blockIdx.y), by, list_of_set(list, all.m, blockIdx.y));
}

} // namespace shepard

#endif
