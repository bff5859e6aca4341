/* SPDX-License-Identifier: MIT */
#include "api/fit_trend.h"

#include "api/covariates.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/array.h"
#include "core/least_squares.h"

#include <math.h>
#include <string.h>

/* Of the values' largest difference: what least squares leave below this is rounding error. */
#define LEAST_REST 1e-13

bool shepard_fit_trend_create(const struct shepard_covariates *covariates, size_t points,
                              const struct shepard_allocator *allocator,
                              struct shepard_fit_trend *trend)
{
    const size_t p = covariates->count;
    *trend = (struct shepard_fit_trend){
        .covariates = covariates, .points = points, .allocator = allocator};
    if (p == 0)
        return true;
    /* Columns, a second set of them, and a row of values; then numbers of covariates. */
    trend->column = shepard_allocate(allocator, 2 * p, sizeof *trend->column);
    trend->room =
        shepard_allocate(allocator, (2 * p + 1) * points + (5 + p) * p, sizeof *trend->room);
    if (trend->column == NULL || trend->room == NULL)
        return false;
    for (size_t j = 0; j < 2 * p; j++)
        trend->column[j] = trend->room + j * points;
    trend->found = trend->room + (2 * p + 1) * points;
    trend->ordinary = trend->found + p;
    trend->mean = trend->ordinary + p;
    trend->scale = trend->mean + p;
    return true;
}

void shepard_fit_trend_free(struct shepard_fit_trend *trend)
{
    shepard_release(trend->allocator, trend->room);
    shepard_release(trend->allocator, trend->column);
}

void shepard_fit_trend_put(const struct shepard_fit_trend *trend, size_t from, size_t to)
{
    for (size_t j = 0; j < trend->covariates->count; j++)
        trend->column[j][to] = shepard_array_at(&trend->covariates->columns[j], from);
}

static void copy_columns(const struct shepard_fit_trend *trend, size_t count)
{
    const size_t p = trend->covariates->count;
    for (size_t j = 0; j < p; j++)
        memcpy(trend->column[p + j], trend->column[j], count * sizeof(double));
}

static enum shepard_status prepare(const struct shepard_fit_trend *trend, size_t count,
                                   double *triangle, double *least, struct shepard_error *error)
{
    const size_t p = trend->covariates->count,
                 needed = shepard_covariates_least_points(trend->covariates);
    const struct shepard_scaled_covariates scaled = {
        .points = count, .column = trend->column, .mean = trend->mean, .scale = trend->scale};
    struct shepard_scaled_covariates copy = scaled;
    copy.column += p;
    if (count < needed)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "covariates.count",
            "a trend on %zu covariate%s needs at least %zu points with a value "
            "and all covariates, and there are only %zu: leave covariates out",
            p, p == 1 ? "" : "s", needed, count);
    const enum shepard_status status =
        shepard_covariates_scale(trend->covariates, count, trend->column, &scaled, error);
    if (status != SHEPARD_OK)
        return status;
    copy_columns(trend, count);
    return shepard_covariates_check_rank(trend->covariates, &copy, triangle, least, error);
}

/* Takes from z what least squares find. */
static void take_out(const struct shepard_fit_trend *trend, size_t count, double *triangle,
                     double mean, double *z)
{
    const size_t p = trend->covariates->count;
    double *const rest = trend->room + 2 * p * trend->points, largest = 0, left = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(z[i] - mean));
    const double unit = largest > 0 ? largest : 1;
    for (size_t i = 0; i < count; i++)
        rest[i] = (z[i] - mean) / unit;
    const struct shepard_least_squares system = {
        .rows = count, .columns = p, .column = trend->column + p, .triangle = triangle};
    shepard_least_squares_solve(&system, rest, trend->ordinary);
    for (size_t i = 0; i < count; i++)
        left = fmax(left, fabs(rest[i]));
    for (size_t i = 0; i < count; i++)
        z[i] = left > LEAST_REST ? mean + unit * rest[i] : mean;
    for (size_t j = 0; j < p; j++)
        trend->ordinary[j] *= unit;
}

/* Where the mean of the rest is known a covariate is what it is: its own mean is no part of a
 * constant. */
static void restore_means(const struct shepard_fit_trend *trend, size_t count, double *triangle,
                          double *least)
{
    const size_t p = trend->covariates->count;
    const struct shepard_least_squares system = {
        .rows = count, .columns = p, .column = trend->column + p, .triangle = triangle};
    for (size_t j = 0; j < p; j++) {
        for (size_t i = 0; i < count; i++)
            trend->column[j][i] += trend->mean[j] / trend->scale[j];
        least[j] = 0;
    }
    copy_columns(trend, count);
    shepard_least_squares_factor(&system, least);
}

enum shepard_status shepard_fit_trend_take_out(const struct shepard_fit_trend *trend, size_t count,
                                               double known, double *z, struct shepard_error *error)
{
    const size_t p = trend->covariates->count;
    double *const least = trend->scale + p, *const triangle = least + p, mean = known;
    const enum shepard_status status = prepare(trend, count, triangle, least, error);
    if (status != SHEPARD_OK)
        return status;
    if (isnan(known)) {
        mean = 0;
        for (size_t i = 0; i < count; i++)
            mean += z[i] / (double)count;
    } else
        restore_means(trend, count, triangle, least);
    take_out(trend, count, triangle, mean, z);
    return SHEPARD_OK;
}

double shepard_fit_trend_mean(const struct shepard_fit_trend *trend)
{
    double sum = 0;
    for (size_t j = 0; j < trend->covariates->count; j++)
        sum += (trend->ordinary[j] + trend->found[j]) / trend->scale[j] * trend->mean[j];
    return sum;
}
