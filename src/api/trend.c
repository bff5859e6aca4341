/* SPDX-License-Identifier: MIT */
#include "api/argument.h"
#include "api/array.h"
#include "api/covariates.h"
#include "api/kriging.h"
#include "api/metric.h"
#include "api/parameters.h"
#include "api/points.h"
#include "api/trend_gls.h"
#include "base/call_part.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/array.h"
#include "core/least_squares.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_SIZE 64

/* One call. */
struct trend_call {
    const struct shepard_points *points;
    struct shepard_values values;         /* strides resolved */
    struct shepard_covariates covariates; /* strides resolved */
    struct shepard_parameters parameters; /* of the predictions of the fit */
    struct shepard_trend trend;
    struct shepard_control control;      /* the caller's */
    const struct shepard_control *watch; /* of one group */
    double mean;                         /* that kriging knows; subtracted from values */
    struct shepard_array *room;          /* of values.columns */
    size_t *group;                       /* [columns] of the same points */
    size_t groups;
};

/* The columns of one group: its values, then the covariates. */
struct trend_block {
    size_t values, count;    /* count: all columns */
    size_t *column;          /* [values] of the call */
    double **given, **other; /* [count] arrays [n]; other: predicted from the other places */
    double *numbers;         /* of these arrays */
    size_t found;            /* points that have all */
    size_t rows;             /* in use, once there are errors */
    double *weight;          /* [rows] roots of the points' weights */
    double *triangle, *spread, *mean, *scale; /* [p, p], [p] */
    double *coefficient, *standard_error;     /* [values, p] */
};

/* ---- checks ---------------------------------------------------------------------------------- */

static enum shepard_status check_count(size_t count, struct shepard_error *error)
{
    if (count >= 1 && count <= SHEPARD_COLUMNS_MAX)
        return SHEPARD_OK;
    return shepard_error_set(
        error, count == 0 ? SHEPARD_ERROR_ARGUMENT : SHEPARD_ERROR_SIZE, "values.column_count",
        "values.column_count is %zu: it must be 1 to %u", count, SHEPARD_COLUMNS_MAX);
}

static enum shepard_status check_residuals(const struct trend_call *call,
                                           struct shepard_error *error)
{
    const struct shepard_trend *trend = &call->trend;
    char name[NAME_SIZE];
    if (trend->residuals == NULL)
        return SHEPARD_OK;
    enum shepard_status status = shepard_array_check_columns(
        trend->residuals_stride, call->values.column_count, "trend.residuals_stride", error);
    for (size_t c = 0; status == SHEPARD_OK && c < call->values.column_count; c++) {
        struct shepard_output_array array =
            shepard_output_array_of_column(trend->residuals, trend->residuals_stride, c);
        snprintf(name, sizeof name, "trend.residuals[%zu]", c);
        status = shepard_output_array_check(&array, call->points->given, name, error);
    }
    return status;
}

static enum shepard_status check_arrays(struct trend_call *call, struct shepard_error *error)
{
    struct shepard_values *values = &call->values;
    const size_t n = call->points->given;
    enum shepard_status status =
        shepard_columns_check(values->columns, values->column_stride, values->column_count,
                              "values", n, call->room, error);
    if (status == SHEPARD_OK)
        status = shepard_array_check_optional(&values->weights, n, "values.weights", error);
    if (status != SHEPARD_OK)
        return status;
    values->columns = call->room;
    values->column_stride = 0;
    return check_residuals(call, error);
}

static enum shepard_status check_kriging(const struct trend_call *call, struct shepard_error *error)
{
    if (call->values.weights.data != NULL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values.weights",
                                 "values.weights: kriging does not use weights of points: leave "
                                 "them out");
    return shepard_kriging_check_covariance(&call->parameters.kriging, error);
}

static enum shepard_status check(struct trend_call *call, struct shepard_error *error)
{
    const struct shepard_allocator *allocator = call->points->allocator_used;
    const size_t columns = call->values.column_count;
    enum shepard_status status = check_count(columns, error);
    if (status == SHEPARD_OK && call->parameters.method == SHEPARD_METHOD_KRIGE)
        status = check_kriging(call, error);
    if (status == SHEPARD_OK)
        status = shepard_metric_check(call->points, &call->parameters, error);
    if (status == SHEPARD_OK)
        status = shepard_memory_check_host(&call->values.memory, "shepard_trend_fit",
                                           "values.memory", error);
    if (status != SHEPARD_OK)
        return status;
    call->room = shepard_allocate(allocator, columns, sizeof *call->room);
    call->group = shepard_allocate(allocator, columns, sizeof *call->group);
    return call->room != NULL && call->group != NULL ? check_arrays(call, error)
                                                     : shepard_error_set_memory(error, "the trend");
}

