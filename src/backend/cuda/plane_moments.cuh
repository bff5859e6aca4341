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

__device__ inline double scaled(double a, double b)
{
    return real_product(a, b);
}
__device__ inline complex_number scaled(double a, const complex_number &b)
{
    return {real_product(a, b.re), real_product(a, b.im)};
}
/* a b + c. */
__device__ inline double added(double a, double b, double c)
{
    return real_fma(a, b, c);
}
__device__ inline complex_number added(double a, const complex_number &b, const complex_number &c)
{
    return {real_fma(a, b.re, c.re), real_fma(a, b.im, c.im)};
}

__device__ inline complex_number product(const complex_number &a, const complex_number &b)
{
    return {real_fma(a.re, b.re, -real_product(a.im, b.im)),
            real_fma(a.re, b.im, real_product(a.im, b.re))};
}

/* a + b, and (a - b) / i. */
__device__ inline complex_number sum_of(const complex_number &a, const complex_number &b)
{
    return {a.re + b.re, a.im + b.im};
}
__device__ inline complex_number turned_difference(const complex_number &a, const complex_number &b)
{
    return {a.im - b.im, b.re - a.re};
}

/* Numbers of terms are made without halves: times this they are right, and the unit of lengths in
 * them is so many radii of the node. */
constexpr double number_factor = 0.5, number_length = 0.5;

/* A moment's numbers times factors of the real and the imaginary part. */
__device__ __forceinline__ complex_number moment_times(const double *own, double re, double im)
{
    return {re * own[0], im * own[1]};
}

/* A term's numbers for a charge: its moment, and those times x and y; with second times xx, xy and
 * yy, too. A moment mu_jk of Eq. 35 stands as twice its two parts, but mu_jj as itself; mu_kj is
 * the conjugate. No branches, as lanes raise different moments: for mu_jj the number behind it is
 * read, too, that of another moment, times 0. There is one, as orders are odd. */
__device__ __forceinline__ void raise(const double *moments, const term_pair &pair, bool second,
                                      complex_number *to)
{
    const int m = pair.m, degree = m + 2 * pair.k;
    const double *const own = moments + moment_at(degree, pair.k);
    const double *const next = own + degree + 1;  /* j + 1, k */
    const double *const high = next + degree + 2; /* j + 2, k */
    const double whole = m == 0 ? 2 : 1, turn = m == 0 ? 0 : 1;
    const complex_number along = {next[0], next[1]};
    const complex_number across = moment_times(next + (m > 0 ? 2 : 0), m == 1 ? 2 : 1,
                                               m > 1    ? 1
                                               : m == 1 ? 0
                                                        : -1);
    to[0] = moment_times(own, whole, turn);
    to[1] = sum_of(along, across);
    to[2] = turned_difference(along, across);
    if (!second)
        return;
    const complex_number both = moment_times(high + 2, whole, turn);
    const complex_number low = moment_times(high + 2 * min(m, 2), m == 2 ? 2 : 1,
                                            m > 2    ? 1
                                            : m == 2 ? 0
                                                     : -1);
    const complex_number ahead = {high[0], high[1]};
    to[3] = added(2, both, sum_of(ahead, low));
    to[4] = turned_difference(ahead, low);
    to[5] = {real_fma(4, both.re, -to[3].re), real_fma(4, both.im, -to[3].im)};
}

/* Of a node's centre from what is counted from, and the unit of lengths about the centre. */
struct offset_of_node {
    double a, c, unit;
};

/* Moves sums about the centre, or numbers that make them, to what it is counted from. */
template <class Number>
__device__ __forceinline__ void move_sums(const offset_of_node &by, Number (&of)[plane_sets])
{
    const double a = by.a, c = by.c, by2 = real_product(by.unit, by.unit);
    const Number x = scaled(by.unit, of[1]), y = scaled(by.unit, of[2]);
    const Number along = added(a, of[0], x), across = added(c, of[0], y);
    of[1] = along;
    of[2] = across;
    of[3] = added(a, added(1, x, along), scaled(by2, of[3]));
    of[4] = added(a, y, added(c, along, scaled(by2, of[4])));
    of[5] = added(c, added(1, y, across), scaled(by2, of[5]));
    of[7] = added(a, of[6], scaled(by.unit, of[7]));
    of[8] = added(c, of[6], scaled(by.unit, of[8]));
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
    raise(moments, pair, true, numbers.of);
    if (column)
        raise(moments + apart, pair, false, numbers.of + plane_of_weights);
    return numbers;
}

/* Begins to copy a node's moments of q and, with a column, of q z', `apart` numbers of each: a
 * warp.
 */
__device__ inline void fetch_moments(const all_points_job &job, const far_view<double> &far,
                                     std::uint32_t node, int apart, double *to)
{
    const double *const q = far.moments + (std::size_t)node * (unsigned)(far.charges * far.stride);
    const double *const z = q + (1 + job.column) * far.stride - apart;
    const int numbers = job.columns > 0 ? 2 * apart : apart;
    constexpr int most = 2 * moments_apart(plane_order + degrees_more);
#pragma unroll
    for (int first = 0; first < most; first += 64) {
        const int i = first + 2 * ((int)threadIdx.x % 32);
        if (i < numbers)
            __pipeline_memcpy_async(to + i, (i < apart ? q : z) + i, 16);
    }
}

} // namespace shepard

#endif
