/* SPDX-License-Identifier: MIT */
#include "error_check.h"

#include <math.h>
#include <stdlib.h>

/* All columns of one set, in double, without a tolerance, at the sample. */
static enum shepard_status predict(const struct shepard_error_check *check,
                                   const struct shepard_workload *job,
                                   const struct shepard_dataset *set, int threads, double *exact,
                                   struct shepard_error *error)
{
    double *const places = malloc(2 * check->count * sizeof *places);
    struct shepard_output_array columns[SHEPARD_PAPER_COLUMNS_MAX];
    struct shepard_parameters parameters = shepard_workload_parameters(job);
    struct shepard_points_options options;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    if (!places)
        return SHEPARD_ERROR_MEMORY;
    double *const x = places, *const y = places + check->count;
    for (size_t i = 0; i < check->count; i++) {
        x[i] = set->target_x[check->index[i]];
        y[i] = set->target_y[check->index[i]];
    }
    for (size_t c = 0; c < job->columns; c++)
        columns[c] = shepard_output_doubles(exact + c * check->count);
    parameters.precision = SHEPARD_PRECISION_DOUBLE;
    parameters.eps = 0;
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    options.threads = threads;
    const struct shepard_coordinates coordinates = shepard_dataset_coordinates(set, job->n);
    const struct shepard_values values = shepard_dataset_values(set);
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = check->count,
                                            .x = shepard_doubles(x),
                                            .y = shepard_doubles(y)};
    const struct shepard_output output = {.size = sizeof output, .values = columns};
    enum shepard_status status = shepard_points_create(&coordinates, &options, &points, error);
    if (!status)
        status = shepard_field_create(points, &values, &field, error);
    if (!status)
        status = shepard_predict(field, &parameters, &targets, &output, NULL, error);
    shepard_field_free(field);
    shepard_points_free(points);
    free(places);
    return status;
}

enum shepard_status shepard_error_check_prepare(struct shepard_error_check *check,
                                                const struct shepard_workload *job,
                                                const struct shepard_dataset *dataset, int threads,
                                                struct shepard_error *error)
{
    const size_t count = job->m < SHEPARD_ERROR_CHECK_SAMPLE ? job->m : SHEPARD_ERROR_CHECK_SAMPLE;
    const size_t arrays = shepard_workload_arrays(job);
    enum shepard_status status = SHEPARD_OK;
    *check = (struct shepard_error_check){.arrays = arrays, .m = job->m, .count = count};
    check->index = malloc(count * sizeof *check->index);
    check->exact = malloc(arrays * count * sizeof *check->exact);
    if (!check->index || !check->exact)
        return SHEPARD_ERROR_MEMORY;
    shepard_dataset_sample(job->m, check->count, check->index);
    for (size_t s = 0; s < job->sets && !status; s++) {
        const struct shepard_dataset set = shepard_dataset_part(dataset, s, job->sets);
        const size_t first = s * job->columns;
        for (size_t c = 0; c < job->columns; c++)
            check->range[first + c] = shepard_dataset_range(&set, c, job->n);
        status = predict(check, job, &set, threads, check->exact + first * count, error);
    }
    return status;
}

void shepard_error_check_free(struct shepard_error_check *check)
{
    free(check->exact);
    free(check->index);
    *check = (struct shepard_error_check){0};
}

static bool has_nan(const double *values, size_t m)
{
    size_t i = 0;
    while (i < m && !isnan(values[i]))
        i++;
    return i < m;
}

double shepard_error_check_largest(const struct shepard_error_check *check, double *const *values)
{
    double largest = 0;
    for (size_t c = 0; c < check->arrays; c++) {
        /* A column of one value: what differs from it is wrong at any scale. */
        const double range = check->range[c] > 0 ? check->range[c] : 1.0;
        if (has_nan(values[c], check->m))
            return NAN;
        for (size_t i = 0; i < check->count; i++) {
            const double found = values[c][check->index[i]];
            largest = fmax(largest, fabs(found - check->exact[c * check->count + i]) / range);
        }
    }
    return largest;
}
