/* SPDX-License-Identifier: MIT */
/** The file of --residuals: a point for each held-out datum, with what each algorithm predicts. */
#ifndef SHEPARD_CLI_RESIDUALS_H
#define SHEPARD_CLI_RESIDUALS_H

#include "job.h"

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

/** Room for so many rows; false when out of memory, said. */
bool shepard_residuals_make(struct shepard_residuals *residuals, size_t count, size_t algorithms);

/** Writes the file, with columns observed, nearest and fold, and predicted, residual and sd for
 * each algorithm, of the second on with its number behind. False on an error, said. */
bool shepard_residuals_write(const struct shepard_residuals *residuals, struct shepard_job *job);

void shepard_residuals_free(struct shepard_residuals *residuals);

#endif
