/* SPDX-License-Identifier: MIT */
/* What sums of planes take of a node: its moments times x and y (Eq. 35 of docs/math.md). */
#ifndef SHEPARD_BACKEND_CUDA_PLANE_MOMENTS_CUH
#define SHEPARD_BACKEND_CUDA_PLANE_MOMENTS_CUH

#include "backend/cuda/plane_terms.cuh"
#include "backend/cuda/sums.cuh"

namespace shepard
{

struct term_pair {
    int m, k;
};

__device__ inline term_pair pair_of(int number)
{
    int degree = 0;
    while (pair_number(degree + 1, 0) <= number)
        degree++;
    const int k = number - pair_number(degree, 0);
    return {degree - 2 * k, k};
}

struct complex_number {
    double re, im;
};

/* mu_jk of Eq. 35. */
__device__ inline complex_number moment_of(const double *moments, int j, int k)
{
    const int least = min(j, k), m = abs(j - k);
    const double *const own = moments + moment_at(j + k, least);
    if (m == 0)
        return {own[0], 0};
    return {own[0] / 2, j > k ? own[1] / 2 : -own[1] / 2};
}

/* Half of a + b, and of (a - b) / i. */
__device__ inline complex_number half_sum(const complex_number &a, const complex_number &b)
{
    return {(a.re + b.re) / 2, (a.im + b.im) / 2};
}
__device__ inline complex_number half_turned(const complex_number &a, const complex_number &b)
{
    return {(a.im - b.im) / 2, (b.re - a.re) / 2};
}

/* A term's numbers for a charge: its moment, and those times x and y; with second times xx, xy and
 * yy, too. */
__device__ __forceinline__ void raise(const double *moments, int m, int k, bool second,
                                      complex_number *to)
{
    const int j = m + k;
    const complex_number along = moment_of(moments, j + 1, k);
    const complex_number across = moment_of(moments, j, k + 1);
    to[0] = moment_of(moments, j, k);
    to[1] = half_sum(along, across);
    to[2] = half_turned(along, across);
    if (!second)
        return;
    const complex_number both = moment_of(moments, j + 1, k + 1);
    const complex_number high = moment_of(moments, j + 2, k), low = moment_of(moments, j, k + 2);
    const complex_number xx = half_sum(half_sum(high, low), both);
    const complex_number xy = half_turned(high, low);
    to[3] = xx;
    to[4] = {xy.re / 2, xy.im / 2};
    to[5] = {both.re - xx.re, both.im - xx.im};
}

/* A term's numbers for all sets. */
struct term_numbers {
    complex_number of[plane_sets];
};

/* moments: of q, then, with a column, of q z', `apart` numbers further. */
__device__ __forceinline__ term_numbers numbers_of(const double *moments, int apart, bool column,
                                                   const term_pair &pair)
{
    term_numbers numbers = {};
    raise(moments, pair.m, pair.k, true, numbers.of);
    if (column)
        raise(moments + apart, pair.m, pair.k, false, numbers.of + plane_of_weights);
    return numbers;
}

/* Begins to copy a node's moments, up to `apart` numbers of each charge: a warp. */
__device__ inline void fetch_moments(const all_points_job &job, const far_view<double> &far,
                                     std::uint32_t node, int apart, double *to)
{
    const double *const all =
        far.moments + (std::size_t)node * (unsigned)(far.charges * far.stride);
    for (int charge = 0; charge <= job.columns; charge++) {
        const int from = charge == 0 ? 0 : job.column + charge;
        for (int i = 2 * ((int)threadIdx.x % 32); i < apart; i += 64)
            __pipeline_memcpy_async(to + charge * apart + i, all + from * far.stride + i, 16);
    }
}

} // namespace shepard

#endif
