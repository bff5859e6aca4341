/* SPDX-License-Identifier: MIT */
/* Data with covariates, trends of them, and errors of predictions with a trend. */
#ifndef SHEPARD_TESTS_TREND_CASE_H
#define SHEPARD_TESTS_TREND_CASE_H

#include "base/random.h"
#include "shepard/shepard.h"

#define POINTS 240 /* most */
#define P 3        /* covariates */
#define Z 2        /* value columns */

struct trend_data {
    size_t n, p, columns;
    double x[POINTS], y[POINTS], weights[POINTS];
    double z[Z][POINTS], c[P][POINTS];
    bool weighted;
    double ratio, angle; /* anisotropy; 0: none */
};

/* What a fit says. */
struct trend_outcome {
    enum shepard_status status;
    struct shepard_error error;
    double b[Z * P], se[Z * P], rmse[Z], without[Z];
    double rest[Z][POINTS];
    size_t used[Z];
};

/* What points are made for. */
extern enum shepard_backend trend_backend;

/* Values that depend on three covariates with the coefficients 0.25, -8 and 900, and that do not.
 */
void trend_data_make(struct shepard_random *random, struct trend_data *data);

struct shepard_parameters trend_parameters(const char *text);

/* Parameters of a text. What kriging leaves open is fitted to the first value column, *info says
 * how, and the data take its anisotropy. */
struct shepard_parameters trend_parameters_fit(struct trend_data *data, const char *text,
                                               bool with_trend, struct shepard_fit_info *info);

struct shepard_points *trend_points(const struct trend_data *data);

/* names: of covariates, may be NULL. */
struct trend_outcome trend_fit(const struct trend_data *data,
                               const struct shepard_parameters *parameters,
                               const char *const *names);

/* Errors of the leave-one-out predictions of one column, by itself. */
void trend_leave_one_out(const struct trend_data *data, const struct shepard_parameters *parameters,
                         const double *column, double *errors);

/* Solves p x p systems by elimination with pivoting: a [p, width], the right sides behind the
 * matrix become the solutions. */
void trend_eliminate(size_t p, size_t width, long double *a);

/* Zinc, the root of the distance to the river, and the height of the ground. False: not there. */
bool trend_read_zinc(const char *folder, struct trend_data *data);

/* Mean over divisions of the root mean square error of 10 folds. */
struct trend_fold_errors {
    double without, with;
};

/* text: parameters; what kriging leaves open is fitted to the points outside each fold. */
struct trend_fold_errors trend_fold_errors(const struct trend_data *data, const char *text,
                                           int divisions, struct shepard_random *random);

#endif