static enum shepard_status take(struct trend_call *call, const struct shepard_values *values,
                                const struct shepard_covariates *covariates,
                                const struct shepard_parameters *parameters,
                                const struct shepard_trend *trend,
                                const struct shepard_control *control, struct shepard_error *error)
{
    call->values = (struct shepard_values){.size = sizeof call->values};
    call->trend = (struct shepard_trend){.size = sizeof call->trend};
    enum shepard_status status =
        SHEPARD_TAKE(values, &call->values, "values", shepard_values, error);
    if (status == SHEPARD_OK)
        status = shepard_covariates_take(covariates, call->points->given,
                                         call->points->allocator_used, &call->covariates, error);
    if (status == SHEPARD_OK)
        status = shepard_parameters_take(parameters, &call->parameters, error);
    if (status == SHEPARD_OK)
        status = SHEPARD_TAKE(trend, &call->trend, "trend", shepard_trend, error);
    return status == SHEPARD_OK ? shepard_control_take(control, &call->control, error) : status;
}

/* ---- points that count ------------------------------------------------------------------------
 */

static bool has_weight(const struct trend_call *call, size_t i)
{
    const double weight =
        call->values.weights.data != NULL ? shepard_array_at(&call->values.weights, i) : 1;
    return isfinite(weight) && weight != 0;
}

static bool has_value(const struct trend_call *call, size_t column, size_t i)
{
    return isfinite(shepard_array_at(&call->values.columns[column], i));
}

static bool same_gaps(const struct trend_call *call, size_t a, size_t b)
{
    size_t i = 0;
    while (i < call->points->given && has_value(call, a, i) == has_value(call, b, i))
        i++;
    return i == call->points->given;
}

static void find_groups(struct trend_call *call)
{
    call->groups = 0;
    for (size_t c = 0; c < call->values.column_count; c++) {
        size_t before = 0;
        while (before < c && !same_gaps(call, before, c))
            before++;
        call->group[c] = before < c ? call->group[before] : call->groups++;
    }
}

/* Values and covariates of the points that have all of them; NaN elsewhere. How many there are. */
static size_t fill(const struct trend_call *call, const struct trend_block *block)
{
    size_t found = 0;
    for (size_t i = 0; i < call->points->given; i++) {
        const bool counts = has_value(call, block->column[0], i) &&
                            shepard_covariates_has(&call->covariates, i) && has_weight(call, i);
        found += counts;
        for (size_t c = 0; c < block->count; c++) {
            const double number =
                c < block->values
                    ? shepard_array_at(&call->values.columns[block->column[c]], i) - call->mean
                    : shepard_array_at(&call->covariates.columns[c - block->values], i);
            block->given[c][i] = counts ? number : NAN;
        }
    }
    return found;
}

/* ---- covariates that tell nothing --------------------------------------------------------------
 */

static enum shepard_status refuse_few(const struct trend_call *call,
                                      const struct trend_block *block, size_t rows,
                                      struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "covariates.count",
                             "values.columns[%zu]: a trend on %zu covariate%s needs at least %zu "
                             "points with a value, all covariates and a prediction from the "
                             "others, and there are only %zu: leave covariates out",
                             block->column[0], call->covariates.count,
                             call->covariates.count == 1 ? "" : "s",
                             shepard_covariates_least_points(&call->covariates), rows);
}

static struct shepard_least_squares system_of(const struct trend_call *call,
                                              const struct trend_block *block, double **columns,
                                              size_t rows)
{
    return (struct shepard_least_squares){.rows = rows,
                                          .columns = call->covariates.count,
                                          .column = columns + block->values,
                                          .triangle = block->triangle};
}

/* The covariates themselves; sets their scales, and spread[] to the least that must be left. */
static enum shepard_status check_covariates(const struct trend_call *call,
                                            const struct trend_block *block,
                                            struct shepard_error *error)
{
    const struct shepard_covariates *covariates = &call->covariates;
    const struct shepard_scaled_covariates scaled = {.points = block->found,
                                                     .column = block->other + block->values,
                                                     .mean = block->mean,
                                                     .scale = block->scale};
    if (block->found < shepard_covariates_least_points(covariates))
        return refuse_few(call, block, block->found, error);
    const enum shepard_status status = shepard_covariates_scale(
        covariates, call->points->given, block->given + block->values, &scaled, error);
    return status == SHEPARD_OK ? shepard_covariates_check_rank(
                                      covariates, &scaled, block->triangle, block->spread, error)
                                : status;
}

