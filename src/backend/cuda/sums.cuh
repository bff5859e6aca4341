/* SPDX-License-Identifier: MIT */
/* Weighted sums at targets, one a lane or shared by some: over leaves, point by point, and over
 * nodes, by expansions (Eq. 26 and 27 of docs/math.md). */
#ifndef SHEPARD_BACKEND_CUDA_SUMS_CUH
#define SHEPARD_BACKEND_CUDA_SUMS_CUH

#include "backend/cuda/all_points.cuh"
#include "backend/cuda/pair_weights.cuh"
#include "core/rising.h"
#include "cuda/launch.cuh"

#include <cuda_pipeline.h>

namespace shepard
{

/* What is summed now and next: ready in shared memory or on its way there. */
constexpr int copies = 2;

/* Points in shared memory, in rows, for all lanes to read; lanes that read different rows at once
 * do so from different banks. */
constexpr int staged_rows = 8, row_points = 16;
constexpr int row_pitch = row_points + 1;

template <class Real, int Columns, class Spot = spot<Real>> struct ready_points {
    Spot at[staged_rows * row_pitch];
    Real charge[staged_rows * row_pitch][1 + Columns]; /* q and q z' */
};

/* Each thread makes ready what it copied itself. */
template <class Real, int Columns, class Spot = spot<Real>> struct point_stage {
    using spot_type = Spot;
    static constexpr int count = staged_rows * row_points;
    static constexpr int height = 3 + Columns; /* the row of the third coordinate */
    static constexpr int rows = 1 + Columns + coordinates_of<Spot>;
    double raw[rows][count];             /* x, y, q, z' and the third, as they are copied */
    std::uint32_t number[copies][count]; /* of listed points that are copied next */
    ready_points<Real, Columns, Spot> ready[copies];
};

/* Sums in double of sums of Real. Those of double keep what their roundings lose [Knuth97]. */
template <class Real> struct running_sum;

template <> struct running_sum<float> {
    double sum = 0;

    __device__ void add(float a) { sum += (double)a; }
    __device__ double total() const { return sum; }
};

template <> struct running_sum<double> {
    double sum = 0, lost = 0;

    __device__ void add(double a)
    {
        const double next = __dadd_rn(sum, a), part = __dsub_rn(next, sum);
        lost =
            __dadd_rn(lost, __dadd_rn(__dsub_rn(sum, __dsub_rn(next, part)), __dsub_rn(a, part)));
        sum = next;
    }
    __device__ double total() const { return sum + lost; }
};

/* What is summed comes in pieces, nodes or piece_points points of a row; pieces are added in order
 * to parts, part_pieces each, and parts by a tree, first those farthest apart: the same bits
 * whether one lane adds all, or neighbouring lanes parts in turn or a piece each. */
constexpr int part_pieces = 4;
constexpr int piece_points = row_points / part_pieces;

/* Of a part or piece. */
template <class Real, int Columns> struct part_sums {
    Real w, z[Columns];

    __device__ __forceinline__ void add(const part_sums &other)
    {
        w = real_sum(w, other.w);
#pragma unroll
        for (int c = 0; c < Columns; c++)
            z[c] = real_sum(z[c], other.z[c]);
    }
    /* Of part_pieces lanes, in order. */
    __device__ __forceinline__ void gather()
    {
        const int first = (int)threadIdx.x / part_pieces * part_pieces % 32;
        part_sums all = from(first);
#pragma unroll
        for (int i = 1; i < part_pieces; i++)
            all.add(from(first + i));
        *this = all;
    }
    __device__ __forceinline__ void add_from(unsigned lanes_apart)
    {
        add(from((int)(threadIdx.x % 32 ^ lanes_apart)));
    }

  private:
    __device__ __forceinline__ part_sums from(int lane) const
    {
        part_sums other;
        other.w = __shfl_sync(whole_warp, w, lane);
#pragma unroll
        for (int c = 0; c < Columns; c++)
            other.z[c] = __shfl_sync(whole_warp, z[c], lane);
        return other;
    }
};

template <class Real, int Columns> struct lane_sums {
    running_sum<Real> w, z[Columns];

    __device__ __forceinline__ void add(const part_sums<Real, Columns> &part)
    {
        w.add(part.w);
#pragma unroll
        for (int c = 0; c < Columns; c++)
            z[c].add(part.z[c]);
    }
};

/* A sum of at most Parts parts, a power of two: first of those Parts / 2 apart, at last of those
 * next to each other. Missing ones are 0. */
template <int Parts, class Part> class tree_sum
{
  public:
    /* The next of a lane's parts, which are as far apart as lanes share a target. */
    __device__ __forceinline__ void add(const Part &one)
    {
        Part sum = kept_[0];
        sum.add(one);
#pragma unroll
        for (int i = 0; i < count - 1; i++)
            kept_[i] = kept_[i + 1];
        kept_[count - 1] = sum;
    }
    /* With what lanes have added that are `apart` or multiples of that apart, up to `sharing`. */
    __device__ __forceinline__ Part total(int apart, int sharing)
    {
#pragma unroll
        for (int half = count / 2; half > 0; half /= 2)
#pragma unroll
            for (int i = 0; i < half; i++)
                kept_[i].add(kept_[i + half]);
#pragma unroll 1
        for (int far = sharing / 2; far >= apart; far /= 2)
            kept_[0].add_from((unsigned)far);
        return kept_[0];
    }

  private:
    static constexpr int count = Parts / 2;
    static_assert(count == 1 || count == 2 || count == 4, "a tree of other levels");

    Part kept_[count] = {}; /* in a ring: pairs are the same from wherever it begins */
};

/* ---- points ---------------------------------------------------------------------------------- */

/* Begins to copy a point to a place of the stage; one that is not there has no charge. */
template <class Job, class Stage>
__device__ __forceinline__ void fetch_point(const Job &job, std::uint32_t point, bool there,
                                            int place, Stage &to)
{
    const auto copy = [&](int row, const double *from) {
        __pipeline_memcpy_async(&to.raw[row][place], from, sizeof(double));
    };
    copy(0, job.points.x + point);
    copy(1, job.points.y + point);
    if constexpr (Stage::rows > Stage::height)
        copy(Stage::height, job.points.z + point);
    if (there && job.points.weights != nullptr)
        copy(2, job.points.weights + point);
    else
        to.raw[2][place] = there ? 1 : 0;
    for (int c = 0; c < job.columns && !job.squares; c++)
        copy(3 + c, job.points.values + (std::size_t)(job.column + c) * job.points.n + point);
}

template <class Stage>
__device__ __forceinline__ plane_place raw_place(const Stage &points, int number,
                                                 const points_view &)
{
    return {points.raw[0][number], points.raw[1][number]};
}

template <class Stage>
__device__ __forceinline__ space_place raw_place(const Stage &points, int number,
                                                 const space_points_view &)
{
    return {{points.raw[0][number], points.raw[1][number]}, points.raw[Stage::height][number]};
}

/* Makes ready what was copied. */
template <class Job, class Real, int Columns, class Spot>
__device__ __forceinline__ void prepare_point(const Job &job, const anchor &from, int number,
                                              int turn, point_stage<Real, Columns, Spot> &points)
{
    const int place = number / row_points * row_pitch + number % row_points;
    const auto &raw = points.raw;
    ready_points<Real, Columns, Spot> &to = points.ready[turn];
    const double q = job.squares ? raw[2][number] * raw[2][number] : raw[2][number];
    to.at[place] =
        spot_of(from, job.points, raw_place(points, number, job.points), (const Spot *)nullptr);
    to.charge[place][0] = (Real)q;
    for (int c = 0; c < Columns; c++) {
        double z = 0;
        if (c < job.columns && !job.squares) {
            const int column = job.column + c;
            const double scale = job.points.scale[column];
            z = raw[3 + c][number] * scale - job.points.middle[column] * scale;
            z = job.spread ? z * z : z;
        }
        to.charge[place][1 + c] = (Real)(job.centre != nullptr ? z : q * z);
    }
}

/* A piece of a row, from place `first` on. Others: without points at the target's place. */
template <bool Form2, bool Others, class Real, int Columns, class Spot>
__device__ __forceinline__ part_sums<Real, Columns>
sum_of_points(const lane_target<Real, Spot> &target, Real smoothing2,
              const ready_points<Real, Columns, Spot> &points, int first)
{
    part_sums<Real, Columns> sums = {};
#pragma unroll
    for (int k = 0; k < piece_points; k++) {
        const int j = first + k;
        const Spot at = points.at[j];
        const Real own = weight_between<Form2, Others>(target, at, smoothing2);
        sums.w = real_fma(own, points.charge[j][0], sums.w);
#pragma unroll
        for (int c = 0; c < Columns; c++)
            sums.z[c] = real_fma(own, points.charge[j][1 + c], sums.z[c]);
    }
    return sums;
}

/* The same without points at the target's place. In float32, which takes no smoothing, those weigh
 * infinitely much and no others do: few sums need a second look. */
template <bool Form2, class Real, int Columns, class Spot>
__device__ __forceinline__ part_sums<Real, Columns>
sum_of_others(const lane_target<Real, Spot> &target, Real smoothing2,
              const ready_points<Real, Columns, Spot> &points, int first)
{
    if constexpr (sizeof(Real) == sizeof(float)) {
        const part_sums<Real, Columns> sums =
            sum_of_points<Form2, false>(target, smoothing2, points, first);
        if (sums.w < INFINITY)
            return sums;
    }
    return sum_of_points<Form2, true>(target, smoothing2, points, first);
}

/* A row of points whose charges depend on the target. Others: without those at its place. */
template <bool Form2, bool Others, int Columns, class Spot>
__device__ void add_centred(const lane_target<double, Spot> &target, double smoothing2,
                            const ready_points<double, Columns, Spot> &points, int first,
                            const double *centre, lane_sums<double, Columns> &sums)
{
    for (int j = first; j < first + row_points; j++) {
        const double own =
            weight_between<Form2, Others>(target, points.at[j], smoothing2) * points.charge[j][0];
        sums.w.add(own);
        for (int c = 0; c < Columns; c++) {
            const double d = points.charge[j][1 + c] - centre[c];
            sums.z[c].add(own * d * d);
        }
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

__device__ constexpr int moment_at(int degree, int k)
{
    return degree * (degree + 1) / 2 + 2 * k;
}

/* Where the numbers of factor beta_mk with smoothing stand, m + 2k = degree, j = 0 to k of Eq. 28a:
 * in the order of shepard_terms_smooth. */
__host__ __device__ constexpr int smooth_at(int degree, int k)
{
    const int half = degree / 2, odd = degree % 2;
    return half * (half + 1) * (half + 2) / 3 + odd * (half + 1) * (half + 2) / 2 + k * (k + 1) / 2;
}

/* The same without those of j = k, for moments that are multiplied with these. */
__host__ __device__ constexpr int smooth_ratio_at(int degree, int k)
{
    const int half = degree / 2, odd = degree % 2;
    return (half - 1) * half * (half + 1) / 3 + odd * half * (half + 1) / 2 + k * (k - 1) / 2;
}

/* Where the numbers a_i of lambda + j stand that a lane makes those of. */
template <int Most> __device__ constexpr int rising_at(int j)
{
    return j * (Most + 2 - j);
}

/* Numbers of each up to an order, which is odd; ratios are read by vectors. */
constexpr int smooth_numbers(int order)
{
    const int half = (order + 1) / 2;
    return half * (half + 1) * (half + 2) / 3;
}
__host__ __device__ constexpr int smooth_ratios(int order)
{
    return (smooth_ratio_at(order + 1, 0) + 3) / 4 * 4;
}
constexpr int rising_numbers(int order)
{
    return (order + 1) / 2 * ((order + 3) / 2);
}

/* The part of far_node that sums need, as it is copied. */
constexpr int raw_bytes = 32;
struct alignas(16) raw_node {
    double x, y, scale, rest;
};
static_assert(sizeof(raw_node) == raw_bytes &&
                  offsetof(far_node, scale) == offsetof(raw_node, scale),
              "nodes begin otherwise");

/* A node as a lane sees it. */
template <class Real> struct seen {
    Real re, im; /* rho (X + iY) / R^2 */
    Real h;      /* (rho / R)^2 */
    Real weight; /* of a point at the centre */
    Real smooth; /* -(sigma rho / R^2)^2 */
};

/* weight_at(R^2): at the centre. */
template <bool Smooth, class Real, class Weight>
__device__ __forceinline__ seen<Real> see(const spot<Real> &target, const spot<Real> &centre,
                                          Real scale, Real smoothing2, const Weight &weight_at)
{
    const Real dx = across(target, centre), dy = along(target, centre);
    const Real d2 = real_fma(dx, dx, dy * dy), r2 = Smooth ? d2 + smoothing2 : d2;
    const Real inverse = real_inverse(r2), part = scale * inverse, h = scale * part;
    return {part * dx, part * dy, h, weight_at(r2), -h * (inverse * smoothing2)};
}

/* Powers of re + i im, maybe with numbers of their own. */
template <class Real, int Order> struct powers {
    Real re[Order + 1], im[Order + 1];
};

template <class Real, int Order>
__device__ __forceinline__ powers<Real, Order> powers_of(const seen<Real> &node)
{
    powers<Real, Order> made;
    made.re[1] = node.re;
    made.im[1] = node.im;
#pragma unroll
    for (int m = 2; m <= Order; m++) {
        const int p = m / 2, q = m - p;
        made.re[m] = real_fma(made.re[p], made.re[q], -(made.im[p] * made.im[q]));
        made.im[m] = real_fma(made.re[p], made.im[q], made.im[p] * made.re[q]);
    }
    return made;
}

/* Adds what angle m gives to the sum of larger ones. */
template <class Real, int Order>
__device__ __forceinline__ Real add_turned(const powers<Real, Order> &of, int m, Real re, Real im,
                                           Real sum)
{
    return m > 0 ? real_fma(of.im[m], im, real_fma(of.re[m], re, sum)) : real_sum(sum, re);
}

/* The expansion of one charge, small degrees last. Moments have their factors in them. */
template <class Real, int Order>
__device__ __forceinline__ Real sum_factored(const powers<Real, Order> &of, Real h,
                                             const Real *moments)
{
    Real sum = 0;
#pragma unroll
    for (int m = Order; m >= 0; m--) {
        const int most = (Order - m) / 2;
        Real re = moments[moment_at(m + 2 * most, most)];
        Real im = m > 0 ? moments[moment_at(m + 2 * most, most) + 1] : 0;
#pragma unroll
        for (int k = most - 1; k >= 0; k--) {
            re = real_fma(re, h, moments[moment_at(m + 2 * k, k)]);
            if (m > 0)
                im = real_fma(im, h, moments[moment_at(m + 2 * k, k) + 1]);
        }
        sum = add_turned(of, m, re, im, sum);
    }
    return sum;
}

/* The same where factors are not in the moments: factor(m, k) is what beta_mk has that neither
 * powers nor moments have, times what there is of node.h. Unit: that of k = 0 is 1, and what it is
 * a factor of comes first. */
template <bool Unit, class Real, int Order, class Factor>
__device__ __forceinline__ Real sum_terms(const powers<Real, Order> &of, const Real *moments,
                                          const Factor &factor)
{
    Real sum = 0;
#pragma unroll
    for (int m = Order; m >= 0; m--) {
        const int most = (Order - m) / 2, first = Unit ? 0 : most;
        Real re = moments[moment_at(m + 2 * first, first)];
        Real im = m > 0 ? moments[moment_at(m + 2 * first, first) + 1] : 0;
        if (!Unit) {
            re = real_product(factor(m, first), re);
            im = real_product(factor(m, first), im);
        }
#pragma unroll
        for (int i = 1; i <= most; i++) {
            const int k = Unit ? i : most - i;
            const Real f = factor(m, k);
            re = real_fma(f, moments[moment_at(m + 2 * k, k)], re);
            if (m > 0)
                im = real_fma(f, moments[moment_at(m + 2 * k, k) + 1], im);
        }
        sum = add_turned(of, m, re, im, sum);
    }
    return sum;
}

/* Factors of moments that have them in them. */
struct factors_inside {
    template <int Order, class Real>
    __device__ __forceinline__ powers<Real, Order> open(const seen<Real> &node)
    {
        return powers_of<Real, Order>(node);
    }
    template <int Order, class Real>
    __device__ __forceinline__ Real sum(const powers<Real, Order> &of, const seen<Real> &node,
                                        const Real *moments) const
    {
        return sum_factored<Real, Order>(of, node.h, moments);
    }
};

/* Factors a_(m + k) a_k of each lane's own power, from its a_i / a_(i - 1). The powers have a_m in
 * them; the rest is made for each charge anew: kept, it would take registers. */
template <class Real> struct factors_of_lane {
    const Real *step;

    template <int Order> __device__ __forceinline__ powers<Real, Order> open(const seen<Real> &node)
    {
        powers<Real, Order> made;
        made.re[1] = step[1] * node.re;
        made.im[1] = step[1] * node.im;
#pragma unroll
        for (int m = 2; m <= Order; m++) {
            const Real re = step[m] * node.re, im = step[m] * node.im;
            made.re[m] = real_fma(made.re[m - 1], re, -(made.im[m - 1] * im));
            made.im[m] = real_fma(made.re[m - 1], im, made.im[m - 1] * re);
        }
        return made;
    }
    template <int Order>
    __device__ __forceinline__ Real sum(const powers<Real, Order> &of, const seen<Real> &node,
                                        const Real *moments) const
    {
        Real factor[Order + 1][Order / 2 + 1];
#pragma unroll
        for (int k = 1; 2 * k <= Order; k++) {
            const Real by = step[k] * node.h;
#pragma unroll
            for (int m = 0; m + 2 * k <= Order; m++)
                factor[m][k] = k == 1 ? step[m + k] * by : factor[m][k - 1] * (step[m + k] * by);
        }
        return sum_terms<true, Real, Order>(of, moments,
                                            [&](int m, int k) { return factor[m][k]; });
    }
};

/* Factors with smoothing (Eq. 28a): of a group's power, from smooth_number; or of a lane's own,
 * from the numbers a_i of each lambda + j. Inside: moments have the coefficient of j = k in them,
 * and those before are smooth_ratio. */
template <bool OnePower, bool Inside, class Real, int Most> struct factors_smoothed {
    static_assert(OnePower || !Inside, "moments have no factors of a lane");
    /* Whether sums over k begin with k = 0, whose factor is 1. In double that takes longer than the
     * product with 1. */
    static constexpr bool unit = Inside && sizeof(Real) == sizeof(float);

    const Real *given;
    Real made[(Most / 2 + 1) * (Most / 2 + 2)];

    template <int Order> __device__ __forceinline__ powers<Real, Order> open(const seen<Real> &node)
    {
        if constexpr (unit && smooth_ratios(Order) > 0) {
            Real ratio[smooth_ratios(Order)];
#pragma unroll
            for (int i = 0; i < smooth_ratios(Order); i += 4)
                read_four(given + i, ratio + i);
            make<Order>(node, ratio);
        } else {
            make<Order>(node);
        }
        return powers_of<Real, Order>(node);
    }
    template <int Order> __device__ __forceinline__ void make(const seen<Real> &node)
    {
        make<Order>(node, given);
    }
    template <int Order>
    __device__ __forceinline__ Real sum(const powers<Real, Order> &of, const seen<Real> &,
                                        const Real *moments) const
    {
        return sum_terms<unit, Real, Order>(
            of, moments, [&](int m, int k) { return made[pair_number(m + 2 * k, k)]; });
    }

  private:
    /* The sum over j. */
    __device__ __forceinline__ static Real factor(int degree, int k, const Real *product,
                                                  const Real *numbers)
    {
        if constexpr (OnePower) {
            const Real *const number =
                numbers + (Inside ? smooth_ratio_at(degree, k) : smooth_at(degree, k));
            Real sum = product[k];
#pragma unroll
            for (int j = 0; j < k; j++)
                sum = real_fma(number[j], product[j], sum);
            return Inside ? sum : number[k] * sum;
        } else {
            Real sum = coefficient(degree, k, 0, numbers) * product[0];
#pragma unroll
            for (int j = 1; j <= k; j++)
                sum = real_fma(coefficient(degree, k, j, numbers), product[j], sum);
            return sum;
        }
    }
    __device__ __forceinline__ static Real coefficient(int degree, int k, int j,
                                                       const Real *numbers)
    {
        const Real *const a = numbers + rising_at<Most>(j);
        return a[degree - k - j] * (a[k - j] * numbers[j]);
    }
    template <int Order>
    __device__ __forceinline__ void make(const seen<Real> &node, const Real *numbers)
    {
        const Real square = real_fma(node.re, node.re, node.im * node.im);
        Real product[Order / 2 + 1];
        product[0] = 1;
#pragma unroll
        for (int k = 0; 2 * k <= Order; k++) {
            if (k > 0) {
                product[k] = product[k - 1] * node.smooth;
#pragma unroll
                for (int j = 0; j < k; j++)
                    product[j] *= square;
            }
#pragma unroll
            for (int degree = 2 * k; degree <= Order; degree++)
                made[pair_number(degree, k)] = factor(degree, k, product, numbers);
        }
    }
};

/* Numbers of an order's moments, one charge after the other. */
__device__ constexpr int moments_apart(int order)
{
    return (SHEPARD_TERMS(order) + 3) / 4 * 4;
}

/* moments: of q, then of `columns` columns; of many by the same instructions, which must not take
 * too much room. */
template <int Order, class Real, class Stored, int Columns, class Factors>
__device__ __forceinline__ part_sums<Real, Columns>
sum_of_node(const seen<Real> &node, const Stored *moments, int columns, Factors factors)
{
    constexpr int apart = moments_apart(Order);
    part_sums<Real, Columns> sums = {};
    const powers<Real, Order> of = factors.template open<Order>(node);
    const auto sum_of = [&](const Stored *from) {
        Real own[apart];
#pragma unroll
        for (int i = 0; i < apart; i += 4)
            read_four(from + i, own + i);
        return real_product(node.weight, factors.template sum<Order>(of, node, own));
    };
    if constexpr (Columns == 1 && sizeof(Real) == sizeof(float)) {
        sums.w = sum_of(moments);
        sums.z[0] = sum_of(moments + apart);
    } else {
#pragma unroll 1
        for (int charge = 0; charge <= columns; charge++, moments += apart) {
            const Real sum = sum_of(moments);
            sums.w = charge == 0 ? sum : sums.w;
#pragma unroll
            for (int c = 0; c < Columns; c++)
                sums.z[c] = charge == c + 1 ? sum : sums.z[c];
        }
    }
    return sums;
}

/* a_i / a_(i - 1) up to the largest order. */
template <class Real, int Most> __device__ __forceinline__ void fill_steps(Real lambda, Real *step)
{
    step[0] = 1;
#pragma unroll
    for (int i = 1; i <= Most; i++)
        step[i] = (lambda + (Real)(i - 1)) / (Real)i;
}

/* n! */
__host__ __device__ inline double factorial(int n)
{
    double product = 1;
    for (int i = 2; i <= n; i++)
        product *= i;
    return product;
}

/* (lambda)_n */
__host__ __device__ inline double rising(double lambda, int n)
{
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= lambda + i;
    return product;
}

/* The degree and k of a number (smooth_at). */
struct smooth_place {
    int degree, k;
};
__host__ __device__ inline smooth_place smooth_place_of(int number)
{
    smooth_place at = {0, 0};
    while (smooth_at(at.degree + 1, 0) <= number)
        at.degree++;
    while (smooth_at(at.degree, at.k + 1) <= number)
        at.k++;
    return at;
}

/* A coefficient of Eq. 28a by its number: that of j = k, those before over it. */
__host__ __device__ inline double smooth_number(int number, double lambda)
{
    const auto [degree, k] = smooth_place_of(number);
    const int i = degree - k, j = number - smooth_at(degree, k);
    if (j == k)
        return rising(lambda, i) / (factorial(i - k) * factorial(k));
    return factorial(k) * factorial(i - k) / (factorial(j) * factorial(i - j)) *
           rising(lambda + j, k - j) / factorial(k - j);
}

/* Those before j = k by their number (smooth_ratio_at). */
__host__ __device__ inline double smooth_ratio(int number, double lambda)
{
    int degree = 2, k = 1;
    while (smooth_ratio_at(degree + 1, 0) <= number)
        degree++;
    while (smooth_ratio_at(degree, k + 1) <= number)
        k++;
    return smooth_number(smooth_at(degree, k) + number - smooth_ratio_at(degree, k), lambda);
}

/* What a number of the moments is multiplied with: a_(m + k) a_k; with smoothing the coefficient of
 * j = k. */
template <bool Smooth> __device__ double factor_of(int number, double lambda)
{
    int degree = 0;
    while (moment_at(degree + 1, 0) <= number)
        degree++;
    const int k = (number - moment_at(degree, 0)) / 2;
    if (Smooth)
        return smooth_number(smooth_at(degree, k) + k, lambda);
    return shepard_rising_over(lambda, degree - k) * shepard_rising_over(lambda, k);
}

/* The numbers that a lane makes those from (rising_at). */
template <class Real, int Most> __device__ void fill_rising(double lambda, Real *given)
{
#pragma unroll 1
    for (int j = 0; 2 * j <= Most; j++)
#pragma unroll 1
        for (int i = 0; i <= Most - 2 * j; i++)
            given[rising_at<Most>(j) + i] = (Real)shepard_rising_over(lambda + j, i);
}

} // namespace shepard

#endif
