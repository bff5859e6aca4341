/* SPDX-License-Identifier: MIT */
#include "column_trend.h"

#include "column_group.h"
#include "error_text.h"
#include "message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool allocate(struct shepard_column_trend *trend, size_t columns, size_t p, size_t points)
{
    trend->coefficients = calloc(columns, p * sizeof *trend->coefficients);
    trend->standard_errors = calloc(columns, p * sizeof *trend->standard_errors);
    trend->rmse = calloc(columns, sizeof *trend->rmse);
    trend->rmse_without = calloc(columns, sizeof *trend->rmse_without);
    trend->used = calloc(columns, sizeof *trend->used);
    trend->residuals = calloc(columns, points * sizeof *trend->residuals);
    return trend->coefficients && trend->standard_errors && trend->rmse && trend->rmse_without &&
           trend->used && trend->residuals;
}

/* What the library's call reads and writes. */
struct trend_request {
    struct shepard_values values;
    const struct shepard_covariates *covariates;
    struct shepard_trend found;
    /* what they show */
    struct shepard_array *columns; /* of the values */
    struct shepard_output_array *residuals;
};

static bool make_call(struct trend_request *call, const struct shepard_column_trend *trend,
                      const struct shepard_column_group *surface,
                      const struct shepard_covariate_list *covariates,
                      const struct shepard_point_set *points)
{
    const size_t columns = surface->columns;
    call->columns = calloc(columns, sizeof *call->columns);
    call->residuals = calloc(columns, sizeof *call->residuals);
    if (!call->columns || !call->residuals) {
        return false;
    }
    for (size_t c = 0; c < columns; c++) {
        call->columns[c] = shepard_doubles(points->values[surface->column[c]]);
        call->residuals[c] = shepard_output_doubles(trend->residuals + c * points->count);
    }
    call->values = (struct shepard_values){.size = sizeof call->values,
                                           .column_count = columns,
                                           .columns = call->columns,
                                           .weights = shepard_doubles(points->weights)};
    call->covariates = shepard_covariates_of_layer(covariates, surface->layer);
    call->found = (struct shepard_trend){.size = sizeof call->found,
                                         .coefficients = trend->coefficients,
                                         .standard_errors = trend->standard_errors,
                                         .rmse = trend->rmse,
                                         .rmse_without = trend->rmse_without,
                                         .used = trend->used,
                                         .residuals = call->residuals};
    return true;
}

static bool refuse(const struct shepard_error *error, const struct shepard_column_group *surface,
                   const struct shepard_point_set *points, const struct shepard_job *job)
{
    char *const text = shepard_error_with_fields(error->message, points, surface->column);
    const char *const message = text ? text : error->message;
    if (shepard_covariates_are_wrong(error)) {
        shepard_say_error("-trend: %s", message);
    } else {
        shepard_say_library_error(&job->algorithm, message);
    }
    free(text);
    return false;
}

static bool fit(const struct trend_request *call, const struct shepard_points *places,
                const struct shepard_column_group *surface, const struct shepard_point_set *points,
                struct shepard_job *job)
{
    const struct shepard_control control = {.size = sizeof control,
                                            .progress = shepard_progress_report,
                                            .user = &job->watch,
                                            .notice = shepard_progress_notice,
                                            .timing = &job->watch.gpu};
    struct shepard_error error = {.message = ""};
    return shepard_trend_fit(places, &call->values, call->covariates, &surface->parameters,
                             &call->found, &control, &error) == SHEPARD_OK ||
           refuse(&error, surface, points, job);
}

bool shepard_column_trend_fit(struct shepard_column_group *surface,
                              const struct shepard_covariate_list *covariates,
                              const struct shepard_points *places,
                              const struct shepard_point_set *points, struct shepard_job *job)
{
    struct trend_request call = {.columns = NULL};
    struct shepard_column_trend *const trend = &surface->trend;
    shepard_column_trend_free(trend);
    trend->estimator = surface->parameters.method == SHEPARD_METHOD_KRIGE
                           ? "generalized least squares"
                           : "least squares of leave-one-out errors";
    const bool room = allocate(trend, surface->columns, covariates->count, points->count) &&
                      make_call(&call, trend, surface, covariates, points);
    const bool good =
        room ? fit(&call, places, surface, points, job) : shepard_say_error("out of memory");
    free(call.columns);
    free(call.residuals);
    return good;
}

void shepard_column_trend_add(const struct shepard_column_trend *trend, size_t column,
                              const struct shepard_covariate_list *covariates,
                              const double *const *at, size_t count, double *values)
{
    const double *const b = trend->coefficients + column * covariates->count;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < covariates->count; j++) {
            values[i] += b[j] * (isfinite(at[j][i]) ? at[j][i] : NAN);
        }
    }
}

void shepard_column_trend_add_back(const double *data, const double *rest, const uint32_t *at,
                                   size_t count, double *predicted)
{
    for (size_t i = 0; i < count; i++) {
        predicted[i] += data[at[i]] - rest[at[i]];
    }
}

bool shepard_column_trend_text(const struct shepard_column_trend *trend, size_t column,
                               const struct shepard_covariate_list *covariates, const char *name,
                               char **text)
{
    bool good = shepard_append_format(text, "%s:", name);
    for (size_t j = 0; j < covariates->count && good; j++) {
        const size_t k = column * covariates->count + j;
        good = shepard_append_format(text, "%s %s %.6g (%.4g)", j > 0 ? "," : "",
                                     covariates->items[j].name, trend->coefficients[k],
                                     trend->standard_errors[k]);
    }
    return good;
}

void shepard_column_trend_print(const struct shepard_column_trend *trend, size_t column,
                                const struct shepard_covariate_list *covariates, const char *name)
{
    char *text = NULL;
    if (shepard_column_trend_text(trend, column, covariates, name, &text)) {
        printf("trend of %s; leave-one-out RMSE %.4g, without %.4g\n", text, trend->rmse[column],
               trend->rmse_without[column]);
    }
    free(text);
}

void shepard_column_trend_free(struct shepard_column_trend *trend)
{
    free(trend->coefficients);
    free(trend->standard_errors);
    free(trend->rmse);
    free(trend->rmse_without);
    free(trend->used);
    free(trend->residuals);
    *trend = (struct shepard_column_trend){0};
}
