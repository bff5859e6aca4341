/* SPDX-License-Identifier: MIT */
/** The error of a method: its values at a sample of the targets against exact sums in double,
 * by shepard's own backend cpu, which the tests compare with plain summation. */
#ifndef SHEPARD_PAPERS_ERROR_CHECK_H
#define SHEPARD_PAPERS_ERROR_CHECK_H

#include "dataset.h"
#include "workload.h"

/** Largest number of targets in a sample: all of them where they are fewer. */
#define SHEPARD_ERROR_CHECK_SAMPLE 1000

struct shepard_error_check {
    size_t arrays, m; /**< of predictions, set by set, column by column; targets of each */
    size_t count;     /**< targets in the sample, the same of each set */
    size_t *index;    /**< [count] of the targets, rising */
    double *exact;    /**< [arrays, count] */
    double range[SHEPARD_PAPER_COLUMNS_MAX];
};

/** Draws the sample of a case and computes its exact values. Free the check in either case. */
enum shepard_status shepard_error_check_prepare(struct shepard_error_check *check,
                                                const struct shepard_workload *job,
                                                const struct shepard_dataset *dataset, int threads,
                                                struct shepard_error *error);

void shepard_error_check_free(struct shepard_error_check *check);

/** Largest |value - exact| / range over the sample and the arrays; NaN where any of the m values
 * of an array is NaN. */
double shepard_error_check_largest(const struct shepard_error_check *check, double *const *values);

#endif
