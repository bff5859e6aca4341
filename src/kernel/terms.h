/* SPDX-License-Identifier: MIT */
/* Where the numbers of an expansion stand (node.h), and the moments of charges times coordinates.
 */
#ifndef SHEPARD_KERNEL_TERMS_H
#define SHEPARD_KERNEL_TERMS_H

#include "kernel/sums.h"

#include <stdbool.h>

/* Where factor beta_mk, m + 2k = degree, stands, and where the moment M_mk. */
static inline int shepard_terms_factor(int degree, int k)
{
    return (degree + 1) * (degree + 1) / 4 + k;
}

/* Where the coefficients of factor beta_mk with smoothing stand, j = 0 to k of Eq. 28a. */
static inline int shepard_terms_smooth(int degree, int k)
{
    const int half = degree / 2, odd = degree % 2;
    /* Two degrees after the other have the same numbers: of degree l there are
     * (l / 2 + 1) (l / 2 + 2) / 2. */
    const int pairs = half * (half + 1) * (half + 2) / 3;
    return pairs + odd * (half + 1) * (half + 2) / 2 + k * (k + 1) / 2;
}

static inline int shepard_terms_at(int degree, int k)
{
    return degree * (degree + 1) / 2 + 2 * k;
}

/* The factors beta_mk without smoothing (Eq. 27), one for each number of the moments. */
static inline void shepard_terms_make(int order, double lambda, double *terms)
{
    double a[SHEPARD_ORDER_MAX + 1] = {1};
    for (int j = 1; j <= order; j++)
        a[j] = a[j - 1] * (lambda + (j - 1)) / j;
    for (int l = 0; l <= order; l++)
        for (int k = 0; 2 * k <= l; k++) {
            double *at = terms + shepard_terms_at(l, k);
            at[0] = a[l - k] * a[k];
            if (2 * k < l)
                at[1] = at[0];
        }
}

/* Moments of the charges times x (or y) / rho, from one degree more: with moments of conjugate
 * powers, x = (Y + conj Y) / 2 and y = (Y - conj Y) / 2i raise one index each (Eq. 35). Those of
 * m = 0 are not doubled, unlike the others. */
static inline void shepard_terms_raise(const double *moments, bool along_y, int order,
                                       double *raised)
{
    for (int l = 0; l <= order; l++) {
        const double *row = moments + shepard_terms_at(l + 1, 0);
        double *at = raised + shepard_terms_at(l, 0);
        const int last = l / 2 * 2; /* of m = 0 or 1 */
        for (int j = 0; j < last && !along_y; j++)
            at[j] = (row[j] + row[j + 2]) / 2;
        for (int j = 0; j < last && along_y; j += 2) {
            at[j] = (row[j + 1] - row[j + 3]) / 2;
            at[j + 1] = (row[j + 2] - row[j]) / 2;
        }
        at[last] = row[last + along_y] / 2;
        if (l % 2 == 1) {
            at[last] += along_y ? 0 : row[last + 2];
            at[last + 1] = along_y ? row[last + 2] - row[last] / 2 : row[last + 1] / 2;
        }
    }
}

#endif
