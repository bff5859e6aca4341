/* SPDX-License-Identifier: MIT */
/* Generalized least squares by Vecchia's approximation: what neighbours leave of the values, by
 * what they leave of the constant 1 and of covariates (Eq. 74 to 77 of docs/math.md). */
#ifndef SHEPARD_CORE_GLS_H
#define SHEPARD_CORE_GLS_H

#include "core/vecchia.h"

struct shepard_gls {
    const struct shepard_vecchia *sets;
    double *left; /* [groups, covariates, SHEPARD_CONDITION_LANES] of the covariates, set by whoever
                     conditions */
    double *coefficient; /* [covariates] of the last solution; 0 of those that it cannot tell */
    /* scratch */
    double **column; /* [1 + covariates] arrays of rows: the constant, then covariates */
    double *numbers; /* of these, and of the values */
    double *triangle, *least;
};

struct shepard_gls_value {
    double mean;
    double squares; /* sum of what is left, each over its variance and times its weight */
    size_t told;    /* covariates that could be told from those before: all, or the number of the
                       first that could not, which has the coefficient 0 as all after it */
};

/* sets must outlive it. On failure nothing is held. */
enum shepard_status shepard_gls_create(const struct shepard_vecchia *sets, struct shepard_gls *gls,
                                       struct shepard_error *error);

void shepard_gls_free(struct shepard_gls *gls);

/* The groups' covariates, and where what is left of them goes. */
struct shepard_condition_covariates shepard_gls_group(const struct shepard_gls *gls, size_t group);

/* conditionals: [groups] of the covariance; mean: NaN where it is not known. */
struct shepard_gls_value shepard_gls_solve(const struct shepard_gls *gls,
                                           const struct shepard_conditionals *conditionals,
                                           double mean);

/* Covariances of the coefficients of the last solution, which has told all, for a sill of 1:
 * [covariates, covariates]; mean: as it was given. */
enum shepard_status shepard_gls_covariance(const struct shepard_gls *gls, double mean,
                                           double *covariance, struct shepard_error *error);

#endif
