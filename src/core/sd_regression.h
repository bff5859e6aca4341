/* SPDX-License-Identifier: MIT */
/* The standard deviation of errors as a function of features: ln sd^2 is linear in them. The
 * coefficients have the least sum of a score of the errors (docs/math/standard-deviation.md). */
#ifndef SHEPARD_CORE_SD_REGRESSION_H
#define SHEPARD_CORE_SD_REGRESSION_H

#include <stddef.h>

#define SHEPARD_SD_REGRESSION_FEATURES_MAX 2

struct shepard_sd_regression {
    size_t count, features; /* n >= 1; at most SHEPARD_SD_REGRESSION_FEATURES_MAX */
    const double *errors;   /* [n] >= 0, finite: without their signs */
    const double *x[SHEPARD_SD_REGRESSION_FEATURES_MAX]; /* [features] of [n], finite */
    double unit;  /* of errors, > 0: near the typical one, where the search begins */
    double ridge; /* on the squared slopes, > 0 */
    int steps;    /* of Newton's method, at most */
};

/* b [1 + features]: ln (sd / unit)^2 = b[0] + sum of b[1 + j] x[j]. Finite. */
void shepard_sd_regression_run(const struct shepard_sd_regression *regression, double *b);

/* The score of an error >= 0 by a standard deviation (Eq. 85), less that by a standard deviation of
 * 0, which is the error: so large errors leave the digits of others. */
double shepard_sd_score(double error, double sd);

#endif
