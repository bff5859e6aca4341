/* SPDX-License-Identifier: MIT */
/* Covariates of a call: checks, and numbers that least squares can work with. */
#ifndef SHEPARD_API_COVARIATES_H
#define SHEPARD_API_COVARIATES_H

#include "shepard/shepard.h"

/* The arrays of a struct of the caller, named `argument`: each [n]; *resolved [count]: columns of
 * resolved strides. */
enum shepard_status shepard_columns_check(const struct shepard_array *columns, ptrdiff_t stride,
                                          size_t count, const char *argument, size_t n,
                                          struct shepard_array *resolved,
                                          struct shepard_error *error);

/* *own: the caller's, checked, with columns of resolved strides that are own and have to be
 * released; on failure, too. n: points. */
enum shepard_status shepard_covariates_take(const struct shepard_covariates *given, size_t n,
                                            const struct shepard_allocator *allocator,
                                            struct shepard_covariates *own,
                                            struct shepard_error *error);

/* The same as columns, which have been checked. */
void shepard_covariates_release(struct shepard_covariates *own,
                                const struct shepard_allocator *allocator);

/* Whether point i has all. */
bool shepard_covariates_has(const struct shepard_covariates *covariates, size_t i);

/* From so many points on a trend says something: errors of predictions at n places have n - 1
 * dimensions, for a constant is predicted without one. */
size_t shepard_covariates_least_points(const struct shepard_covariates *covariates);

/* The error of a covariate that tells nothing: "NAME why: leave it out". */
enum shepard_status shepard_covariates_refuse(const struct shepard_covariates *covariates, size_t j,
                                              const char *why, struct shepard_error *error);

/* Covariates over their largest difference from their means. */
struct shepard_scaled_covariates {
    size_t points;
    double *const *column; /* [count] arrays [points], to be filled: (c - mean) / scale */
    double *mean, *scale;  /* [count], to be filled */
};

/* from: [count] arrays [n], NaN at the same places, scaled->points others. Refuses a constant. */
enum shepard_status shepard_covariates_scale(const struct shepard_covariates *covariates, size_t n,
                                             double *const *from,
                                             const struct shepard_scaled_covariates *scaled,
                                             struct shepard_error *error);

/* Refuses what is a linear function of those before it. Overwrites the columns; triangle [count,
 * count], least [count]: scratch. */
enum shepard_status shepard_covariates_check_rank(const struct shepard_covariates *covariates,
                                                  const struct shepard_scaled_covariates *scaled,
                                                  double *triangle, double *least,
                                                  struct shepard_error *error);

#endif
