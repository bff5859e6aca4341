/* SPDX-License-Identifier: MIT */
#include "wide_kriging.h"

#include <float.h>
#include <math.h>

/* Of 113 bits, for sums, products and quotients alone. */
#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 wide_number;
#define WIDE_ENOUGH true
#else
typedef long double wide_number;
#define WIDE_ENOUGH (LDBL_MANT_DIG >= 113)
#endif

#define ROWS (WIDE_KRIGING_POINTS + 1)

static wide_number wide_sqrt(wide_number a)
{
    wide_number root = sqrtl((long double)a);
    for (int i = 0; i < 2 && root > 0; i++)
        root = (root + a / root) / 2;
    return root;
}

/* 1 - rho(h), h < 1, by the model's power series. */
static wide_number rise(enum shepard_covariance covariance, wide_number h)
{
    const bool gaussian = covariance == SHEPARD_COVARIANCE_GAUSSIAN;
    const wide_number a = gaussian ? h * h : h;
    wide_number term = -1, sum = 0;
    for (int n = 1; n < 40; n++) {
        term *= -a / n;
        sum += gaussian ? term : term * (1 - n);
    }
    return sum;
}

static wide_number semivariance(const struct shepard_kriging *kriging, wide_number dx,
                                wide_number dy)
{
    return rise(kriging->covariance, wide_sqrt(dx * dx + dy * dy) / kriging->range);
}

/* Solves a [n][n + 1] with pivots of the largest of their column; the solution is its last one. */
static void eliminate(wide_number a[ROWS][ROWS + 1], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t r = i; r < n; r++)
            if (fabsl((long double)a[r][i]) > fabsl((long double)a[best][i]))
                best = r;
        for (size_t j = 0; j <= n; j++) {
            const wide_number kept = a[i][j];
            a[i][j] = a[best][j];
            a[best][j] = kept;
        }
        for (size_t r = 0; r < n; r++) {
            const wide_number factor = r == i ? 0 : a[r][i] / a[i][i];
            for (size_t j = i; j <= n; j++)
                a[r][j] -= factor * a[i][j];
        }
    }
    for (size_t i = 0; i < n; i++)
        a[i][n] /= a[i][i];
}

bool wide_kriging_solve(struct slow_system *system)
{
    const struct shepard_kriging *kriging = system->kriging;
    const long double *x = system->x, *y = system->y;
    const size_t n = system->n;
    wide_number a[ROWS][ROWS + 1], largest = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            a[i][j] = semivariance(kriging, (wide_number)x[i] - x[j], (wide_number)y[i] - y[j]);
        a[i][n + 1] = semivariance(kriging, x[i], y[i]);
        largest = a[i][n + 1] > largest ? a[i][n + 1] : largest;
    }
    for (size_t i = 0; i < n; i++)
        a[i][n] = a[n][i] = largest;
    a[n][n] = 0;
    a[n][n + 1] = largest;
    eliminate(a, n + 1);
    for (size_t i = 0; i < n; i++)
        system->weight[i] = (long double)a[i][n + 1];
    return WIDE_ENOUGH;
}