/* ---- leave-one-out -----------------------------------------------------------------------------
 */

/* Predicts all columns of the block at the data points from the other places. */
static enum shepard_status predict_others(struct trend_call *call, const struct trend_block *block,
                                          struct shepard_error *error)
{
    const struct shepard_allocator *allocator = call->points->allocator_used;
    struct shepard_array *columns = shepard_allocate(allocator, block->count, sizeof *columns);
    struct shepard_output_array *outputs =
        shepard_allocate(allocator, block->count, sizeof *outputs);
    struct shepard_field *field = NULL;
    enum shepard_status status = columns != NULL && outputs != NULL
                                     ? SHEPARD_OK
                                     : shepard_error_set_memory(error, "the trend");
    for (size_t c = 0; status == SHEPARD_OK && c < block->count; c++) {
        columns[c] = shepard_doubles(block->given[c]);
        outputs[c] = shepard_output_doubles(block->other[c]);
    }
    const struct shepard_values values = {.size = sizeof values,
                                          .column_count = block->count,
                                          .columns = columns,
                                          .weights = call->values.weights};
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT};
    const struct shepard_output output = {.size = sizeof output, .values = outputs};
    if (status == SHEPARD_OK)
        status = shepard_field_create(call->points, &values, &field, error);
    if (status == SHEPARD_OK)
        status = shepard_predict(field, &call->parameters, &targets, &output, call->watch, error);
    shepard_field_free(field);
    shepard_release(allocator, outputs);
    shepard_release(allocator, columns);
    return status;
}

static bool has_error(const struct trend_block *block, size_t i)
{
    size_t c = 0;
    while (c < block->count && isfinite(block->given[c][i] - block->other[c][i]))
        c++;
    return c == block->count;
}

/* Replaces what was given by its errors, times the root of the point's weight, where there are
 * such; covariates over their scales. */
static void take_errors(const struct trend_call *call, struct trend_block *block)
{
    const struct shepard_array *weights = &call->values.weights;
    block->rows = 0;
    for (size_t i = 0; i < call->points->given; i++) {
        if (!has_error(block, i))
            continue;
        const double weight = weights->data != NULL ? sqrt(shepard_array_at(weights, i)) : 1;
        for (size_t c = 0; c < block->count; c++) {
            const double scale = c < block->values ? 1 : block->scale[c - block->values];
            block->given[c][block->rows] =
                weight * ((block->given[c][i] - block->other[c][i]) / scale);
        }
        block->weight[block->rows++] = weight;
    }
}

/* ---- the fit -----------------------------------------------------------------------------------
 */

static void put(double *array, size_t i, double value)
{
    if (array != NULL)
        array[i] = value;
}

/* Root of the weighted mean square of errors that have the roots of the weights in them. */
static double mean_error(const struct trend_block *block, const double *errors)
{
    return shepard_least_squares_norm(block->rows, errors) /
           shepard_least_squares_norm(block->rows, block->weight);
}

static void put_residuals(const struct trend_call *call, size_t column, const double *coefficients)
{
    const struct shepard_trend *trend = &call->trend;
    if (trend->residuals == NULL)
        return;
    struct shepard_output_array array =
        shepard_output_array_of_column(trend->residuals, trend->residuals_stride, column);
    array.stride = shepard_stride_of(array.type, array.stride);
    for (size_t i = 0; array.data != NULL && i < call->points->given; i++) {
        double rest = shepard_array_at(&call->values.columns[column], i);
        for (size_t j = 0; j < call->covariates.count; j++)
            rest -= coefficients[j] * shepard_array_at(&call->covariates.columns[j], i);
        shepard_output_put(array, i, isfinite(rest) ? rest : NAN);
    }
}

/* What was found of a value column; points: that b was fitted to. */
static void put_found(const struct trend_call *call, const struct trend_block *block, size_t c,
                      size_t points)
{
    const struct shepard_trend *trend = &call->trend;
    const size_t column = block->column[c], p = call->covariates.count;
    const double *found = block->coefficient + c * p;
    for (size_t j = 0; j < p; j++) {
        put(trend->coefficients, column * p + j, found[j]);
        put(trend->standard_errors, column * p + j, block->standard_error[c * p + j]);
    }
    if (trend->used != NULL)
        trend->used[column] = points;
    put_residuals(call, column, found);
}

/* Divides errors by the largest of them, which is returned; 1 if all are 0. */
static double scale_errors(const struct trend_block *block, double *errors)
{
    double largest = 0;
    for (size_t i = 0; i < block->rows; i++)
        largest = fmax(largest, fabs(errors[i]));
    const double unit = largest > 0 ? largest : 1;
    for (size_t i = 0; i < block->rows; i++)
        errors[i] /= unit;
    return unit;
}

