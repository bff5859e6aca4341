/* SPDX-License-Identifier: MIT */
/* Parameters of a covariance from data, by maximum likelihood (docs/math/likelihood.md). */
#ifndef SHEPARD_CORE_COVARIANCE_FIT_H
#define SHEPARD_CORE_COVARIANCE_FIT_H

#include "kernel/kernels.h"
#include "shepard/shepard.h"

/* What is given of the parameters, in user units; the others are NaN. */
struct shepard_covariance_given {
    enum shepard_covariance covariance;
    double psill, nugget, range, p, mean;
    double ratio, angle; /* as struct shepard_points_options has them; an angle without ratio: the
                            ratio is fitted at this angle */
};

struct shepard_covariance_data {
    size_t count;             /* n >= 1, at most SHEPARD_POINTS_MAX */
    const double *x, *y, *z;  /* [n], finite, user units */
    const double *height;     /* [n] the third coordinate of places; NULL: they have two */
    size_t covariates;        /* of a trend, which is found along with the covariance */
    double *const *covariate; /* [covariates] arrays [n], finite, of moderate size */
    double *coefficient;      /* [covariates] filled in */
    struct shepard_covariance_given given;
    bool needs_sill; /* a covariance without a bound is of no use */
    uint64_t seed;   /* of the order of the points; a fit depends on it and on the order in which
                        they are given */
    const struct shepard_kernels *kernels;
    int threads; /* >= 1; does not change the fit */
    const struct shepard_allocator *allocator;
    const struct shepard_control *control; /* may be NULL; progress only */
};

/* From so many points on a linear semivariogram gives way to a fit, and a fit of all parameters. */
#define SHEPARD_COVARIANCE_FIT_MIN 10
#define SHEPARD_COVARIANCE_FIT_ALL_MIN 30

/* In user units. psill = scale^2 and nugget = nugget_ratio psill within about 1e-290 and 1e290:
 * their ratio holds where the values' squares are beyond that. What was given has the same bits. */
struct shepard_covariance_fit {
    enum shepard_fit_form form;
    enum shepard_covariance covariance;
    double psill, nugget;
    double scale, nugget_ratio;
    double range; /* along the angle */
    double ratio; /* of the range along to that across; >= 1 unless it or the angle is given */
    double
        angle;   /* degrees counter-clockwise from +x, in (-90, 90] unless given; 0 if ratio is 1 */
    double p;    /* of SHEPARD_COVARIANCE_STABLE in [0.2, 1.95], unless given */
    double mean; /* of the field, by generalized least squares */

    /* For reports. */
    double objective;   /* at the fit (Eq. 68) */
    size_t evaluations; /* of the objective */
    size_t conditioned; /* points that the likelihood of the fit conditions */
    size_t clipped;     /* values held nearer to the others for the fit */
    bool anisotropic;   /* whether anisotropy was worth its parameters */
};

/* Finite whatever the data. Errors: SHEPARD_ERROR_MEMORY, _CANCELLED. */
enum shepard_status shepard_covariance_fit_run(const struct shepard_covariance_data *data,
                                               struct shepard_covariance_fit *fit,
                                               struct shepard_error *error);

#endif
