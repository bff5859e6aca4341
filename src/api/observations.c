/* SPDX-License-Identifier: MIT */
#include "api/observations.h"

#include "api/argument.h"
#include "api/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/array.h"

#include <math.h>

/* A copy of a checked array; NULL where memory is out. */
static double *copy(const struct shepard_array *array, size_t count,
                    const struct shepard_allocator *allocator)
{
    struct shepard_array from = *array;
    double *to = shepard_allocate(allocator, count, sizeof *to);
    from.stride = shepard_stride_of(from.type, from.stride);
    for (size_t i = 0; to != NULL && i < count; i++)
        to[i] = shepard_array_at(&from, i);
    return to;
}

static bool is_usable(const struct shepard_observations *observations, size_t i)
{
    return isfinite(observations->x[i]) && isfinite(observations->y[i]) &&
           isfinite(observations->z[i]) &&
           (observations->height == NULL || isfinite(observations->height[i])) &&
           (observations->weights == NULL ||
            (isfinite(observations->weights[i]) && observations->weights[i] > 0));
}

static bool copy_all(const struct shepard_coordinates *coordinates,
                     const struct shepard_values *values, struct shepard_observations *to)
{
    const struct shepard_allocator *allocator = to->allocator;
    to->x = copy(&coordinates->x, to->given, allocator);
    to->y = copy(&coordinates->y, to->given, allocator);
    to->z = copy(&values->columns[0], to->given, allocator);
    to->indices = shepard_allocate(allocator, to->given, sizeof *to->indices);
    if (to->metric == SHEPARD_METRIC_SPACE)
        to->height = copy(&coordinates->z, to->given, allocator);
    if (values->weights.data != NULL)
        to->weights = copy(&values->weights, to->given, allocator);
    return to->x != NULL && to->y != NULL && to->z != NULL && to->indices != NULL &&
           (to->metric != SHEPARD_METRIC_SPACE || to->height != NULL) &&
           (values->weights.data == NULL || to->weights != NULL);
}

enum shepard_status shepard_observations_create(const struct shepard_coordinates *coordinates,
                                                const struct shepard_points_options *options,
                                                const struct shepard_values *values,
                                                const struct shepard_allocator *allocator,
                                                struct shepard_observations *observations,
                                                struct shepard_error *error)
{
    struct shepard_coordinates places = {.size = sizeof places};
    struct shepard_values measured = {.size = sizeof measured};
    enum shepard_status status =
        SHEPARD_TAKE(coordinates, &places, "coordinates", shepard_coordinates, error);
    if (status == SHEPARD_OK)
        status = SHEPARD_TAKE(values, &measured, "values", shepard_values, error);
    if (status == SHEPARD_OK)
        status = shepard_memory_check_host(&places.memory, "shepard_holdout_create",
                                           "coordinates.memory", error);
    if (status == SHEPARD_OK)
        status = shepard_memory_check_host(&measured.memory, "shepard_holdout_create",
                                           "values.memory", error);
    if (status != SHEPARD_OK)
        return status;
    if (measured.column_count != 1)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values.column_count",
                                 "values.column_count is %zu: a validation takes 1 column",
                                 measured.column_count);
    *observations = (struct shepard_observations){
        .given = places.count,
        .metric = options->metric,
        .sphere_radius = options->sphere_radius,
        .allocator = allocator,
    };
    if (!copy_all(&places, &measured, observations)) {
        shepard_observations_free(observations);
        return shepard_error_set_memory(error, "the data of the validation");
    }
    for (size_t i = 0; i < places.count; i++)
        if (is_usable(observations, i))
            observations->indices[observations->count++] = (uint32_t)i;
    return SHEPARD_OK;
}

struct shepard_coordinates
shepard_observations_coordinates(const struct shepard_observations *observations)
{
    struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                              .count = observations->given,
                                              .x = shepard_doubles(observations->x),
                                              .y = shepard_doubles(observations->y)};
    if (observations->height != NULL)
        coordinates.z = shepard_doubles(observations->height);
    return coordinates;
}

static struct shepard_squares squares_of(const struct shepard_observations *data, double side)
{
    struct shepard_squares squares = {INFINITY, INFINITY, side, 0};
    for (size_t i = 0; i < data->count; i++) {
        squares.x0 = fmin(squares.x0, data->x[data->indices[i]]);
        squares.y0 = fmin(squares.y0, data->y[data->indices[i]]);
    }
    if (data->metric == SHEPARD_METRIC_SPHERE)
        squares.radius = data->sphere_radius;
    return squares;
}

enum shepard_status shepard_observations_units(const struct shepard_observations *observations,
                                               const uint32_t *indices, size_t count, double side,
                                               struct shepard_units *units)
{
    const struct shepard_squares squares = squares_of(observations, side);
    const struct shepard_unit_data data = {observations->x, observations->y, observations->height,
                                           indices, count};
    return shepard_units_create(&data, &squares, observations->allocator, units);
}

void shepard_observations_free(struct shepard_observations *observations)
{
    const struct shepard_allocator *allocator = observations->allocator;
    shepard_release(allocator, observations->indices);
    shepard_release(allocator, observations->weights);
    shepard_release(allocator, observations->height);
    shepard_release(allocator, observations->z);
    shepard_release(allocator, observations->y);
    shepard_release(allocator, observations->x);
    *observations = (struct shepard_observations){0};
}
