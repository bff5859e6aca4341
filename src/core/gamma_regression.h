/* SPDX-License-Identifier: MIT */
/* The mean of numbers that are not negative as a function of features: ln mean is linear in them.
 * Gamma regression with log link [MN89] (docs/math/standard-deviation.md). */
#ifndef SHEPARD_CORE_GAMMA_REGRESSION_H
#define SHEPARD_CORE_GAMMA_REGRESSION_H

#include <stddef.h>

#define SHEPARD_GAMMA_FEATURES_MAX 2

struct shepard_gamma_regression {
    size_t count, features;                      /* n >= 1; at most SHEPARD_GAMMA_FEATURES_MAX */
    const double *y;                             /* [n] >= 0, finite, not all 0 */
    const double *x[SHEPARD_GAMMA_FEATURES_MAX]; /* [features] of [n], finite */
    double pull_most;   /* y / mean counts as no more in the gradient; INFINITY: plain regression */
    double weight_most; /* and in the Hessian */
    double ridge;       /* on the squared slopes, >= 0; with 0 features must not be collinear */
    int steps;          /* of Newton's method, at most */
};

/* b [1 + features]: ln mean = b[0] + sum of b[1 + j] x[j]. */
void shepard_gamma_regression_run(const struct shepard_gamma_regression *regression, double *b);

#endif
