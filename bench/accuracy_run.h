/* SPDX-License-Identifier: MIT */
/** A task measured: seconds of the preparation and of the predictions, memory, work, and the error.
 */
#ifndef SHEPARD_BENCH_ACCURACY_RUN_H
#define SHEPARD_BENCH_ACCURACY_RUN_H

#include "exact.h"
#include "record.h"

struct shepard_accuracy_run {
    struct shepard_task task;
    size_t step;                            /**< targets of a call, whole rows of a raster */
    const struct shepard_allocator *pinned; /**< of the predictions; NULL: malloc */
    double *values[SHEPARD_TASK_COLUMNS];   /**< [columns] of [step] */
    struct shepard_sample sample;           /**< compared with exact predictions */
    struct shepard_seconds first;           /**< total of the run before those that follow */
    struct shepard_runs create;             /**< points, field and shepard_prepare */
    struct shepard_runs predict;
    struct shepard_runs total;
    union shepard_task_stages stages[SHEPARD_REPEAT_MAX]; /**< of each run, on a GPU */
    struct shepard_timing median;                         /**< of these */
    struct shepard_work work;        /**< of the first run: to count may cost time */
    struct shepard_points_info info; /**< of points and field together; no notice */
    char notice[400];                /**< what was done otherwise than asked for; "" */
    double error;                    /**< the largest, a fraction of the value range */
};

/**
 * Opens a run whose task, step and pinned are set, with a sample of so many targets; runs once, the
 * first run apart from the others; finds the medians and the error, once it has run. SHEPARD_OK, or
 * what failed, said on stderr. Close it in any case.
 */
enum shepard_status shepard_accuracy_run_open(struct shepard_accuracy_run *run, size_t checked);
enum shepard_status shepard_accuracy_run_once(struct shepard_accuracy_run *run);
void shepard_accuracy_run_finish(struct shepard_accuracy_run *run);
void shepard_accuracy_run_close(struct shepard_accuracy_run *run);

/** Adds what was measured to the open object of the results. */
void shepard_accuracy_run_record(const struct shepard_accuracy_run *run);

#endif
