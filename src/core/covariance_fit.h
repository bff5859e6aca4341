/* SPDX-License-Identifier: MIT */
/* Parameters of a covariance from data, by maximum likelihood (docs/math/likelihood.md). */
#ifndef SHEPARD_CORE_COVARIANCE_FIT_H
#define SHEPARD_CORE_COVARIANCE_FIT_H

#include "kernel/kernels.h"
#include "shepard/shepard.h"

struct shepard_covariance_data {
    size_t count;            /* n >= 1, at most SHEPARD_POINTS_MAX */
    const double *x, *y, *z; /* [n], finite, user units */
    uint64_t seed;           /* of the order of the points; a fit depends on it and on the order in
                                which they are given */
    const struct shepard_kernels *kernels;
    int threads; /* >= 1; does not change the fit */
    const struct shepard_allocator *allocator;
    const struct shepard_control *control; /* may be NULL; progress only */
};

/* From so many points on a linear semivariogram gives way to a fit, and a fit of all parameters. */
#define SHEPARD_COVARIANCE_FIT_MIN 10
#define SHEPARD_COVARIANCE_FIT_ALL_MIN 30

enum shepard_fit_form {
    SHEPARD_FIT_CONSTANT, /* no structure, all values or all places are equal: psill = 0,
                                    nugget is the variance of the values */
    SHEPARD_FIT_LINEAR,   /* too few points: semivariance psill h / range, no nugget; range
                                    is the diagonal of the points' box */
    SHEPARD_FIT_STABLE    /* psill exp(-(h / range)^p), and the nugget at h = 0 */
};

/* In user units. For STABLE and LINEAR, psill = scale^2 and nugget = nugget_ratio psill; these two
 * are not finite or vanish if the values are beyond about 1e154 or below 1e-154, scale and
 * nugget_ratio never. */
struct shepard_covariance_fit {
    enum shepard_fit_form form;
    double psill, nugget;
    double scale, nugget_ratio;
    double range; /* along the angle, where it is longest */
    double ratio; /* of the longest to the shortest range, >= 1 */
    double angle; /* degrees counter-clockwise from +x, in (-90, 90]; 0 if ratio is 1 */
    double p;     /* in [0.2, 1.95] */
    double mean;  /* of the field, by generalized least squares */

    /* For reports. */
    double objective;   /* at the fit (Eq. 68) */
    size_t evaluations; /* of the objective */
    size_t conditioned; /* points that the likelihood of the fit conditions */
    size_t clipped;     /* values held nearer to the others for the fit */
    bool anisotropic;   /* whether anisotropy was worth its parameters */
};

/* Always finite but for what is said above. Errors: SHEPARD_ERROR_MEMORY, _CANCELLED. */
enum shepard_status shepard_covariance_fit_run(const struct shepard_covariance_data *data,
                                               struct shepard_covariance_fit *fit,
                                               struct shepard_error *error);

#endif
