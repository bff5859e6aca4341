/* SPDX-License-Identifier: MIT */
/** Some of a task's targets, spread over all of them, and the exact predictions there: every pair
 * of target and point in double, by formula, none of the library's own sums; for planes the backend
 * ref. */
#ifndef SHEPARD_BENCH_EXACT_H
#define SHEPARD_BENCH_EXACT_H

#include "task.h"

/** The k nearest of all points, nearest first; k at most the dataset's n. */
void shepard_exact_nearest(const struct shepard_dataset *dataset, double x, double y, size_t k,
                           double *squared_distances, size_t *indices);

/**
 * Tasks may ask for IDW or AIDW with r_exp of the nearest neighbour and the default area, over all
 * points or the nearest max_points, at most 64; no other parameters but, at a list of targets, the
 * degree.
 */
struct shepard_sample {
    const struct shepard_task *task;
    size_t count;
    size_t *index; /**< [count] of the targets, rising */
    double *found; /**< [task->columns, count]: predictions kept; NaN until then */
    double *exact; /**< likewise */
};

/** Draws a sample of count targets, or of all where they are fewer; false where memory ran out.
 * Free it in either case. */
bool shepard_sample_draw(struct shepard_sample *sample, const struct shepard_task *task,
                         size_t count);
void shepard_sample_free(struct shepard_sample *sample);

/** Keeps, of a part's predictions, values [columns] of [part.count], those in the sample. */
void shepard_sample_keep(struct shepard_sample *sample, struct shepard_part part, size_t columns,
                         double *const *values);

/** Computes the exact predictions, on all cores. */
void shepard_sample_solve(struct shepard_sample *sample);

/** The largest difference from the exact predictions in the first columns, as a fraction of the
 * column's value range; NaN where a prediction is NaN or was not kept. */
double shepard_sample_error(const struct shepard_sample *sample, size_t columns);

#endif
