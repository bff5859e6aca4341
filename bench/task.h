/* SPDX-License-Identifier: MIT */
/** One thing to predict: a dataset at its targets, or at the cells of a raster over its square,
 * with some parameters. */
#ifndef SHEPARD_BENCH_TASK_H
#define SHEPARD_BENCH_TASK_H

#include "papers/dataset.h"

/** Largest number of value columns of a task. */
#define SHEPARD_TASK_COLUMNS 8

/** Parameters that vary from task to task. */
struct shepard_variant {
    const char *name;
    enum shepard_method method;
    double power;      /**< 0: the default */
    size_t neighbours; /**< 0: all points */
    int degree;
};

struct shepard_task {
    const struct shepard_dataset *dataset;
    struct shepard_points_options options;
    struct shepard_parameters parameters;
    size_t column;                /**< the first of the dataset's columns that takes part, */
    size_t columns;               /**< and how many do */
    size_t side;                  /**< cells along a side of the raster; 0: the dataset's targets */
    bool leave_one_out;           /**< at its data points instead, each left out */
    double *sds;                  /**< room for sd of one column; NULL: not wanted */
    struct shepard_memory memory; /**< of the dataset's arrays and the predictions */
};

/** Points with a field on them. */
struct shepard_preparation {
    struct shepard_points *points;
    struct shepard_field *field;
};

/** Targets of a task, from one on; whole rows of a raster. */
struct shepard_part {
    size_t first, count;
};

/** A dataset drawn from the fixed seeds, the same in each run; false, said on stderr, where memory
 * ran out. Free it in either case. */
bool shepard_task_draw(struct shepard_dataset *dataset, enum shepard_dataset_kind kind, size_t n,
                       size_t m, size_t columns);

/** A task of a dataset's first column: a variant's parameters, single precision, eps 1e-4, else the
 * defaults; the backend cpu, so that figures are of the CPU, whatever is there, and so many
 * threads.
 */
struct shepard_task shepard_task_of(const struct shepard_dataset *dataset, size_t threads,
                                    const struct shepard_variant *variant);

/** All targets. */
struct shepard_part shepard_task_all(const struct shepard_task *task);

/** The place of target i, as shepard_predict takes it. */
void shepard_task_place(const struct shepard_task *task, size_t i, double *x, double *y);

/** Makes points; points and a field; both, prepared for the task's parameters; predicts a part into
 * values, [columns] of [part.count]. Each says on stderr what failed. */
enum shepard_status shepard_task_put_points(const struct shepard_task *task,
                                            struct shepard_preparation *made);
enum shepard_status shepard_task_make(const struct shepard_task *task,
                                      struct shepard_preparation *made);
enum shepard_status shepard_task_prepare(const struct shepard_task *task,
                                         struct shepard_preparation *made);
enum shepard_status shepard_task_predict(const struct shepard_task *task,
                                         const struct shepard_preparation *made,
                                         struct shepard_part part, double *const *values,
                                         const struct shepard_control *control);

/** What was made is freed in any case. */
void shepard_preparation_free(struct shepard_preparation *made);

/** What points and field hold together: their bytes, the field's notice where the points have none,
 * and the seconds that their making took on a GPU. */
struct shepard_points_info shepard_preparation_info(const struct shepard_preparation *made);

/** Stages of a GPU, in the order of struct shepard_timing. */
#define SHEPARD_TASK_STAGES 7

/** The stages as an array. */
union shepard_task_stages {
    struct shepard_timing timing;
    double seconds[SHEPARD_TASK_STAGES];
};

#endif
