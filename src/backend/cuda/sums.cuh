/* SPDX-License-Identifier: MIT */
/* Weighted sums at a warp's targets, one a lane: over leaves, point by point, and over nodes, by
 * expansions (Eq. 26 and 27 of docs/math.md). */
#ifndef SHEPARD_BACKEND_CUDA_SUMS_CUH
#define SHEPARD_BACKEND_CUDA_SUMS_CUH

#include "backend/cuda/reals.cuh"
#include "backend/cuda/total.cuh"

namespace shepard
{

/* A lane's target. */
template <class Real> struct lane_target {
    spot<Real> at;
    Real lambda; /* half the power */
    Real unit;   /* of squared distances; in float32, but for power 2, lambda times its log2 */
};

/* (unit / d2)^lambda. */
template <bool Form2>
__device__ __forceinline__ float weight_at(const lane_target<float> &target, float d2)
{
    if (Form2)
        return target.unit * real_inverse(d2);
    return real_exp2(real_fma(-target.lambda, real_log2(d2), target.unit));
}

/* The ratio first: its logarithm is small where the weight is not (Eq. 8). */
template <bool Form2>
__device__ __forceinline__ double weight_at(const lane_target<double> &target, double d2)
{
    const double ratio = target.unit / d2;
    return Form2 ? ratio : exp2(target.lambda * log2(fmax(ratio, 0x1p-1022)));
}

/* What stands in shared memory for all lanes to read. */
constexpr int staged_leaves = 4;
constexpr int staged_most = staged_leaves * leaf_points;

template <class Real, int Columns> struct staged {
    spot<Real> at[staged_most];
    Real charge[staged_most][1 + Columns]; /* of points: q and q z'; of nodes: the radius */
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

template <class Real, int Columns> struct lane_sums {
    running_sum<Real> w, z[Columns];
};

/* ---- points ---------------------------------------------------------------------------------- */

/* Points of two leaves, from place `begin` on, one a lane; a point that is not there has no charge.
 */
template <class Real, int Columns>
__device__ __forceinline__ void stage_points(const total_job &job, const anchor &from,
                                             const std::uint32_t *leaf, int leaves, int begin,
                                             staged<Real, Columns> &to)
{
    const int lane = begin + (int)threadIdx.x;
    const std::uint32_t first = leaf[min(lane / leaf_points, leaves - 1)] * leaf_points;
    const std::uint32_t i = first + (unsigned)lane % leaf_points;
    const bool there = lane < leaves * leaf_points && i < job.cloud.n;
    const std::uint32_t at = there ? i : first;
    double q = there ? 1 : 0;
    if (there && job.cloud.weights != nullptr)
        q = job.cloud.weights[at];
    if (job.squares)
        q *= q;
    to.at[lane] = spot<Real>::at(from, job.cloud.x[at], job.cloud.y[at]);
    to.charge[lane][0] = (Real)q;
    for (int c = 0; c < Columns; c++) {
        double z = 0;
        if (c < job.columns && !job.squares) {
            const int column = job.column + c;
            const double scale = job.cloud.scale[column];
            z = job.cloud.values[(std::size_t)column * job.cloud.n + at] * scale -
                job.cloud.middle[column] * scale;
            z = job.spread ? z * z : z;
        }
        to.charge[lane][1 + c] = (Real)(job.centre != nullptr ? z : q * z);
    }
}

/* A leaf, from place `first` on: sums of Real are of its 16 points. */
template <bool Form2, class Real, int Columns>
__device__ __forceinline__ void add_points(const lane_target<Real> &target, Real smoothing2,
                                           const staged<Real, Columns> &points, int first,
                                           lane_sums<Real, Columns> &sums)
{
    Real w = 0, z[Columns] = {};
#pragma unroll 4
    for (int j = first; j < first + leaf_points; j++) {
        const spot<Real> at = points.at[j];
        const Real dx = across(target.at, at), dy = along(target.at, at);
        const Real d2 = real_fma(dx, dx, real_fma(dy, dy, smoothing2));
        const Real own = weight_at<Form2>(target, d2);
        w = real_fma(own, points.charge[j][0], w);
#pragma unroll
        for (int c = 0; c < Columns; c++)
            z[c] = real_fma(own, points.charge[j][1 + c], z[c]);
    }
    sums.w.add(w);
    for (int c = 0; c < Columns; c++)
        sums.z[c].add(z[c]);
}

/* The same of charges that depend on the target. */
template <bool Form2, int Columns>
__device__ void add_centred(const lane_target<double> &target, double smoothing2,
                            const staged<double, Columns> &points, int first, const double *centre,
                            lane_sums<double, Columns> &sums)
{
    for (int j = first; j < first + leaf_points; j++) {
        const double dx = across(target.at, points.at[j]), dy = along(target.at, points.at[j]);
        const double own =
            weight_at<Form2>(target, dx * dx + dy * dy + smoothing2) * points.charge[j][0];
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

/* A node as a lane sees it. */
template <class Real> struct seen {
    Real re, im; /* rho (X + iY) / R^2 */
    Real h;      /* (rho / R)^2 */
    Real weight; /* of a point at the centre */
};

template <bool Form2, class Real>
__device__ __forceinline__ seen<Real> see(const lane_target<Real> &target, const spot<Real> &centre,
                                          Real scale)
{
    const Real dx = across(target.at, centre), dy = along(target.at, centre);
    const Real r2 = real_fma(dx, dx, dy * dy);
    const Real inverse = real_inverse(r2), part = scale * inverse;
    return {part * dx, part * dy, scale * part, weight_at<Form2>(target, r2)};
}

/* Powers of re + i im, and g_k = a_k h^k. */
template <class Real, int Order> struct basis {
    Real re[Order + 1], im[Order + 1];
    Real g[Order / 2 + 1];
};

template <class Real, int Order>
__device__ __forceinline__ basis<Real, Order> basis_of(const seen<Real> &node, const Real *a)
{
    basis<Real, Order> made;
    made.re[1] = node.re;
    made.im[1] = node.im;
#pragma unroll
    for (int m = 2; m <= Order; m++) {
        const int p = m / 2, q = m - p;
        made.re[m] = real_fma(made.re[p], made.re[q], -(made.im[p] * made.im[q]));
        made.im[m] = real_fma(made.re[p], made.im[q], made.im[p] * made.re[q]);
    }
    Real power = 1;
#pragma unroll
    for (int k = 0; 2 * k <= Order; k++) {
        made.g[k] = a[k] * power;
        power *= node.h;
    }
    return made;
}

/* The expansion of one charge, small degrees last. */
template <class Real, int Order>
__device__ __forceinline__ Real sum_terms(const basis<Real, Order> &of, const Real *a,
                                          const Real *moments)
{
    Real sum = 0;
#pragma unroll
    for (int m = Order; m >= 0; m--) {
        Real re = 0, im = 0;
#pragma unroll
        for (int k = (Order - m) / 2; k >= 0; k--) {
            const Real f = a[m + k] * of.g[k];
            re = real_fma(f, moments[moment_at(m + 2 * k, k)], re);
            if (m > 0)
                im = real_fma(f, moments[moment_at(m + 2 * k, k) + 1], im);
        }
        sum += m > 0 ? real_fma(of.re[m], re, of.im[m] * im) : re;
    }
    return sum;
}

/* Sums of Real over some nodes. */
template <class Real, int Columns> struct node_sums {
    Real w, z[Columns];
};

/* moments: of q, then of `columns` columns, a fixed number of terms apart; one charge after the
 * other by the same instructions. */
template <int Order, class Real, class Stored, int Columns>
__device__ __forceinline__ void add_expansion(const seen<Real> &node, const Real *a,
                                              const Stored *moments, int columns,
                                              node_sums<Real, Columns> &sums)
{
    constexpr int fours = (SHEPARD_TERMS(Order) + 3) / 4;
    const basis<Real, Order> of = basis_of<Real, Order>(node, a);
#pragma unroll 1
    for (int charge = 0; charge <= columns; charge++, moments += 4 * fours) {
        Real own[4 * fours];
#pragma unroll
        for (int i = 0; i < fours; i++)
            read_four(moments + 4 * i, own + 4 * i);
        const Real sum = node.weight * sum_terms(of, a, own);
        sums.w += charge == 0 ? sum : 0;
#pragma unroll
        for (int c = 0; c < Columns; c++)
            sums.z[c] += charge == c + 1 ? sum : 0;
    }
}

/* a_j = (lambda)_j / j! up to the largest order. */
template <class Real, int Most> __device__ __forceinline__ void fill_factors(Real lambda, Real *a)
{
    a[0] = 1;
#pragma unroll
    for (int j = 1; j <= Most; j++)
        a[j] = a[j - 1] * (lambda + (Real)(j - 1)) / (Real)j;
}

} // namespace shepard

#endif
