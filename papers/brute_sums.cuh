/* SPDX-License-Identifier: MIT */
/* Sums of weights, and of weights times values, over the data. */
#ifndef SHEPARD_PAPERS_BRUTE_SUMS_CUH
#define SHEPARD_PAPERS_BRUTE_SUMS_CUH

#include "kernel_data.cuh"
#include "weight_function.cuh"

namespace shepard
{

/* Of each group of pairs in the tiled float kernels, so many take exp2 from the polynomial. More
 * load the ordinary units, fewer the special-function units. */
constexpr int pair_group = 8;
#ifndef SHEPARD_PAPER_POLYNOMIALS
#define SHEPARD_PAPER_POLYNOMIALS 3
#endif
constexpr int polynomials_of_group = SHEPARD_PAPER_POLYNOMIALS;

/* A sum with the rounding errors of its additions (two-sum), which add up in low. */
template <class Real> struct exact_sum {
    Real high = 0, low = 0;

    __device__ void add(Real a)
    {
        const Real sum = real_sum(high, a);
        const Real part = real_sum(sum, -high);
        const Real error = real_sum(real_sum(high, -real_sum(sum, -part)), real_sum(a, -part));
        high = sum;
        low = real_sum(low, error);
    }
    __device__ Real get() const { return real_sum(high, low); }
};

template <class Real, int C> struct partial_sums {
    Real w = 0;
    Real z[C] = {};

    __device__ void add(Real weight, const packed_point<Real> &point)
    {
        static_assert(C == 1, "a point has one value");
        w = real_sum(w, weight);
        z[0] = real_fma(weight, point.z, z[0]);
    }
    __device__ void add(Real weight, const value_row<Real, C> &row)
    {
        w = real_sum(w, weight);
#pragma unroll
        for (int c = 0; c < C; c++)
            z[c] = real_fma(weight, row.z[c], z[c]);
    }
};

template <class Real, int C> struct target_sums {
    exact_sum<Real> w;
    exact_sum<Real> z[C];

    __device__ void add(const partial_sums<Real, C> &part)
    {
        w.add(part.w);
#pragma unroll
        for (int c = 0; c < C; c++)
            z[c].add(part.z[c]);
    }

    /* NaN and infinities fail too. */
    __device__ bool is_good() const
    {
        const Real total = w.get();
        return total >= limits<Real>::total_low && total <= limits<Real>::total_high;
    }

    /* The sums as numbers, shape [C + 1, m] from `to` on. */
    __device__ void store(Real *to, std::uint32_t m, std::uint32_t target) const
    {
        to[target] = w.get();
#pragma unroll
        for (int c = 0; c < C; c++)
            to[(std::size_t)(c + 1) * m + target] = z[c].get();
    }
    __device__ void load(const Real *from, std::uint32_t m, std::uint32_t target)
    {
        w.add(from[target]);
#pragma unroll
        for (int c = 0; c < C; c++)
            z[c].add(from[(std::size_t)(c + 1) * m + target]);
    }

    template <bool Packed>
    __device__ void write(const kernel_data<Real, C> &to, std::uint32_t target) const
    {
        const Real inverse = reciprocal(w.get());
#pragma unroll
        for (int c = 0; c < C; c++)
            write_mean<Packed>(to, c, target, z[c].get() * inverse);
    }
};

/* A target while a thread sums for it. */
template <class Real, int C> struct summand {
    Real x, y;
    weight_function<Real> by;
    range_check<Real> check;
    partial_sums<Real, C> part;
    target_sums<Real, C> total;
};

template <form F, bool Polynomial, class Real, int C, class View>
__device__ inline void add_pair(const View &view, std::uint32_t j, const packed_point<Real> &point,
                                summand<Real, C> &target)
{
    const Real d2 = distance2(point.x, point.y, target.x, target.y);
    if (F != form::square)
        target.check.see(d2);
    const Real w = weight<F, Polynomial>(target.by, d2);
    if constexpr (C == 1)
        target.part.add(w, point);
    else
        target.part.add(w, view.row(j));
}

/* Two pairs of the square form in float by one reciprocal, 1/a + 1/b = (a + b) / (a b): the
 * special-function units make one number where they made two. A product that leaves the range of
 * float makes a sum that fixup computes again. */
template <int C, class View>
__device__ inline void add_two(const View &view, std::uint32_t j, const packed_point<float> &a,
                               const packed_point<float> &b, summand<float, C> &target)
{
    const float a2 = distance2(a.x, a.y, target.x, target.y);
    const float b2 = distance2(b.x, b.y, target.x, target.y);
    const float inverse = reciprocal(__fmul_rn(a2, b2));
    if constexpr (C == 1) {
        target.part.w = real_fma(inverse, real_sum(a2, b2), target.part.w);
        target.part.z[0] =
            real_fma(inverse, real_fma(a.z, b2, __fmul_rn(b.z, a2)), target.part.z[0]);
    } else {
        target.part.add(inverse * b2, view.row(j));
        target.part.add(inverse * a2, view.row(j + 1));
    }
}

template <int C, int T, class View>
__device__ inline void add_group_by_twos(const View &view, std::uint32_t first,
                                         summand<float, C> (&targets)[T])
{
#pragma unroll
    for (int j = 0; j < pair_group; j += 2) {
        const packed_point<float> a = view.point(first + j), b = view.point(first + j + 1);
#pragma unroll
        for (int t = 0; t < T; t++)
            add_two(view, first + j, a, b, targets[t]);
    }
}

template <form F, int Polynomials, class Real, int C, int T, class View>
__device__ inline void add_group(const View &view, std::uint32_t first,
                                 summand<Real, C> (&targets)[T])
{
#pragma unroll
    for (int j = 0; j < pair_group; j++) {
        const packed_point<Real> point = view.point(first + j);
#pragma unroll
        for (int t = 0; t < T; t++) {
            if ((j * T + t) * Polynomials % pair_group < Polynomials)
                add_pair<F, true>(view, first + j, point, targets[t]);
            else
                add_pair<F, false>(view, first + j, point, targets[t]);
        }
    }
}

/* Adds count points to each target, one partial sum. */
template <form F, int Polynomials, class Real, int C, int T, class View>
__device__ inline void add_run(const View &view, std::uint32_t count,
                               summand<Real, C> (&targets)[T])
{
#pragma unroll
    for (int t = 0; t < T; t++)
        targets[t].part = {};
    std::uint32_t j = 0;
#pragma unroll 1
    for (; j + pair_group <= count; j += pair_group) {
        if constexpr (F == form::square && sizeof(Real) == sizeof(float))
            add_group_by_twos(view, j, targets);
        else
            add_group<F, Polynomials>(view, j, targets);
    }
#pragma unroll 1
    for (; j < count; j++) {
        const packed_point<Real> point = view.point(j);
#pragma unroll
        for (int t = 0; t < T; t++)
            add_pair<F, false>(view, j, point, targets[t]);
    }
#pragma unroll
    for (int t = 0; t < T; t++)
        targets[t].total.add(targets[t].part);
}

/* Writes a target's means, or leaves it to fixup. */
template <bool Packed, class Real, int C>
__device__ inline void finish(const kernel_data<Real, C> &to, const fixup_list &list,
                              const summand<Real, C> &target, std::uint32_t index, bool good)
{
    if (good && target.check.is_good() && target.total.is_good())
        target.total.template write<Packed>(to, index);
    else
        fixup_later(list, index);
}

} // namespace shepard

#endif
