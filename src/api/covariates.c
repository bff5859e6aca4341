/* SPDX-License-Identifier: MIT */
#include "api/covariates.h"

#include "api/argument.h"
#include "api/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/array.h"
#include "core/least_squares.h"

#include <math.h>
#include <stdio.h>

#define NAME_SIZE 64

enum shepard_status shepard_columns_check(const struct shepard_array *columns, ptrdiff_t stride,
                                          size_t count, const char *argument, size_t n,
                                          struct shepard_array *resolved,
                                          struct shepard_error *error)
{
    char name[NAME_SIZE];
    if (columns == NULL) {
        snprintf(name, sizeof name, "%s.columns", argument);
        return shepard_argument_missing(name, error);
    }
    snprintf(name, sizeof name, "%s.column_stride", argument);
    enum shepard_status status = shepard_array_check_columns(stride, count, name, error);
    for (size_t c = 0; status == SHEPARD_OK && c < count; c++) {
        snprintf(name, sizeof name, "%s.columns[%zu]", argument, c);
        resolved[c] = shepard_array_of_column(columns, stride, c);
        status = shepard_array_check(&resolved[c], n, name, error);
    }
    return status;
}

static enum shepard_status check_count(size_t count, struct shepard_error *error)
{
    if (count >= 1 && count <= SHEPARD_COVARIATES_MAX)
        return SHEPARD_OK;
    return shepard_error_set(error, count == 0 ? SHEPARD_ERROR_ARGUMENT : SHEPARD_ERROR_SIZE,
                             "covariates.count", "covariates.count is %zu: it must be 1 to %d",
                             count, SHEPARD_COVARIATES_MAX);
}

enum shepard_status shepard_covariates_take(const struct shepard_covariates *given, size_t n,
                                            const struct shepard_allocator *allocator,
                                            struct shepard_covariates *own,
                                            struct shepard_error *error)
{
    struct shepard_covariates taken = {.size = sizeof taken};
    *own = taken;
    enum shepard_status status =
        SHEPARD_TAKE(given, &taken, "covariates", shepard_covariates, error);
    if (status == SHEPARD_OK)
        status = check_count(taken.count, error);
    if (status != SHEPARD_OK)
        return status;
    struct shepard_array *resolved = shepard_allocate(allocator, taken.count, sizeof *resolved);
    if (resolved == NULL)
        return shepard_error_set_memory(error, "the trend");
    own->count = taken.count;
    own->columns = resolved;
    own->names = taken.names;
    return shepard_columns_check(taken.columns, taken.column_stride, taken.count, "covariates", n,
                                 resolved, error);
}

void shepard_covariates_release(struct shepard_covariates *own,
                                const struct shepard_allocator *allocator)
{
    shepard_release(allocator, (void *)(uintptr_t)own->columns);
    own->columns = NULL;
}

bool shepard_covariates_has(const struct shepard_covariates *covariates, size_t i)
{
    size_t j = 0;
    while (j < covariates->count && isfinite(shepard_array_at(&covariates->columns[j], i)))
        j++;
    return j == covariates->count;
}

size_t shepard_covariates_least_points(const struct shepard_covariates *covariates)
{
    return covariates->count + 2;
}

/* ---- covariates that tell nothing ------------------------------------------------------------ */

enum shepard_status shepard_covariates_refuse(const struct shepard_covariates *covariates, size_t j,
                                              const char *why, struct shepard_error *error)
{
    char name[NAME_SIZE];
    if (covariates->names != NULL)
        snprintf(name, sizeof name, "the covariate %.40s", covariates->names[j]);
    else
        snprintf(name, sizeof name, "covariates.columns[%zu]", j);
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "covariates.columns",
                             "%s %s: leave it out", name, why);
}

/* False: it is constant. */
static bool scale(const struct shepard_scaled_covariates *scaled, size_t n, const double *from,
                  size_t j)
{
    double *to = scaled->column[j], mean = 0, largest = 0;
    size_t row = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(from[i]))
            mean += from[i] / (double)scaled->points;
    for (size_t i = 0; i < n; i++)
        if (!isnan(from[i])) {
            to[row] = from[i] - mean;
            largest = fmax(largest, fabs(to[row++]));
        }
    scaled->mean[j] = mean;
    scaled->scale[j] = largest;
    for (row = 0; row < scaled->points; row++)
        to[row] /= largest;
    return largest > 1e-14 * fabs(mean);
}

enum shepard_status shepard_covariates_scale(const struct shepard_covariates *covariates, size_t n,
                                             double *const *from,
                                             const struct shepard_scaled_covariates *scaled,
                                             struct shepard_error *error)
{
    for (size_t j = 0; j < covariates->count; j++)
        if (!scale(scaled, n, from[j], j))
            return shepard_covariates_refuse(
                covariates, j, "is constant, and a trend has no part of it to find", error);
    return SHEPARD_OK;
}

enum shepard_status shepard_covariates_check_rank(const struct shepard_covariates *covariates,
                                                  const struct shepard_scaled_covariates *scaled,
                                                  double *triangle, double *least,
                                                  struct shepard_error *error)
{
    const size_t p = covariates->count;
    const struct shepard_least_squares system = {
        .rows = scaled->points, .columns = p, .column = scaled->column, .triangle = triangle};
    for (size_t j = 0; j < p; j++)
        least[j] =
            SHEPARD_LEAST_LEFT * shepard_least_squares_norm(scaled->points, scaled->column[j]);
    const size_t bad = shepard_least_squares_factor(&system, least);
    return bad == p ? SHEPARD_OK
                    : shepard_covariates_refuse(covariates, bad,
                                                "is a linear function of the covariates before it",
                                                error);
}
