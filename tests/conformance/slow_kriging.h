/* SPDX-License-Identifier: MIT */
/* Kriging as textbooks have it (Cressie 1993, section 3.2 to 3.4): the bordered system of
 * covariances or semivariances, by Gaussian elimination in long double. Shares nothing with the
 * library. */
#ifndef SHEPARD_TESTS_SLOW_KRIGING_H
#define SHEPARD_TESTS_SLOW_KRIGING_H

#include "shepard/shepard.h"

/* Points used at a target, as offsets from it in the metric of the range. No two are at one place,
 * and none is at the target. */
struct slow_system {
    const struct shepard_kriging *kriging;
    size_t n;
    const long double *x, *y;
    long double *weight; /* [n] found */
    long double mean_weight, variance;
};

void slow_kriging_solve(struct slow_system *system);

/* What values [n] at the points multiply the variance by where it follows them. */
long double slow_kriging_scaling(const struct slow_system *system, const long double *values);

#endif
