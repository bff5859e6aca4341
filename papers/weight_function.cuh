/* SPDX-License-Identifier: MIT */
/* The weight of a point at squared distance d2: w = 2^(shift - alpha / 2 log2(d2)), where shift is
 * a whole number that brings the nearest point's weight near 1 where it is known (AIDW), else 0.
 * Sums in float come to float arithmetic only.
 *
 * Float takes log2 and exp2 from the special-function units, 16 results a clock of each
 * multiprocessor: two of them a pair are the floor of the time. So a share of the exponentials is
 * a polynomial on the ordinary units, 128 results a clock.
 *
 * Errors of a weight, relative: float about alpha 1e-7 + 3e-7 near the distance 1, the expected
 * one of neighbours; double 1e-14 times max(1, alpha / 4). */
#ifndef SHEPARD_PAPERS_WEIGHT_FUNCTION_CUH
#define SHEPARD_PAPERS_WEIGHT_FUNCTION_CUH

#include "cuda/arithmetic.cuh"
#include "cuda/special.cuh"

#include <cstdint>

namespace shepard
{

/* How weights are made. */
enum class form {
    square,  /* 1 / d2 */
    uniform, /* one power for all targets, no reference */
    adaptive /* a power for each target, relative to the nearest point */
};

/* ---- arithmetic of both precisions ----------------------------------------------------------- */

/* The same bits in every kernel, so that searches agree. */
template <class Real> __device__ inline Real distance2(Real x, Real y, Real tx, Real ty)
{
    const Real dx = real_sum(x, -tx), dy = real_sum(y, -ty);
    return real_fma(dx, dx, real_product(dy, dy));
}

/* About 2^-20 relative; inf at 0 and at subnormals. */
__device__ inline double reciprocal_rough(double a)
{
    double result;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(result) : "d"(a));
    return result;
}

/* e + e^2 with e = 1 - a r: r (1 + this) is 1 / a to the third power of r's error. */
__device__ inline double reciprocal_correction(double a, double r)
{
    const double e = real_fma(-a, r, 1.0);
    return real_fma(e, e, e);
}

__device__ inline double reciprocal(double a)
{
    const double r = reciprocal_rough(a);
    return real_fma(r, reciprocal_correction(a, r), r);
}

/* 2^f, f in [-0.5, 0.5], 1.1e-7 relative: minimax (Remez) with a constant of 1. */
__device__ inline float exp2_polynomial(float f)
{
    float p = 0x1.5bb9f6p-10f;
    p = real_fma(p, f, 0x1.3cea86p-7f);
    p = real_fma(p, f, 0x1.c6b754p-5f);
    p = real_fma(p, f, 0x1.ebf9bcp-3f);
    p = real_fma(p, f, 0x1.62e42ap-1f);
    return real_fma(p, f, 1.0f);
}

/* 2^f, f in [-0.5, 0.5], 2.1e-16 relative beside rounding: minimax (Remez). */
__device__ inline double exp2_polynomial(double f)
{
    double p = 0x1.e398d743a4ec7p-28;
    p = real_fma(p, f, 0x1.b6740dd81a35bp-24);
    p = real_fma(p, f, 0x1.62c158154047ap-20);
    p = real_fma(p, f, 0x1.ffcb55ea44f21p-17);
    p = real_fma(p, f, 0x1.4309126048759p-13);
    p = real_fma(p, f, 0x1.5d87fe9cc5198p-10);
    p = real_fma(p, f, 0x1.3b2ab6fbde133p-7);
    p = real_fma(p, f, 0x1.c6b08d703d490p-5);
    p = real_fma(p, f, 0x1.ebfbdff82c3b9p-3);
    p = real_fma(p, f, 0x1.62e42fefa3a17p-1);
    return real_fma(p, f, 1.0);
}

/* log2((1 + s) / (1 - s)) / s of v = s^2, |s| <= tan(pi / 8)^2, 1.7e-16 relative: minimax. */
__device__ inline double log2_polynomial(double v)
{
    double p = 0x1.f185e9d613390p-3;
    p = real_fma(p, v, 0x1.0bb7b21b80063p-2);
    p = real_fma(p, v, 0x1.484fac7ad1866p-2);
    p = real_fma(p, v, 0x1.a6175675e3b66p-2);
    p = real_fma(p, v, 0x1.2776c516aa3a6p-1);
    p = real_fma(p, v, 0x1.ec709dc39c9ddp-1);
    return real_fma(p, v, 0x1.71547652b82ffp+1);
}

/* log2 of a normal a > 0; anything else gives a number that means nothing. a = 2^k m with m from
 * sqrt(1/2) to sqrt(2), log2(m) = log2((1 + s) / (1 - s)), s = (m - 1) / (m + 1). */
