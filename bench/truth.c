/* SPDX-License-Identifier: MIT */
#include "truth.h"

#include <math.h>
#include <stdlib.h>

/* Points that all threads can look at. */
#define FEW_POINTS 20000000

bool shepard_sample_draw(struct shepard_sample *sample, const struct shepard_task *task,
                         size_t count)
{
    const size_t targets = shepard_task_all(task).count;
    *sample = (struct shepard_sample){.task = task, .count = count < targets ? count : targets};
    const size_t values = task->columns * sample->count;
    sample->index = malloc(sample->count * sizeof *sample->index);
    sample->found = malloc(values * sizeof *sample->found);
    sample->truth = malloc(values * sizeof *sample->truth);
    sample->x = malloc(2 * sample->count * sizeof *sample->x);
    if (!sample->index || !sample->found || !sample->truth || !sample->x)
        return false;
    sample->y = sample->x + sample->count;
    shepard_dataset_sample(targets, sample->count, sample->index);
    for (size_t i = 0; i < sample->count; i++)
        shepard_task_place(task, sample->index[i], &sample->x[i], &sample->y[i]);
    for (size_t i = 0; i < values; i++)
        sample->found[i] = sample->truth[i] = NAN;
    return true;
}

void shepard_sample_free(struct shepard_sample *sample)
{
    free(sample->index);
    free(sample->found);
    free(sample->truth);
    free(sample->x);
    *sample = (struct shepard_sample){0};
}

void shepard_sample_keep(struct shepard_sample *sample, struct shepard_part part, size_t columns,
                         double *const *values)
{
    for (size_t i = 0; i < sample->count; i++) {
        const size_t index = sample->index[i];
        if (index < part.first || index - part.first >= part.count)
            continue;
        for (size_t c = 0; c < columns; c++)
            sample->found[c * sample->count + i] = values[c][index - part.first];
    }
}

void shepard_sample_solve(struct shepard_sample *sample)
{
    struct shepard_dataset dataset = *sample->task->dataset;
    struct shepard_task task = *sample->task;
    struct shepard_preparation made;
    double *truth[SHEPARD_TASK_COLUMNS];
    dataset.m = sample->count;
    dataset.target_x = sample->x;
    dataset.target_y = sample->y;
    task.dataset = &dataset;
    task.side = 0;
    task.parameters.eps = 0;
    task.parameters.precision = SHEPARD_PRECISION_DOUBLE;
    task.options.backend = SHEPARD_BACKEND_REF;
    /* Each thread of the backend ref holds some numbers for each point. */
    task.options.threads = dataset.n > FEW_POINTS ? 4 : 0;
    for (size_t c = 0; c < task.columns; c++)
        truth[c] = sample->truth + c * sample->count;
    if (!shepard_task_make(&task, &made))
        (void)shepard_task_predict(&task, &made, shepard_task_all(&task), truth, NULL);
    shepard_preparation_free(&made);
}

double shepard_sample_error(const struct shepard_sample *sample, size_t columns)
{
    const struct shepard_dataset *dataset = sample->task->dataset;
    double largest = 0;
    for (size_t c = 0; c < columns; c++) {
        const double range = shepard_dataset_range(dataset, sample->task->column + c, dataset->n);
        for (size_t i = c * sample->count; i < (c + 1) * sample->count; i++) {
            const double error = fabs(sample->found[i] - sample->truth[i]) / range;
            largest = isnan(largest) || error <= largest ? largest : error; /* a NaN stays */
        }
    }
    return largest;
}
