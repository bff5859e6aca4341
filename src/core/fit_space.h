/* SPDX-License-Identifier: MIT */
/* What a fit of a covariance searches, and which covariance a place there stands for (Eq. 62). */
#ifndef SHEPARD_CORE_FIT_SPACE_H
#define SHEPARD_CORE_FIT_SPACE_H

#include "core/likelihood.h"

/* ln a, ln nugget, p, ln r cos 2 theta, ln r sin 2 theta; where the direction is given ln r stands
 * in place of the fourth. */
enum shepard_fit_axis {
    SHEPARD_FIT_LN_RANGE,
    SHEPARD_FIT_LN_NUGGET,
    SHEPARD_FIT_P,
    SHEPARD_FIT_STRETCH,
    SHEPARD_FIT_STRETCH_ACROSS,
    SHEPARD_FIT_AXES
};

/* Values other than NaN are given: in units in which data are scaled (Eq. 69), radians. */
struct shepard_fit_space {
    enum shepard_covariance covariance;
    double psill, nugget, range, p, mean;
    double ln_ratio, angle;
    double spacing;  /* the mean one of the data */
    double diagonal; /* of the box of the places */
};

/* Whether an axis is to be searched. */
bool shepard_fit_space_has(const struct shepard_fit_space *space, enum shepard_fit_axis axis);

/* What is given, and 0 elsewhere, p = 1. */
void shepard_fit_space_start(const struct shepard_fit_space *space, double *at);

/* ln r, below 0 only where the direction is given, and the direction. */
double shepard_fit_space_ln_ratio(const struct shepard_fit_space *space, const double *at);
double shepard_fit_space_direction(const struct shepard_fit_space *space, const double *at);

struct shepard_covariance_shape shepard_fit_space_shape(const struct shepard_fit_space *space,
                                                        const double *at);

/* The range along the direction. */
double shepard_fit_space_range(const struct shepard_fit_space *space, const double *at);

/* What the likelihood there need not find. */
struct shepard_likelihood_known shepard_fit_space_known(const struct shepard_fit_space *space,
                                                        const double *at);

/* What keeps parameters that the data do not tell within bounds (Eq. 68). */
double shepard_fit_space_penalty(const struct shepard_fit_space *space, const double *at);

#endif
