/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One target from each of as many equal stretches. */
static void draw_indices(struct shepard_sample *sample, size_t targets)
{
    struct shepard_random random = {7};
    const double stretch = (double)targets / (double)sample->count;
    for (size_t i = 0; i < sample->count; i++) {
        const double at = ((double)i + shepard_random_uniform(&random)) * stretch;
        sample->index[i] = at < (double)targets ? (size_t)at : targets - 1;
    }
}

bool shepard_sample_draw(struct shepard_sample *sample, const struct shepard_task *task,
                         size_t count)
{
    const size_t targets = shepard_task_targets(task);
    *sample = (struct shepard_sample){.task = task, .count = count < targets ? count : targets};
    const size_t values = task->columns * sample->count;
    sample->index = malloc(sample->count * sizeof *sample->index);
    sample->found = malloc(values * sizeof *sample->found);
    if (!sample->index || !sample->found)
        return false;
    draw_indices(sample, targets);
    for (size_t i = 0; i < values; i++)
        sample->found[i] = NAN;
    return true;
}

void shepard_sample_free(struct shepard_sample *sample)
{
    free(sample->index);
    free(sample->found);
    *sample = (struct shepard_sample){0};
}

void shepard_sample_keep(struct shepard_sample *sample, struct shepard_part part,
                         double *const *values)
{
    for (size_t i = 0; i < sample->count; i++) {
        const size_t index = sample->index[i];
        if (index < part.first || index - part.first >= part.count)
            continue;
        for (size_t c = 0; c < sample->task->columns; c++)
            sample->found[c * sample->count + i] = values[c][index - part.first];
    }
}

/* Exact sums in double at a list of places, by the backend ref with all threads. */
static bool predict_truth(const struct shepard_task *task, const struct shepard_targets *targets,
                          double *const *values)
{
    struct shepard_options options = task->options;
    options.backend = SHEPARD_BACKEND_REF;
    options.precision = SHEPARD_DOUBLE;
    options.eps = 0;
    options.threads = 0;
    struct shepard_task exact = *task;
    exact.options = options;
    struct shepard_model *model = shepard_task_model(&exact);
    const struct shepard_output output = {.values = values};
    struct shepard_error error;
    const bool good = model && !shepard_predict_points(model, targets, &output, NULL, &error);
    if (model && !good)
        fprintf(stderr, "bench_core: %s\n", error.message);
    shepard_model_free(model);
    return good;
}

/* room: x, y and the columns of the truth, [count] each. */
static bool find_truth(const struct shepard_sample *sample, double *room)
{
    double *const x = room;
    double *const y = x + sample->count;
    double *columns[SHEPARD_CLOUD_COLUMNS];
    for (size_t i = 0; i < sample->count; i++)
        shepard_task_place(sample->task, sample->index[i], &x[i], &y[i]);
    for (size_t c = 0; c < sample->task->columns; c++)
        columns[c] = y + (c + 1) * sample->count;
    const struct shepard_targets targets = {.count = sample->count, .x = x, .y = y};
    return predict_truth(sample->task, &targets, columns);
}

static double largest_error(const struct shepard_sample *sample, const double *truth)
{
    double largest = 0;
    for (size_t c = 0; c < sample->task->columns; c++) {
        const double range = shepard_cloud_range(sample->task->cloud, c);
        for (size_t i = c * sample->count; i < (c + 1) * sample->count; i++) {
            const double error = fabs(sample->found[i] - truth[i]) / range;
            largest = isnan(largest) || error <= largest ? largest : error; /* a NaN stays */
        }
    }
    return largest;
}

bool shepard_sample_error(const struct shepard_sample *sample, double *error)
{
    double *room = malloc((2 + sample->task->columns) * sample->count * sizeof *room);
    const bool good = room && find_truth(sample, room);
    if (good)
        *error = largest_error(sample, room + 2 * sample->count);
    free(room);
    return good;
}
