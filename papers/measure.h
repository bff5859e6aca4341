/* SPDX-License-Identifier: MIT */
/** Times a method on a case, within a budget. */
#ifndef SHEPARD_PAPERS_MEASURE_H
#define SHEPARD_PAPERS_MEASURE_H

#include "dataset.h"
#include "error_check.h"
#include "results.h"

/** Largest number of runs of a measurement. */
#define SHEPARD_PAPER_RUNS_MAX 100

/** How to measure. */
struct shepard_measure_options {
    double budget; /**< seconds that one run may take */
    int runs; /**< their median counts, the mean is kept; at most SHEPARD_PAPER_RUNS_MAX; 1 if a run
                 takes more than 5 seconds */
    int threads; /**< of the library; 0: OpenMP's own number */
};

/** One case, its data and exact values. The dataset has the case's sets one after another. */
struct shepard_measure_case {
    struct shepard_workload job;
    const struct shepard_dataset *dataset; /**< of at least the case's sizes */
    const struct shepard_error_check *check;
    double **values; /**< [arrays] of [m]: room for predictions, set by set, column by column */
};

/**
 * Measures a method on a case, into *measurement, after one small run that is not timed. Its time
 * is estimated from the results so far, or from runs of 1K x 1K points and more. If it exceeds the
 * budget it is extrapolated (serial methods) or the method is skipped. A failure is a measurement
 * too.
 */
void shepard_measure(size_t method, const struct shepard_measure_case *on,
                     const struct shepard_measure_options *options,
                     const struct shepard_paper_results *results,
                     struct shepard_measurement *measurement);

#endif