/* ---- least squares of leave-one-out errors ------------------------------------------------------
 */

/* One value column by the factors of the covariates' errors. */
static void solve(const struct trend_call *call, const struct trend_block *block,
                  const struct shepard_least_squares *system, size_t c)
{
    const struct shepard_trend *trend = &call->trend;
    const size_t column = block->column[c], p = system->columns;
    double *errors = block->given[c], *found = block->coefficient + c * p;
    const double unit = scale_errors(block, errors);
    put(trend->rmse_without, column, unit * mean_error(block, errors));
    shepard_least_squares_solve(system, errors, found);
    put(trend->rmse, column, unit * mean_error(block, errors));
    const double sd =
        shepard_least_squares_norm(block->rows, errors) / sqrt((double)(block->rows - p));
    for (size_t j = 0; j < p; j++) {
        found[j] *= unit / block->scale[j];
        block->standard_error[c * p + j] = unit * sd * block->spread[j] / block->scale[j];
    }
    put_found(call, block, c, block->rows);
}

static enum shepard_status fit_errors(const struct trend_call *call, struct trend_block *block,
                                      struct shepard_error *error)
{
    const struct shepard_covariates *covariates = &call->covariates;
    const struct shepard_least_squares system = system_of(call, block, block->given, block->rows);
    if (block->rows < shepard_covariates_least_points(covariates))
        return refuse_few(call, block, block->rows, error);
    const size_t bad = shepard_least_squares_factor(&system, block->spread);
    if (bad < covariates->count)
        return shepard_covariates_refuse(
            covariates, bad,
            "is predicted from other points so well that its part of the values cannot be told "
            "from the rest",
            error);
    shepard_least_squares_spreads(&system, block->spread);
    for (size_t c = 0; c < block->values; c++)
        solve(call, block, &system, c);
    return SHEPARD_OK;
}

static enum shepard_status fit_by_errors(struct trend_call *call, struct trend_block *block,
                                         struct shepard_error *error)
{
    const enum shepard_status status = predict_others(call, block, error);
    if (status != SHEPARD_OK)
        return status;
    take_errors(call, block);
    return fit_errors(call, block, error);
}

/* ---- generalized least squares -----------------------------------------------------------------
 */

static enum shepard_status solve_gls(const struct trend_call *call, const struct trend_block *block,
                                     struct shepard_error *error)
{
    const size_t p = call->covariates.count;
    enum shepard_status status = SHEPARD_OK;
    for (size_t c = 0; status == SHEPARD_OK && c < block->values; c++) {
        size_t used = 0;
        const struct shepard_trend_gls gls = {.points = call->points,
                                              .kriging = &call->parameters.kriging,
                                              .covariates = &call->covariates,
                                              .values = block->given[c],
                                              .covariate = block->given + block->values,
                                              .coefficients = block->coefficient + c * p,
                                              .standard_errors = block->standard_error + c * p};
        status = shepard_trend_gls_fit(&gls, &used, error);
        if (status == SHEPARD_OK && used < shepard_covariates_least_points(&call->covariates))
            status = refuse_few(call, block, used, error);
        if (status == SHEPARD_OK)
            put_found(call, block, c, used);
    }
    return status;
}

/* Errors of the leave-one-out predictions by the coefficients of a value column. */
static void judge(const struct trend_call *call, const struct trend_block *block, size_t c)
{
    const struct shepard_trend *trend = &call->trend;
    const size_t column = block->column[c], p = call->covariates.count;
    double *errors = block->given[c];
    const double unit = scale_errors(block, errors);
    put(trend->rmse_without, column, unit * mean_error(block, errors));
    for (size_t j = 0; j < p; j++) {
        const double slope = block->coefficient[c * p + j] * block->scale[j] / unit;
        for (size_t i = 0; i < block->rows; i++)
            errors[i] -= slope * block->given[block->values + j][i];
    }
    put(trend->rmse, column, unit * mean_error(block, errors));
}

static enum shepard_status fit_by_covariance(struct trend_call *call, struct trend_block *block,
                                             struct shepard_error *error)
{
    const bool judged = call->trend.rmse != NULL || call->trend.rmse_without != NULL;
    enum shepard_status status = solve_gls(call, block, error);
    if (status == SHEPARD_OK && judged)
        status = predict_others(call, block, error);
    if (status != SHEPARD_OK || !judged)
        return status;
    take_errors(call, block);
    for (size_t c = 0; c < block->values; c++)
        judge(call, block, c);
    return SHEPARD_OK;
}

