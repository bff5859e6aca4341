/* SPDX-License-Identifier: MIT */
#include "core/complex_table.h"

#include "kernel/batch.h"

#include <math.h>
#include <string.h>

/* Coefficients of x^(l - b) y^b, b = 0 to l, in the real (part 0) or imaginary (part 1) part of
 * z^m |z|^2k; others are 0. Integers below 2^DEGREE_MAX: exact. */
static void expand(int m, int k, int part, double *coefficients)
{
    double binomial = 1;
    memset(coefficients, 0, (size_t)(m + 2 * k + 1) * sizeof *coefficients);
    for (int b = 0; b <= m; b++) {
        if (b % 2 == part)
            coefficients[b] = b % 4 < 2 ? binomial : -binomial;
        binomial = rint(binomial * (m - b) / (b + 1));
    }
    for (int i = 1; i <= k; i++)
        for (int b = m + 2 * i; b >= 2; b--)
            coefficients[b] += coefficients[b - 2];
}

void shepard_complex_table(int degree, double *table)
{
    double coefficients[SHEPARD_DEGREE_MAX + 1];
    for (int l = 0; l <= degree; l++)
        for (int row = 0; row <= l; row++) {
            const int k = row / 2, m = l - 2 * k;
            expand(m, k, row % 2, coefficients);
            for (int b = row % 2; b <= l; b += 2)
                *table++ = (m > 0 ? 2 : 1) * coefficients[b];
        }
}
