/* SPDX-License-Identifier: MIT */
/** Some of a task's targets, spread over all of them, to compare what was predicted there with the
 * exact sums of the backend ref. */
#ifndef SHEPARD_BENCH_SAMPLE_H
#define SHEPARD_BENCH_SAMPLE_H

#include "task.h"

struct shepard_sample {
    const struct shepard_task *task;
    size_t count;
    size_t *index; /**< [count], rising */
    double *found; /**< [task->columns, count]: predictions kept; NaN until then */
};

/** Draws a sample of count targets, or of all where they are fewer; false where memory ran out.
 * Free it in either case. */
bool shepard_sample_draw(struct shepard_sample *sample, const struct shepard_task *task,
                         size_t count);

void shepard_sample_free(struct shepard_sample *sample);

/** Keeps, of a part's predictions, values [columns] of [part.count], those in the sample. */
void shepard_sample_keep(struct shepard_sample *sample, struct shepard_part part,
                         double *const *values);

/** The largest difference from the truth, as a fraction of the column's value range, into *error;
 * NaN where a prediction is NaN or was not kept. False, said on stderr, where the truth was not
 * found. */
bool shepard_sample_error(const struct shepard_sample *sample, double *error);

#endif
