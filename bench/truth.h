/* SPDX-License-Identifier: MIT */
/** Some of a task's targets, spread over all of them, and the exact predictions there: those of the
 * backend ref, every pair of target and point in double. */
#ifndef SHEPARD_BENCH_TRUTH_H
#define SHEPARD_BENCH_TRUTH_H

#include "task.h"

struct shepard_sample {
    const struct shepard_task *task;
    size_t count;
    size_t *index; /**< [count] of the targets, rising */
    double *x, *y; /**< [count]: their places */
    double *found; /**< [task->columns, count]: predictions kept; NaN until then */
    double *truth; /**< likewise */
};

/** Draws a sample of count targets, or of all where they are fewer; false where memory ran out.
 * Free it in either case. */
bool shepard_sample_draw(struct shepard_sample *sample, const struct shepard_task *task,
                         size_t count);
void shepard_sample_free(struct shepard_sample *sample);

/** Keeps, of a part's predictions, values [columns] of [part.count], those in the sample. */
void shepard_sample_keep(struct shepard_sample *sample, struct shepard_part part, size_t columns,
                         double *const *values);

/** Computes the truth; where that fails, said on stderr, it is NaN. */
void shepard_sample_solve(struct shepard_sample *sample);

/** The largest difference from the truth in the first columns, as a fraction of the column's value
 * range; NaN where a prediction is NaN or was not kept. */
double shepard_sample_error(const struct shepard_sample *sample, size_t columns);

#endif
