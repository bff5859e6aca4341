/* SPDX-License-Identifier: MIT */
/* Powers of vectors. Polynomials are Chebyshev fits on the stated interval; errors are theirs,
 * before rounding. */
#ifndef SHEPARD_KERNEL_MATH_H
#define SHEPARD_KERNEL_MATH_H

#include "kernel/simd.h"
#include "kernel/unroll.h"

#include <math.h>

/* Compilers make one instruction of each loop. */
static inline vd vd_sqrt(vd a)
{
    vd root;
    for (int i = 0; i < LANES_D; i++)
        root[i] = sqrt(a[i]);
    return root;
}

static inline vf vf_sqrt(vf a)
{
    vf root;
    for (int i = 0; i < LANES_F; i++)
        root[i] = sqrtf(a[i]);
    return root;
}

/* To the nearest integer, |a| < 2^51: adding 1.5 * 2^52 rounds the fraction off. */
static inline vd vd_round(vd a)
{
    const vd magic = vd_all(0x1.8p52);
    return (a + magic) - magic;
}

/* To the nearest integer, |a| < 2^22. */
static inline vf vf_round(vf a)
{
    const vf magic = vf_all(0x1.8p23f);
    return (a + magic) - magic;
}

/* The integer in a double that holds one, |a| < 2^51. */
static inline vl vl_of(vd a)
{
    const vd magic = vd_all(0x1.8p52);
    return (vl)(a + magic) - (vl)magic;
}

/* The double of an integer, |a| < 2^51. */
static inline vd vd_of(vl a)
{
    const vd magic = vd_all(0x1.8p52);
    return (vd)(a + (vl)magic) - magic;
}

/* Powers of `count` vectors in place, count a constant. Their operations are written in turn: those
 * of one vector wait for each other, and a CPU looks ahead over fewer than three of it. Where they
 * are not fused, every instruction set has the same bits. */

static inline __attribute__((always_inline)) vd vd_multiply_add(vd a, vd b, vd c, const bool fused)
{
    return fused ? vd_fma(a, b, c) : a * b + c;
}

/* p[i] = the polynomial of r[i] with these terms, the highest power first. */
static inline __attribute__((always_inline)) void vd_polynomials(const double *terms,
                                                                 const int length, const vd *r,
                                                                 vd *p, const int count,
                                                                 const bool fused)
{
    for (int i = 0; i < count; i++)
        p[i] = vd_multiply_add(r[i], vd_all(terms[0]), vd_all(terms[1]), fused);
    SHEPARD_UNROLL
    for (int term = 2; term < length; term++)
        for (int i = 0; i < count; i++)
            p[i] = vd_multiply_add(p[i], r[i], vd_all(terms[term]), fused);
}

#define VD_POLYNOMIALS(terms, r, p, count, fused)                                                  \
    vd_polynomials(terms, sizeof(terms) / sizeof((terms)[0]), r, p, count, fused)
/* Vectors at once that keep the arithmetic busy. */
#define VD_AT_ONCE 4

/* log2 of normal positive numbers: exponent plus 2 atanh(s) / ln 2, s = (m - 1) / (m + 1), m in
 * [sqrt(1/2), sqrt(2)); relative error of the polynomial 3.4e-18. */
static inline __attribute__((always_inline)) void vd_log2_each(vd *a, const int count,
                                                               const bool fused)
{
    static const double terms[] = {0.21365895694319269363, 0.22091308423117679625,
                                   0.26233435250418301904, 0.32059853491395986095,
                                   0.41219858584090053448, 0.5770780163455202295,
                                   0.96179669392598972877, 2.8853900817779268115};
    const vl root = (vl)vd_all(0x1.6a09e667f3bcdp-1);
    vl exponent[VD_AT_ONCE];
    vd s[VD_AT_ONCE], q[VD_AT_ONCE], p[VD_AT_ONCE];
    for (int i = 0; i < count; i++) {
        exponent[i] = ((vl)a[i] - root) >> 52;
        const vd m = (vd)((vl)a[i] - (exponent[i] << 52));
        s[i] = (m - 1) / (m + 1);
        q[i] = s[i] * s[i];
    }
    VD_POLYNOMIALS(terms, q, p, count, fused);
    for (int i = 0; i < count; i++)
        a[i] = vd_multiply_add(s[i], p[i], __builtin_convertvector(exponent[i], vd), fused);
}

/* (2^r - 1) / r for |r| <= 1/2. */
#define VD_EXP2_TERMS                                                                              \
    4.455817908336064493e-10, 7.0741942972885210056e-9, 1.0178057087733941105e-7,                  \
        1.3215432535912376166e-6, 0.000015252733841556772589, 0.00015403530463724354209,           \
        0.0013333558146406470697, 0.0096181291075872566681, 0.055504108664821627039,               \
        0.24022650695910159567, 0.69314718055994530925

/* 2^a for a <= 1000, 0 below -1022; relative error of the polynomial 3.2e-18. */
static inline __attribute__((always_inline)) void vd_exp2_each(vd *a, const int count,
                                                               const bool fused)
{
    static const double terms[] = {VD_EXP2_TERMS, 1.0};
    const vd low = vd_all(-1023);
    vd whole[VD_AT_ONCE], r[VD_AT_ONCE], p[VD_AT_ONCE];
    for (int i = 0; i < count; i++) {
        const vd held = vd_max(a[i], low);
        whole[i] = vd_round(held);
        r[i] = held - whole[i];
    }
    VD_POLYNOMIALS(terms, r, p, count, fused);
    for (int i = 0; i < count; i++)
        a[i] = p[i] * (vd)((vl_of(whole[i]) + 1023) << 52);
}

