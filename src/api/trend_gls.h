/* SPDX-License-Identifier: MIT */
/* Coefficients of a trend by a covariance that is known (Eq. 74 to 77 of docs/math.md). */
#ifndef SHEPARD_API_TREND_GLS_H
#define SHEPARD_API_TREND_GLS_H

#include "api/points.h"

/* One value column. */
struct shepard_trend_gls {
    const struct shepard_points *points;
    const struct shepard_kriging *kriging;       /* complete */
    const struct shepard_covariates *covariates; /* checked */
    const double *values;                   /* [points->given], less the mean of simple kriging;
                                               NaN where a point does not count */
    double *const *covariate;               /* [p] arrays [points->given], NaN there, too */
    double *coefficients, *standard_errors; /* [p] filled in */
};

/* *used: points with coordinates that count; nothing is filled in where they are fewer than
 * shepard_covariates_least_points. Errors: SHEPARD_ERROR_ARGUMENT, _MEMORY, _BACKEND. */
enum shepard_status shepard_trend_gls_fit(const struct shepard_trend_gls *gls, size_t *used,
                                          struct shepard_error *error);

#endif