__device__ inline double log2_normal(double a)
{
    const int high = __double2hiint(a);
    const int k = (high - 0x3fe6a09e) >> 20;
    const double m = __hiloint2double(high - k * (1 << 20), __double2loint(a));
    const double numerator = m - 1, denominator = m + 1;
    const double r = reciprocal_rough(denominator);
    const double rough = numerator * r;
    const double s = real_fma(rough, reciprocal_correction(denominator, r), rough);
    /* k as a double: 2^52 + 2^31 + k, less what k has not. */
    const double whole = __hiloint2double(0x43300000, k ^ (int)0x80000000) - 0x1.000008p52;
    return real_fma(s, log2_polynomial(s * s), whole);
}

/* ---- the weight function of a target ---- */

/* Adding it rounds to a whole number, which then stands in the low bits: 1.5 2^23, 1.5 2^52. */
__device__ inline float rounder(float)
{
    return 0x1.8p23f;
}
__device__ inline double rounder(double)
{
    return 0x1.8p52;
}

template <class Real> struct weight_function {
    Real slope;           /* -alpha / 2 */
    Real shift;           /* whole */
    Real shifted_rounder; /* rounder + shift, exact */
    Real log2_low;        /* float: log2(d2) is held between these where a polynomial makes the */
    Real log2_high;       /* weight, so that its exponent stays that of a normal number */
};

template <class Real>
__device__ inline weight_function<Real> weight_function_of(Real alpha, Real shift)
{
    const Real inverse = Real(2) / alpha;
    return {alpha * Real(-0.5), shift, real_sum(rounder(shift), shift),
            (shift - Real(126)) * inverse, (shift + Real(124)) * inverse};
}

/* The whole number that brings the weight of the nearest point within [0.7, 1.42]. */
__device__ inline float shift_of(float alpha, float nearest2)
{
    return rintf(alpha * 0.5f * log2_approximate(nearest2));
}
__device__ inline double shift_of(double alpha, double nearest2)
{
    return rint(alpha * 0.5 * log2_normal(nearest2));
}

/* What a kernel can do with a plain sum; fixup does all else. Below the nearest distance logarithms
 * fail; steep powers in float need distances relative to the nearest before the logarithm. */
template <class Real> struct limits;
template <> struct limits<float> {
    static constexpr float nearest2 = 0x1p-100f, alpha = 8, total_low = 0x1p-60f,
                           total_high = 0x1p100f;
};
template <> struct limits<double> {
    static constexpr double nearest2 = 0x1p-1000, alpha = 100, total_low = 0x1p-900,
                            total_high = 0x1p900;
};

/* ---- weights --------------------------------------------------------------------------------- */

/* What one thread sees go wrong beside its sums. */
template <class Real> struct range_check {
    __device__ void see(Real) {}
    __device__ bool is_good() const { return true; }
};

/* A double of 0, or subnormal, has no logarithm here. */
template <> struct range_check<double> {
    int lowest = 0x7fffffff;

    __device__ void see(double d2) { lowest = min(lowest, __double2hiint(d2)); }
    __device__ bool is_good() const { return lowest >= 0x00100000; }
};

template <form F, bool Polynomial>
__device__ inline float weight(const weight_function<float> &by, float d2)
{
    if (F == form::square)
        return reciprocal(d2);
    float logarithm = log2_approximate(d2);
    if (!Polynomial)
        return exp2_approximate(real_fma(by.slope, logarithm, by.shift));
    logarithm = fminf(logarithm, by.log2_high);
    if (F == form::uniform)
        logarithm = fmaxf(logarithm, by.log2_low);
    const float whole = real_fma(by.slope, logarithm, by.shifted_rounder);
    const float fraction = real_fma(by.slope, logarithm, by.shifted_rounder - whole);
    return __int_as_float((int)((unsigned)__float_as_int(exp2_polynomial(fraction)) +
                                ((unsigned)__float_as_int(whole) << 23)));
}

template <form F, bool Polynomial>
__device__ inline double weight(const weight_function<double> &by, double d2)
{
    if (F == form::square)
        return reciprocal(d2);
    const double logarithm = log2_normal(d2);
    const double whole = real_fma(by.slope, logarithm, by.shifted_rounder);
    const double fraction = real_fma(by.slope, logarithm, by.shifted_rounder - whole);
    const double power = exp2_polynomial(fraction);
    const int exponent = max(min(__double2loint(whole), 1000), -1000);
    return __hiloint2double(__double2hiint(power) + exponent * (1 << 20), __double2loint(power));
}

} // namespace shepard

#endif
