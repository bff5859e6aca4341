/* SPDX-License-Identifier: MIT */
#include "residuals.h"

#include "message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Numbers a row, besides those of algorithms: x, y, observed, fold, nearest. */
enum { ROW_COLUMNS = 5, ALGORITHM_COLUMNS = 3, NAME_SIZE = 32 };

static bool make(struct shepard_residuals *residuals, size_t count, size_t algorithms)
{
    const size_t columns = ROW_COLUMNS + 2 * algorithms;
    double *const numbers = count < SIZE_MAX / sizeof(double) / columns
                                ? calloc(count * columns + 1, sizeof *numbers)
                                : NULL;
    *residuals = (struct shepard_residuals){.count = count, .algorithms = algorithms};
    if (!numbers) {
        return shepard_say_error("out of memory for %zu predictions", count);
    }
    residuals->x = numbers;
    residuals->y = numbers + count;
    residuals->observed = numbers + 2 * count;
    residuals->fold = numbers + 3 * count;
    residuals->nearest = numbers + 4 * count;
    residuals->predicted = numbers + ROW_COLUMNS * count;
    residuals->sds = residuals->predicted + algorithms * count;
    return true;
}

bool shepard_residuals_of_points(struct shepard_residuals *residuals,
                                 const struct shepard_point_set *points, size_t column,
                                 const struct shepard_holdout_info *info, size_t algorithms)
{
    const size_t m = info ? info->count : points->count;
    if (!make(residuals, m, algorithms)) {
        return false;
    }
    residuals->srs = points->srs;
    for (size_t i = 0; i < m; i++) {
        const size_t at = info ? info->indices[i] : i;
        residuals->x[i] = points->x[at];
        residuals->y[i] = points->y[at];
        residuals->observed[i] = points->values[column][at];
        residuals->fold[i] = info && info->fold ? info->fold[i] : NAN;
        residuals->nearest[i] = info ? info->nearest[i] : NAN;
    }
    residuals->fold = info && info->fold ? residuals->fold : NULL;
    residuals->nearest = info ? residuals->nearest : NULL;
    return true;
}

void shepard_residuals_free(struct shepard_residuals *residuals)
{
    free(residuals->x);
    *residuals = (struct shepard_residuals){0};
}

static bool any_number(const double *numbers, size_t count)
{
    size_t i = 0;
    while (i < count && isnan(numbers[i])) {
        i++;
    }
    return i < count;
}

/* The columns of the file, with their names. */
struct residual_columns {
    struct shepard_new_column *items;
    char (*names)[NAME_SIZE];
    size_t count;
};

static void add(struct residual_columns *columns, const char *name, size_t number,
                const double *values, bool integer)
{
    char *const text = columns->names[columns->count];
    const int length = snprintf(text, NAME_SIZE, "%s", name);
    if (number > 0) {
        snprintf(text + length, (size_t)(NAME_SIZE - length), "_%zu", number + 1);
    }
    columns->items[columns->count++] = (struct shepard_new_column){
        .name = text, .values = values, .integer = integer, .nodata = NAN};
}

static void list_columns(const struct shepard_residuals *residuals, double *differences,
                         struct residual_columns *columns)
{
    const size_t m = residuals->count;
    add(columns, "observed", 0, residuals->observed, false);
    if (residuals->nearest) {
        add(columns, "nearest", 0, residuals->nearest, false);
    }
    if (residuals->fold) {
        add(columns, "fold", 0, residuals->fold, true);
    }
    for (size_t a = 0; a < residuals->algorithms; a++) {
        const double *const predicted = residuals->predicted + a * m;
        for (size_t i = 0; i < m; i++) {
            differences[a * m + i] = residuals->observed[i] - predicted[i];
        }
        add(columns, "predicted", a, predicted, false);
        add(columns, "residual", a, differences + a * m, false);
        if (any_number(residuals->sds + a * m, m)) {
            add(columns, "sd", a, residuals->sds + a * m, false);
        }
    }
}

static bool write_columns(const struct shepard_residuals *residuals,
                          const struct residual_columns *columns, struct shepard_job *job)
{
    struct shepard_vector_spec spec = {.path = job->destination,
                                       .format = job->output.format,
                                       .columns = columns->count,
                                       .column = columns->items,
                                       .guard = shepard_job_guard(job)};
    const struct shepard_point_layer layer = {
        .count = residuals->count, .x = residuals->x, .y = residuals->y, .srs = residuals->srs};
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    shepard_progress_stage(&job->watch, SHEPARD_STAGE_WRITE);
    return shepard_point_layer_write(&layer, &spec, &control, &error) == SHEPARD_IO_OK ||
           shepard_progress_error(error.message);
}

bool shepard_residuals_write(const struct shepard_residuals *residuals, struct shepard_job *job)
{
    const size_t most = ROW_COLUMNS + ALGORITHM_COLUMNS * residuals->algorithms;
    double *const differences =
        malloc((residuals->count * residuals->algorithms + 1) * sizeof *differences);
    struct residual_columns columns = {.items = calloc(most, sizeof *columns.items),
                                       .names = calloc(most, sizeof *columns.names)};
    bool good = differences && columns.items && columns.names;
    if (good) {
        list_columns(residuals, differences, &columns);
        good = write_columns(residuals, &columns, job);
    } else {
        shepard_say_error("out of memory for %zu residuals", residuals->count);
    }
    free(columns.items);
    free(columns.names);
    free(differences);
    return good;
}
