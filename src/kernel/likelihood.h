/* SPDX-License-Identifier: MIT */
/* Values of a Gaussian field conditional on a few neighbours (Eq. 64 and 65 of docs/math.md),
 * several points side by side. */
#ifndef SHEPARD_KERNEL_LIKELIHOOD_H
#define SHEPARD_KERNEL_LIKELIHOOD_H

#include "shepard/shepard.h"

#include <stddef.h>

/* Points side by side: whole vectors of every instruction set. */
#define SHEPARD_CONDITION_LANES 8
/* Most neighbours of a point. */
#define SHEPARD_CONDITION_MAX 15

/* Covariance rho(h) of a model with the range 1 (Eq. 53), h^2 = u^2 + v^2 + w^2, for
 * u = ux dx + uy dy, v = vx dx + vy dy (Eq. 62), w = wz times what is between heights, and a
 * nugget: the sill without it is 1. linear: 1 - h. */
struct shepard_covariance_shape {
    double ux, uy, vx, vy, wz;
    enum shepard_covariance covariance;
    double p;      /* of SHEPARD_COVARIANCE_STABLE, in (0, 2] */
    double nugget; /* >= 0 */
};

/* Points with equally many neighbours each: [neighbours + 1, SHEPARD_CONDITION_LANES], the points
 * themselves last. */
struct shepard_conditioning {
    size_t neighbours; /* at most SHEPARD_CONDITION_MAX */
    const double *x, *y, *z;
    const double *height; /* the third coordinate; NULL: places have two */
};

/* More values at the same points, those of covariates, by columns. */
struct shepard_condition_covariates {
    size_t count;
    size_t stride;       /* from a column to the next */
    const double *given; /* columns [neighbours + 1, SHEPARD_CONDITION_LANES] */
    double *left;        /* [count, SHEPARD_CONDITION_LANES] what the neighbours leave of them */
};

/* What the neighbours leave of the value, of the constant 1, and of the variance. */
struct shepard_conditionals {
    double value[SHEPARD_CONDITION_LANES], one[SHEPARD_CONDITION_LANES];
    double variance[SHEPARD_CONDITION_LANES], log_variance[SHEPARD_CONDITION_LANES];
};

/* Pivots of a covariance matrix below this are rounding errors: the lane is computed again with
 * this added to the diagonal, then more, factor by factor. */
#define SHEPARD_PIVOT_MIN 1e-14
#define SHEPARD_JITTER 1e-10
#define SHEPARD_JITTER_FACTOR 100
#define SHEPARD_JITTER_MAX 1e-2

#endif
