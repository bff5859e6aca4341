/* SPDX-License-Identifier: MIT */
/** What sums over all points within a tolerance took, and how far they are from the truth. */
#ifndef SHEPARD_BENCH_TOLL_H
#define SHEPARD_BENCH_TOLL_H

#include "case.h"
#include "task.h"

struct shepard_toll {
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
 * Measures a task: several runs, exact sums at a part of the targets, and the error at `checked` of
 * them, or at more where data are few. Prints a line and records it as case `name`. False, said on
 * stderr, where anything failed, or the error is larger than the tolerance.
 */
bool shepard_toll_take(struct shepard_toll *toll, const char *name, const struct shepard_task *task,
                       const struct shepard_case *bench, size_t checked);

#endif
