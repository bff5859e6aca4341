/* SPDX-License-Identifier: MIT */
/** One thing to predict: a cloud's data at its targets, or at the cells of a raster over its
 * square, by a formula. */
#ifndef SHEPARD_BENCH_TASK_H
#define SHEPARD_BENCH_TASK_H

#include "cloud.h"

struct shepard_task {
    const struct shepard_cloud *cloud;
    struct shepard_options options;
    size_t columns; /**< of the cloud's values, that take part */
    size_t side;    /**< cells along a side of the raster; 0: the cloud's targets */
};

/** Targets of a task, from one on; whole rows of a raster. */
struct shepard_part {
    size_t first;
    size_t count;
};

/** The raster over the cloud's square, north-up; side > 0. */
struct shepard_raster shepard_task_raster(const struct shepard_task *task);

/** Number of targets. */
size_t shepard_task_targets(const struct shepard_task *task);

/** The place of target i, as shepard_predict_points takes it. */
void shepard_task_place(const struct shepard_task *task, size_t i, double *x, double *y);

/** Targets that one call predicts: all, or, of a large raster, a window of whole rows, so that the
 * results need not be in memory at once. */
size_t shepard_task_step(const struct shepard_task *task);

/** A part of at least `least` targets (or all) that stands for the whole: the first ones of a list,
 * which are drawn in no order, the middle rows of a raster. At most a step. */
struct shepard_part shepard_task_piece(const struct shepard_task *task, size_t least);

/** Makes the model or says on stderr why not; NULL then. */
struct shepard_model *shepard_task_model(const struct shepard_task *task);

/** Predicts a part into values, [columns] of [part.count], and counts; false, said on stderr, where
 * that failed. */
bool shepard_task_predict(const struct shepard_task *task, const struct shepard_model *model,
                          struct shepard_part part, double *const *values,
                          struct shepard_work *work);

#endif
