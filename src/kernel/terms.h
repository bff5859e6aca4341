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

/* The moment M_mk, m + 2k = degree, of a charge that stands in the form of node.h, not doubled; for
 * m = -1 the conjugate of M_1(k - 1). */
struct shepard_term {
    double re, im;
};

static inline struct shepard_term shepard_terms_read(const double *moments, int m, int k)
{
    if (m < 0) {
        const struct shepard_term mirrored = shepard_terms_read(moments, -m, k + m);
        return (struct shepard_term){mirrored.re, -mirrored.im};
    }
    const double *at = moments + shepard_terms_at(m + 2 * k, k);
    return m == 0 ? (struct shepard_term){at[0], 0} : (struct shepard_term){at[0] / 2, at[1] / 2};
}

/* Moments of the charges times x (or y) / rho, from one degree more: with M'_jk about conjugate
 * powers, x = (Y + conj Y) / 2 and y = (Y - conj Y) / 2i raise one index each (Eq. 35). */
static inline void shepard_terms_raise(const double *moments, bool along_y, int order,
                                       double *raised)
{
    for (int l = 0; l <= order; l++)
        for (int k = 0; 2 * k <= l; k++) {
            const int m = l - 2 * k;
            const struct shepard_term up = shepard_terms_read(moments, m + 1, k);
            const struct shepard_term down = shepard_terms_read(moments, m - 1, k + 1);
            const double part = m > 0 ? 1 : 0.5;
            double *at = raised + shepard_terms_at(l, k);
            at[0] = part * (along_y ? up.im - down.im : up.re + down.re);
            if (m > 0)
                at[1] = along_y ? down.re - up.re : up.im + down.im;
        }
}

#endif
