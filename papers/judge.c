/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/* One target from each of as many equal stretches, the first and the last among them, so that
 * every part of a grid of threads is looked at, its ends too. The seed is fixed: it is to be the
 * same sample for every engine and run. */
static void draw_sample(struct shepard_judge *judge, size_t m)
{
    struct shepard_random random = {7};
    const double stretch = (double)m / (double)judge->count;
    for (size_t i = 0; i < judge->count; i++) {
        const double at = ((double)i + shepard_random_uniform(&random)) * stretch;
        judge->index[i] = at < (double)m ? (size_t)at : m - 1;
    }
    judge->index[0] = 0;
    judge->index[judge->count - 1] = m - 1;
}

static enum shepard_status predict(struct shepard_judge *judge, const struct shepard_workload *job,
                                   const struct shepard_dataset *dataset,
                                   const struct shepard_points_options *options,
                                   const struct shepard_parameters *parameters,
                                   struct shepard_error *error)
{
    double *const places = malloc(2 * judge->count * sizeof *places);
    double *columns[SHEPARD_PAPER_COLUMNS_MAX];
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    if (!places)
        return SHEPARD_ERROR_MEMORY;
    double *const x = places, *const y = places + judge->count;
    for (size_t i = 0; i < judge->count; i++) {
        x[i] = dataset->target_x[judge->index[i]];
        y[i] = dataset->target_y[judge->index[i]];
    }
    for (size_t c = 0; c < judge->columns; c++)
        columns[c] = judge->exact + c * judge->count;
    const struct shepard_coordinates coordinates = shepard_dataset_coordinates(dataset, job->n);
    const struct shepard_values values = shepard_dataset_values(dataset);
    const struct shepard_targets targets = {
        .size = sizeof targets, .count = judge->count, .x = x, .y = y};
    const struct shepard_output output = {.size = sizeof output, .values = columns};
    enum shepard_status status = shepard_points_create(&coordinates, options, &points, error);
    if (!status)
        status = shepard_field_create(points, &values, &field, error);
    if (!status)
        status = shepard_predict(field, parameters, &targets, &output, NULL, error);
    shepard_field_free(field);
    shepard_points_free(points);
    free(places);
    return status;
}

enum shepard_status shepard_judge_prepare(struct shepard_judge *judge,
                                          const struct shepard_workload *job,
                                          const struct shepard_dataset *dataset, int threads,
                                          struct shepard_error *error)
{
    const size_t count = job->m < SHEPARD_JUDGE_SAMPLE ? job->m : SHEPARD_JUDGE_SAMPLE;
    *judge = (struct shepard_judge){.columns = job->columns, .m = job->m, .count = count};
    judge->index = malloc(count * sizeof *judge->index);
    judge->exact = malloc(job->columns * count * sizeof *judge->exact);
    if (!judge->index || !judge->exact)
        return SHEPARD_ERROR_MEMORY;
    draw_sample(judge, job->m);
    for (size_t c = 0; c < job->columns; c++)
        judge->range[c] = shepard_dataset_range(dataset, c, job->n);
    struct shepard_parameters parameters = shepard_workload_parameters(job);
    struct shepard_points_options options;
    parameters.precision = SHEPARD_PRECISION_DOUBLE;
    parameters.eps = 0;
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    options.threads = threads;
    return predict(judge, job, dataset, &options, &parameters, error);
}

void shepard_judge_free(struct shepard_judge *judge)
{
    free(judge->exact);
    free(judge->index);
    *judge = (struct shepard_judge){0};
}

static bool has_nan(const double *values, size_t m)
{
    size_t i = 0;
    while (i < m && !isnan(values[i]))
        i++;
    return i < m;
}

double shepard_judge_error(const struct shepard_judge *judge, double *const *values)
{
    double largest = 0;
    for (size_t c = 0; c < judge->columns; c++) {
        /* A column of one value: what differs from it is wrong at any scale. */
        const double range = judge->range[c] > 0 ? judge->range[c] : 1.0;
        if (has_nan(values[c], judge->m))
            return NAN;
        for (size_t i = 0; i < judge->count; i++) {
            const double found = values[c][judge->index[i]];
            largest = fmax(largest, fabs(found - judge->exact[c * judge->count + i]) / range);
        }
    }
    return largest;
}