/* ---- groups of columns -------------------------------------------------------------------------
 */

static bool allocate_block(const struct trend_call *call, struct trend_block *block)
{
    const struct shepard_allocator *allocator = call->points->allocator_used;
    const size_t n = call->points->given, p = call->covariates.count;
    block->given = shepard_allocate(allocator, 2 * block->count, sizeof *block->given);
    block->numbers = shepard_allocate(allocator, 2 * block->count + 1, n * sizeof *block->numbers);
    block->triangle =
        shepard_allocate(allocator, p + 3 + 2 * block->values, p * sizeof *block->triangle);
    if (block->given == NULL || block->numbers == NULL || block->triangle == NULL)
        return false;
    block->other = block->given + block->count;
    for (size_t c = 0; c < 2 * block->count; c++)
        block->given[c] = block->numbers + c * n;
    block->weight = block->numbers + 2 * block->count * n;
    block->spread = block->triangle + p * p;
    block->mean = block->spread + p;
    block->scale = block->mean + p;
    block->coefficient = block->scale + p;
    block->standard_error = block->coefficient + block->values * p;
    return true;
}

static enum shepard_status fit_block(struct trend_call *call, struct trend_block *block,
                                     struct shepard_error *error)
{
    if (!allocate_block(call, block))
        return shepard_error_set_memory(error, "the trend");
    block->found = fill(call, block);
    if (block->found == 0)
        return shepard_error_set(error, SHEPARD_ERROR_NO_POINTS, "values.columns",
                                 "values.columns[%zu] has no usable value at a point with all "
                                 "covariates: leave the column or a covariate out",
                                 block->column[0]);
    const enum shepard_status status = check_covariates(call, block, error);
    if (status != SHEPARD_OK)
        return status;
    return call->parameters.method == SHEPARD_METHOD_KRIGE ? fit_by_covariance(call, block, error)
                                                           : fit_by_errors(call, block, error);
}

static enum shepard_status fit_group(struct trend_call *call, size_t group,
                                     struct shepard_error *error)
{
    const double groups = (double)call->groups;
    struct shepard_call_part part;
    const struct shepard_allocator *allocator = call->points->allocator_used;
    const size_t columns = call->values.column_count;
    struct trend_block block = {.column = shepard_allocate(allocator, columns, sizeof(size_t))};
    if (block.column == NULL)
        return shepard_error_set_memory(error, "the trend");
    for (size_t c = 0; c < columns; c++)
        if (call->group[c] == group)
            block.column[block.values++] = c;
    call->watch = shepard_call_part_begin(&part, &call->control, (double)group / groups,
                                          (double)(group + 1) / groups);
    block.count = block.values + call->covariates.count;
    const enum shepard_status status = fit_block(call, &block, error);
    shepard_release(allocator, block.triangle);
    shepard_release(allocator, block.numbers);
    shepard_release(allocator, block.given);
    shepard_release(allocator, block.column);
    return status;
}

static enum shepard_status fit(struct trend_call *call, struct shepard_error *error)
{
    const bool simple = call->parameters.method == SHEPARD_METHOD_KRIGE &&
                        call->parameters.kriging.kind == SHEPARD_KRIGING_SIMPLE;
    enum shepard_status status = SHEPARD_OK;
    call->parameters.nodata = NAN;
    /* With a known mean predictions are linear in what the values differ from it. */
    if (simple && isfinite(call->parameters.kriging.mean)) {
        call->mean = call->parameters.kriging.mean;
        call->parameters.kriging.mean = 0;
    }
    find_groups(call);
    for (size_t g = 0; status == SHEPARD_OK && g < call->groups; g++) {
        status = fit_group(call, g, error);
        call->control.notice = NULL; /* the others' would be the same */
    }
    return status;
}

enum shepard_status
shepard_trend_fit(const struct shepard_points *points, const struct shepard_values *values,
                  const struct shepard_covariates *covariates,
                  const struct shepard_parameters *parameters, const struct shepard_trend *trend,
                  const struct shepard_control *control, struct shepard_error *error)
{
    if (points == NULL)
        return shepard_argument_missing("points", error);
    struct trend_call call = {.points = points};
    enum shepard_status status = take(&call, values, covariates, parameters, trend, control, error);
    if (status == SHEPARD_OK)
        status = check(&call, error);
    if (status == SHEPARD_OK)
        status = fit(&call, error);
    shepard_release(points->allocator_used, call.group);
    shepard_release(points->allocator_used, call.room);
    shepard_covariates_release(&call.covariates, points->allocator_used);
    return status;
}
