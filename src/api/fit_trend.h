/* SPDX-License-Identifier: MIT */
/* The trend of the values that a covariance is fitted to: ordinary least squares takes it out, and
 * the fit finds what these have missed. */
#ifndef SHEPARD_API_FIT_TREND_H
#define SHEPARD_API_FIT_TREND_H

#include "shepard/shepard.h"

struct shepard_fit_trend {
    const struct shepard_covariates *covariates; /* checked */
    double **column;      /* [count] arrays [points]: of moderate size, once it is taken out */
    double *found;        /* [count] coefficients of the columns in what was left, to be filled */
    double *ordinary;     /* [count] those taken out */
    double *mean, *scale; /* [count] column = (covariate - mean) / scale */
    double *room;
    size_t points; /* there is room for */
    const struct shepard_allocator *allocator;
};

/* For so many points at most. False: out of memory; free it in any case. */
bool shepard_fit_trend_create(const struct shepard_covariates *covariates, size_t points,
                              const struct shepard_allocator *allocator,
                              struct shepard_fit_trend *trend);

void shepard_fit_trend_free(struct shepard_fit_trend *trend);

/* Copies the covariates of point `from`. */
void shepard_fit_trend_put(const struct shepard_fit_trend *trend, size_t from, size_t to);

/* z [count] becomes what is left of it, with the same mean; known: the mean of that, or NaN.
 * Refuses covariates that tell nothing, and too few points. */
enum shepard_status shepard_fit_trend_take_out(const struct shepard_fit_trend *trend, size_t count,
                                               double known, double *z,
                                               struct shepard_error *error);

/* What the trend is at the means of the covariates. */
double shepard_fit_trend_mean(const struct shepard_fit_trend *trend);

#endif
