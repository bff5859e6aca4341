/* SPDX-License-Identifier: MIT */
/** The file of --residuals: a point for each held-out datum, with what each algorithm predicts. */
#ifndef SHEPARD_CLI_RESIDUALS_H
#define SHEPARD_CLI_RESIDUALS_H

#include "input.h"

#include "shepard/shepard_validate.h"

struct shepard_residuals {
    const char *srs; /**< WKT; NULL: unknown */
    size_t count;    /**< rows */
    double *x, *y;   /**< [count] */
    double *observed;
    double *fold;    /**< NULL: none */
    double *nearest; /**< NULL: not known */
    size_t algorithms;
    double *predicted; /**< [algorithms][count] */
    double *sds;       /**< [algorithms][count] */
};

/** Room for a row for each point held out of a column, with what is known before any prediction;
 * info: NULL where all points of the column are. False when out of memory, said. */
bool shepard_residuals_of_points(struct shepard_residuals *residuals,
                                 const struct shepard_point_set *points, size_t column,
                                 const struct shepard_holdout_info *info, size_t algorithms);

/** Writes the file, with columns observed, nearest and fold, and predicted, residual and sd for
 * each algorithm, of the second on with its number behind. False on an error, said. */
bool shepard_residuals_write(const struct shepard_residuals *residuals, struct shepard_job *job);

void shepard_residuals_free(struct shepard_residuals *residuals);

#endif
