/* SPDX-License-Identifier: MIT */
/* Powers of ratios in double: what weights of distances are (Eq. 8 of docs/math.md). Mirrors
 * kernel/math.h. The C library's log2 and exp2 take twice the operations, half of them for
 * arguments that distances do not have. */
#ifndef SHEPARD_BACKEND_CUDA_RATIO_POWER_CUH
#define SHEPARD_BACKEND_CUDA_RATIO_POWER_CUH

#include "backend/cuda/reals.cuh"

namespace shepard
{

/* terms: the highest power first. */
template <int Length>
__device__ __forceinline__ double polynomial(const double (&terms)[Length], double at)
{
    double sum = terms[0];
#pragma unroll
    for (int i = 1; i < Length; i++)
        sum = fma(sum, at, terms[i]);
    return sum;
}

/* a / b, off by less than 2 units of the last place; b and the quotient normal. */
__device__ __forceinline__ double quotient(double a, double b)
{
    const double inverse = real_inverse(b), near = a * inverse;
    return fma(fma(-b, near, a), inverse, near);
}

/* log2(a / b) of normal positive numbers as exponent + 2 atanh(s) / ln 2, s = (a' - b) / (a' + b)
 * with a' = a 2^-exponent between 2/3 b and 3/2 b: the numerator is exact, and the ratio itself is
 * not rounded. The polynomial is a Chebyshev fit for |s| <= 1/5, relative error 1.4e-17. Here and
 * below the compiler has no choice of what to fuse. */
__device__ __forceinline__ double log2_of_ratio(double a, double b)
{
    constexpr double terms[] = {0.2219876523086690086, 0.2199727883702939006, 0.2623761249349030945,
                                0.3205976143760310223, 0.4121985962413643930, 0.5770780162897514992,
                                0.9617966939261011824, 2.8853900817779267755};
    const int apart = __double2hiint(a) - __double2hiint(b);
    const int exponent = (apart + (1 << 19)) >> 20;
    const double scaled =
        __hiloint2double(__double2hiint(a) - exponent * (1 << 20), __double2loint(a));
    const double s = quotient(scaled - b, scaled + b);
    return fma(s, polynomial(terms, s * s), (double)exponent);
}

/* 2^a for a <= 1000, 0 below -1021; the polynomial, for |r| <= 1/2, is off by 3.2e-18 of itself. */
__device__ __forceinline__ double exp2_in_double(double a)
{
    constexpr double terms[] = {
        4.455817908336064493e-10, 7.0741942972885210056e-9,   1.0178057087733941105e-7,
        1.3215432535912376166e-6, 0.000015252733841556772589, 0.00015403530463724354209,
        0.0013333558146406470697, 0.0096181291075872566681,   0.055504108664821627039,
        0.24022650695910159567,   0.69314718055994530925,     1.0};
    constexpr double magic = 0x1.8p52;        /* added to a number, rounds its fraction off */
    const double whole = __dadd_rn(a, magic); /* an integer in the last bits */
    const double part = polynomial(terms, __dsub_rn(a, __dsub_rn(whole, magic)));
    const int high = __double2hiint(part) + __double2loint(whole) * (1 << 20);
    return a < -1021 ? 0 : __hiloint2double(high, __double2loint(part));
}

/* (a / b)^lambda for normal a, b > 0 and a power of at most 2^1000. */
__device__ __forceinline__ double power_of_ratio(double lambda, double a, double b)
{
    return exp2_in_double(__dmul_rn(lambda, log2_of_ratio(a, b)));
}

} // namespace shepard

#endif