/* The same where 2^a is a normal number: |a| <= 1000. */
static inline __attribute__((always_inline)) void vd_exp2_normal_each(vd *a, const int count,
                                                                      const bool fused)
{
    static const double terms[] = {VD_EXP2_TERMS, 1.0};
    const vd magic = vd_all(0x1.8p52);
    vd whole[2 * VD_AT_ONCE], r[2 * VD_AT_ONCE], p[2 * VD_AT_ONCE];
    for (int i = 0; i < count; i++) {
        whole[i] = a[i] + magic; /* an integer in the last bits */
        r[i] = a[i] - (whole[i] - magic);
    }
    VD_POLYNOMIALS(terms, r, p, count, fused);
    for (int i = 0; i < count; i++)
        a[i] = (vd)((vl)p[i] + ((vl)whole[i] << 52));
}

static inline __attribute__((always_inline)) vd vd_log2(vd a)
{
    vd_log2_each(&a, 1, true);
    return a;
}

static inline __attribute__((always_inline)) vd vd_exp2(vd a)
{
    vd_exp2_each(&a, 1, true);
    return a;
}

/* As many for floats. */
#define VF_AT_ONCE 4

static inline __attribute__((always_inline)) void
vf_polynomials(const float *terms, const int length, const vf *r, vf *p, const int count)
{
    for (int i = 0; i < count; i++)
        p[i] = vf_fma(r[i], vf_all(terms[0]), vf_all(terms[1]));
    SHEPARD_UNROLL
    for (int term = 2; term < length; term++)
        for (int i = 0; i < count; i++)
            p[i] = vf_fma(p[i], r[i], vf_all(terms[term]));
}

#define VF_POLYNOMIALS(terms, r, p, count)                                                         \
    vf_polynomials(terms, sizeof(terms) / sizeof((terms)[0]), r, p, count)

/* log2 of normal positive numbers, as exponents and rests in [-1/2, 1/2]; relative error of the
 * rests' polynomial 7.8e-9. */
static inline __attribute__((always_inline)) void vf_log2_each(const vf *a, vf *exponent, vf *rest,
                                                               const int count)
{
    static const float terms[] = {
        -0.107497894181f, 0.184760333652f,  -0.191388376567f, 0.204857647786f,  -0.23960812191f,
        0.288552561437f,  -0.360696541808f, 0.480898520324f,  -0.721347354479f, 1.44269504f};
    const vi root = (vi)vf_all(0x1.6a09e6p-1f);
    vf t[VF_AT_ONCE], p[VF_AT_ONCE];
    for (int i = 0; i < count; i++) {
        const vi e = ((vi)a[i] - root) >> 23;
        t[i] = (vf)((vi)a[i] - (e << 23)) - 1;
        exponent[i] = __builtin_convertvector(e, vf);
    }
    VF_POLYNOMIALS(terms, t, p, count);
    for (int i = 0; i < count; i++)
        rest[i] = p[i] * t[i];
}

/* 2^(r + whole) for |r| <= 0.51 and an integer whole <= 126, 0 for whole <= -127; relative error of
 * the polynomial 7.9e-8, as often above as below. */
static inline __attribute__((always_inline)) void vf_exp2_each(const vf *r, const vi *whole, vf *to,
                                                               const int count)
{
    static const float terms[] = {0.00133908633647f, 0.00967603191832f, 0.0555035711422f,
                                  0.240221074853f,   0.693147188026f,   1.00000007545f};
    vf p[VF_AT_ONCE];
    VF_POLYNOMIALS(terms, r, p, count);
    for (int i = 0; i < count; i++)
        to[i] = p[i] * (vf)(vi_max(whole[i] + 127, (vi){0}) << 23);
}

/* log2 of normal positive numbers; absolute error of the polynomial 1.85e-6. */
static inline __attribute__((always_inline)) void vf_fast_log2_each(const vf *a, vf *to,
                                                                    const int count)
{
    /* log2 m - (m - 1) of a mantissa m in [1, 2), by powers of m - 3/2. */
    static const float terms[] = {-0.0256910789725f, 0.0439289701545f, -0.0703767329444f,
                                  0.14171805235f,    -0.320652294458f, -0.0381787650872f,
                                  0.0849630425325f};
    const vi one = (vi)vf_all(1);
    vf t[VF_AT_ONCE], p[VF_AT_ONCE];
    for (int i = 0; i < count; i++) {
        const vi bits = (vi)a[i];
        to[i] = __builtin_convertvector(bits - one, vf); /* exponent + m - 1, times 2^23 */
        t[i] = (vf)((bits & 0x7fffff) | one) - 1.5f;
    }
    VF_POLYNOMIALS(terms, t, p, count);
    for (int i = 0; i < count; i++)
        to[i] = vf_fma(to[i], vf_all(0x1p-23f), p[i]);
}

/* 2^(r + n) for |r| <= 1/2 and an integer n, |n| <= 126, of which whole is 1.5 * 2^23 + n; relative
 * error of the polynomial 2.65e-6. Of a larger n the result is any number. */
static inline __attribute__((always_inline)) void vf_fast_exp2_each(const vf *r, const vf *whole,
                                                                    vf *to, const int count)
{
    static const float terms[] = {0.00957010201463f, 0.0559178603063f, 0.24024744825f,
                                  0.693121814743f, 0.999999261447f};
    VF_POLYNOMIALS(terms, r, to, count);
    for (int i = 0; i < count; i++)
        to[i] = (vf)((vi)to[i] + ((vi)whole[i] << 23));
}

#endif
