/* SPDX-License-Identifier: MIT */
/** The trend of the columns of one surface on the covariates. */
#ifndef SHEPARD_CLI_COLUMN_TREND_H
#define SHEPARD_CLI_COLUMN_TREND_H

#include "covariate.h"

struct shepard_column_group;

/** Of p covariates; NULL where there is no trend. */
struct shepard_column_trend {
    const char *estimator;   /**< of the coefficients, static */
    double *coefficients;    /**< [columns, p] */
    double *standard_errors; /**< [columns, p] */
    double *rmse;            /**< [columns] leave-one-out, with the trend */
    double *rmse_without;    /**< [columns] */
    size_t *used;            /**< [columns] points */
    double *residuals;       /**< [columns, points] what is left to interpolate */
};

/** Fits the trend of a surface, which has its columns and parameters, on points of the library;
 * instead of one that it has. */
bool shepard_column_trend_fit(struct shepard_column_group *surface,
                              const struct shepard_covariate_list *covariates,
                              const struct shepard_points *places,
                              const struct shepard_point_set *points, struct shepard_job *job);

/** Adds the trend of a column, by covariates at[], to predictions of what was left. */
void shepard_column_trend_add(const struct shepard_column_trend *trend, size_t column,
                              const struct shepard_covariate_list *covariates,
                              const double *const *at, size_t count, double *values);

/** Adds the trend at the data of numbers at[], to predictions of what was left; rest: that of all
 * data, the residuals of their column. */
void shepard_column_trend_add_back(const double *data, const double *rest, const uint32_t *at,
                                   size_t count, double *predicted);

/** Appends "zinc: dist -1008.2 (191.0), ...", coefficients with their standard errors. */
bool shepard_column_trend_text(const struct shepard_column_trend *trend, size_t column,
                               const struct shepard_covariate_list *covariates, const char *name,
                               char **text);

/** Prints this, and the errors with and without the trend, in a line. */
void shepard_column_trend_print(const struct shepard_column_trend *trend, size_t column,
                                const struct shepard_covariate_list *covariates, const char *name);

void shepard_column_trend_free(struct shepard_column_trend *trend);

#endif
