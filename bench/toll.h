/* SPDX-License-Identifier: MIT */
/** What sums over all points within a tolerance took, and how far they are from the truth. */
#ifndef SHEPARD_BENCH_TOLL_H
#define SHEPARD_BENCH_TOLL_H

#include "case.h"
#include "pool.h"
#include "sample.h"
#include "task.h"

/** Results of a part. */
struct shepard_surface {
    size_t columns;
    double *values[SHEPARD_CLOUD_COLUMNS]; /**< [columns] */
};

struct shepard_toll {
    struct shepard_task task; /**< with memory from the pool */
    struct shepard_pool *pool;
    struct shepard_seconds first; /**< total of the run before those that follow */
    struct shepard_surface surface;
    struct shepard_sample sample;
    struct shepard_runs create;  /**< of the model: sort, tree and moments */
    struct shepard_runs predict; /**< sort of the targets, neighbours and sums */
    struct shepard_runs total;
    struct shepard_work work; /**< of one run */
    double bytes;             /**< a point, that the model holds */
    const char *isa;          /**< static */
    size_t exact_targets;     /**< predicted with exact sums too, */
    double exact_seconds;     /**< and the wall seconds that all targets would take so */
    size_t checked;           /**< targets compared with the backend ref, */
    double error;             /**< and the largest difference, a fraction of the value range */
};

/** The tolerance, precision and threads of every such measurement. */
struct shepard_options shepard_toll_options(const struct shepard_case *bench);

/** Prints a title and the heads of the columns that shepard_toll_take prints. */
void shepard_toll_head(const char *title, const struct shepard_case *bench);

/**
 * Measures a task: a first run and several more, exact sums at a part of the targets, and the error
 * at `checked` of them, or at more where data are few. Prints a line and records it as case `name`.
 * False, said on stderr, where anything failed, or the error is larger than the tolerance.
 */
bool shepard_toll_take(struct shepard_toll *toll, const char *name, const struct shepard_task *task,
                       const struct shepard_case *bench, size_t checked);

/** The same in steps, so that runs of several tasks can take turns: opens, runs once, and does the
 * rest. What was opened is to be closed, also after a failure. */
bool shepard_toll_open(struct shepard_toll *toll, const struct shepard_task *task, size_t checked);
bool shepard_toll_run(struct shepard_toll *toll);
bool shepard_toll_close(struct shepard_toll *toll, const char *name,
                        const struct shepard_case *bench);

#endif
