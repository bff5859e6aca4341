/* SPDX-License-Identifier: MIT */
/* AIDW: the power of a target from the density round it (Eq. 2 to 7 of docs/math.md). */
#ifndef SHEPARD_CORE_ADAPT_H
#define SHEPARD_CORE_ADAPT_H

#include "kernel/cosine.h"

#include <math.h>
#include <stddef.h>

struct shepard_adapt {
    size_t k;          /* neighbours behind r_obs, 1 <= k <= n */
    double r_expected; /* r_exp, frame units, > 0 */
    double r_min, r_max;
    double alphas[5];
};

#define SHEPARD_PI 3.14159265358979323846

/* The expected nearest-neighbour distance of n points in area a: 1 / (2 sqrt(n / A)) (Eq. 2). */
static inline double shepard_adapt_expect_nearest(double n, double a)
{
    return 0.5 * sqrt(a / n);
}

/* The expected mean of the first k neighbour distances of a Poisson pattern:
 * (1/k) sum_{j=1..k} Gamma(j + 1/2) / Gamma(j) / sqrt(pi n / A). The ratio of Gammas for j + 1 is
 * that for j times (j + 1/2) / j (Eq. 7). */
static inline double shepard_adapt_expect_mean(double n, double a, size_t k)
{
    double ratio = sqrt(SHEPARD_PI) / 2, sum = 0;
    for (size_t j = 1; j <= k; j++) {
        sum += ratio;
        ratio *= ((double)j + 0.5) / (double)j;
    }
    return sum / (double)k / sqrt(SHEPARD_PI * n / a);
}

/* The same two of n points in a cube of side a: Gamma(4/3) (3 V / (4 pi n))^(1/3) (Eq. 101). */
static inline double shepard_adapt_expect_nearest_in_space(double n, double a)
{
    return tgamma(4.0 / 3) * cbrt(3 / (4 * SHEPARD_PI * n)) * a;
}

static inline double shepard_adapt_expect_mean_in_space(double n, double a, size_t k)
{
    double ratio = tgamma(4.0 / 3), sum = 0;
    for (size_t j = 1; j <= k; j++) {
        sum += ratio;
        ratio *= ((double)j + 1.0 / 3) / (double)j;
    }
    return sum / (double)k * cbrt(3 / (4 * SHEPARD_PI * n)) * a;
}

/* C (double) and CUDA (the precision of the kernel) share the code below. In CUDA, adapt is any
 * structure with the same fields. cos(pi a) by its own function needs no reduction of large
 * arguments on the device, which would be in double. Kernels have the same steps in vectors
 * (kernel/columns.c). */
#ifdef __CUDACC__
extern "C++" {
#define SHEPARD_ADAPT_FUNCTION                                                                     \
    template <class shepard_adapt_table, class shepard_adapt_real>                                 \
    __device__ inline shepard_adapt_real
#define SHEPARD_ADAPT_COSINE(a) cospi(a)
#else
#define SHEPARD_ADAPT_FUNCTION static inline double
#define shepard_adapt_table struct shepard_adapt
#define shepard_adapt_real double
#define SHEPARD_ADAPT_COSINE(a) shepard_cosine(a)
#endif

/* mu of R: a cosine from 0 at r_min to 1 at r_max (Eq. 5). */
SHEPARD_ADAPT_FUNCTION shepard_adapt_mu(const shepard_adapt_table *adapt, shepard_adapt_real r)
{
    const shepard_adapt_real half = (shepard_adapt_real)0.5;
    if (!(r > adapt->r_min))
        return 0;
    if (r >= adapt->r_max)
        return 1;
    return half - half * SHEPARD_ADAPT_COSINE((r - adapt->r_min) / adapt->r_max);
}

/* power of mu: piecewise linear through (0.1, a1) (0.3, a2) (0.5, a3) (0.7, a4) (0.9, a5) (Eq. 6).
 */
SHEPARD_ADAPT_FUNCTION shepard_adapt_power_of_mu(const shepard_adapt_table *adapt,
                                                 shepard_adapt_real mu)
{
    if (!(mu > (shepard_adapt_real)0.1))
        return adapt->alphas[0];
    if (mu >= (shepard_adapt_real)0.9)
        return adapt->alphas[4];
    const shepard_adapt_real position = (mu - (shepard_adapt_real)0.1) * 5;
    int i = (int)position;
    i = i > 3 ? 3 : i;
    const shepard_adapt_real t = position - (shepard_adapt_real)i;
    return (1 - t) * adapt->alphas[i] + t * adapt->alphas[i + 1];
}

/* power of the mean distance to the k nearest points, frame units (Eq. 3 and 4). */
SHEPARD_ADAPT_FUNCTION shepard_adapt_power(const shepard_adapt_table *adapt,
                                           shepard_adapt_real r_observed)
{
    return shepard_adapt_power_of_mu(adapt,
                                     shepard_adapt_mu(adapt, r_observed / adapt->r_expected));
}

#undef SHEPARD_ADAPT_FUNCTION
#undef SHEPARD_ADAPT_COSINE
#ifdef __CUDACC__
}
#else
#undef shepard_adapt_table
#undef shepard_adapt_real
#endif

#endif
