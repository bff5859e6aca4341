/* SPDX-License-Identifier: MIT */
#include "api/points.h"

#include "api/argument.h"
#include "api/array.h"
#include "api/backends.h"
#include "api/barriers.h"
#include "api/points_options.h"
#include "api/whole.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/span.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum shepard_status shepard_coordinates_take(const struct shepard_coordinates *coordinates,
                                             enum shepard_metric metric,
                                             struct shepard_coordinates *resolved,
                                             struct shepard_error *error)
{
    *resolved = (struct shepard_coordinates){.size = sizeof *resolved};
    enum shepard_status status =
        SHEPARD_TAKE(coordinates, resolved, "coordinates", shepard_coordinates, error);
    if (status != SHEPARD_OK)
        return status;
    if (resolved->count == 0)
        return shepard_error_set(error, SHEPARD_ERROR_NO_POINTS, "coordinates.count",
                                 "there is no data point: give at least one");
    if (resolved->count > SHEPARD_POINTS_MAX)
        return shepard_error_set(
            error, SHEPARD_ERROR_SIZE, "coordinates.count",
            "%zu data points are more than the %u that the library takes: split or "
            "thin the data",
            resolved->count, SHEPARD_POINTS_MAX);
    status = shepard_array_check(&resolved->x, resolved->count, "coordinates.x", error);
    if (status == SHEPARD_OK)
        status = shepard_array_check(&resolved->y, resolved->count, "coordinates.y", error);
    if (status != SHEPARD_OK)
        return status;
    return metric == SHEPARD_METRIC_SPACE
               ? shepard_array_check(&resolved->z, resolved->count, "coordinates.z", error)
               : shepard_array_check_empty(&resolved->z, "coordinates.z", error);
}

static void release(struct shepard_points *points)
{
    if (points->prepared != NULL)
        points->backend->points_free(points->prepared);
    points->prepared = NULL;
    shepard_barriers_free(&points->barriers);
}

static enum shepard_status check_place(const struct shepard_coordinates *coordinates,
                                       const struct shepard_backend_table *backend,
                                       struct shepard_error *error)
{
    const struct shepard_memory *memory = &coordinates->memory;
    const size_t n = coordinates->count;
    enum shepard_status status = shepard_memory_check(memory, backend, "coordinates.memory", error);
    if (status == SHEPARD_OK)
        status =
            shepard_array_check_place(&coordinates->x, n, memory, backend, "coordinates.x", error);
    if (status == SHEPARD_OK)
        status =
            shepard_array_check_place(&coordinates->y, n, memory, backend, "coordinates.y", error);
    return status == SHEPARD_OK ? shepard_memory_check_stream(memory, coordinates->x.data, backend,
                                                              "coordinates.memory.stream", error)
                                : status;
}

/* As shepard_span_check, of one coordinate of points on a device. */
static enum shepard_status check_device_span(const struct shepard_coordinates *data,
                                             const struct shepard_points *points, bool of_y,
                                             struct shepard_error *error)
{
    const struct shepard_geometry *geometry = &points->prepared->geometry;
    const struct shepard_device_arrays *arrays = points->backend->arrays;
    struct shepard_array array = of_y ? data->y : data->x;
    const double least = shepard_frame_least(&geometry->frame);
    const double bounds[2] = {nextafter(-least, 0), least};
    size_t first = data->count;
    double found = 0;
    if (!shepard_span_reaches(geometry, of_y))
        return SHEPARD_OK;
    enum shepard_status status = arrays->find(&array, of_y ? &data->x : &data->y, data->count,
                                              bounds, &data->memory, &first, error);
    if (status != SHEPARD_OK || first == data->count)
        return status;
    array.data = (const char *)array.data + (ptrdiff_t)first * array.stride;
    status = arrays->download(&array, 1, &data->memory, &found, error);
    return status == SHEPARD_OK ? shepard_span_fail(geometry, of_y, first, found, error) : status;
}

/* Whether heights stay numbers when they are multiplied. */
static enum shepard_status check_heights(const struct shepard_coordinates *data, double factor,
                                         struct shepard_error *error)
{
    for (size_t i = 0; i < data->count; i++) {
        const double z = shepard_array_at(&data->z, i);
        if (shepard_geometry_usable(data, i) && isfinite(z) && !isfinite(z * factor))
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "coordinates.z",
                                     "coordinates.z[%zu] is %g, which options.vertical_factor, %g, "
                                     "multiplies beyond all numbers: give a smaller one",
                                     i, z, factor);
    }
    return SHEPARD_OK;
}

static enum shepard_status check_latitudes(const struct shepard_coordinates *data,
                                           struct shepard_error *error)
{
    for (size_t i = 0; i < data->count; i++) {
        const double latitude = shepard_array_at(&data->y, i);
        if (fabs(latitude) > 90 && shepard_geometry_usable(data, i))
            return shepard_error_set(
                error, SHEPARD_ERROR_ARGUMENT, "coordinates.y",
                "coordinates.y[%zu] is %.17g: a latitude must be -90 to 90 degrees; are x and y "
                "exchanged, or the coordinates projected (SHEPARD_METRIC_PLANE)?",
                i, latitude);
    }
    return SHEPARD_OK;
}

static enum shepard_status check_span(const struct shepard_coordinates *data,
                                      const struct shepard_points *points,
                                      struct shepard_error *error)
{
    if (points->prepared->geometry.frame.space.metric == SHEPARD_METRIC_SPHERE)
        return SHEPARD_OK;
    if (data->memory.kind == SHEPARD_MEMORY_HOST)
        return shepard_span_check(data, &points->prepared->geometry, error);
    const enum shepard_status status = check_device_span(data, points, false, error);
    return status == SHEPARD_OK ? check_device_span(data, points, true, error) : status;
}

static enum shepard_status prepare(const struct shepard_points_plan *plan,
                                   struct shepard_points *points, struct shepard_error *error)
{
    enum shepard_status status = check_place(plan->coordinates, points->backend, error);
    if (status == SHEPARD_OK && plan->space.metric == SHEPARD_METRIC_SPHERE)
        status = check_latitudes(plan->coordinates, error);
    if (status == SHEPARD_OK && plan->space.metric == SHEPARD_METRIC_SPACE)
        status = check_heights(plan->coordinates, plan->space.vertical, error);
    if (status == SHEPARD_OK)
        status = points->backend->points_create(plan, &points->prepared, error);
    if (status == SHEPARD_OK)
        status = check_span(plan->coordinates, points, error);
    if (status == SHEPARD_OK)
        status = shepard_whole_check_points(plan->coordinates, &points->prepared->geometry, error);
    if (status != SHEPARD_OK)
        release(points);
    return status;
}

/* Whether another backend may do what this one had no room, or no working device, for. */
static bool may_fit_elsewhere(enum shepard_status status)
{
    return status == SHEPARD_ERROR_MEMORY || status == SHEPARD_ERROR_SIZE ||
           status == SHEPARD_ERROR_BACKEND;
}

/* Why the CPU computes what a GPU could not. */
static const char *only_cpu(const struct shepard_points_plan *plan)
{
    return plan->whole->points > 0              ? "the GPU takes no part of data"
           : plan->options->barriers->count > 0 ? "the GPU does not look past barriers"
                                                : NULL;
}

static enum shepard_status fail_on_device(const char *why, struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "coordinates.memory",
                             "coordinates.memory.kind is SHEPARD_MEMORY_CUDA, but %s: copy the "
                             "coordinates to the host",
                             why);
}

static enum shepard_status prepare_on_cpu(const struct shepard_points_plan *plan,
                                          struct shepard_points *points,
                                          struct shepard_error *error)
{
    if (plan->coordinates->memory.kind != SHEPARD_MEMORY_HOST)
        return fail_on_device(only_cpu(plan), error);
    if (plan->options->backend == SHEPARD_BACKEND_CUDA)
        snprintf(points->notice, sizeof points->notice, "%s: the CPU computes", only_cpu(plan));
    points->backend = &shepard_backend_cpu;
    return prepare(plan, points, error);
}

/* With AUTO, falls back to the CPU if the GPU fails, but where the coordinates lie on it. */
static enum shepard_status build(const struct shepard_points_plan *plan,
                                 struct shepard_points *points, struct shepard_error *error)
{
    const enum shepard_backend wanted = plan->options->backend;
    struct shepard_error first = {.message = ""};
    points->backend = shepard_backends_find(plan->coordinates, plan->options, error);
    if (points->backend == NULL)
        return SHEPARD_ERROR_BACKEND;
    if (points->backend == &shepard_backend_cuda && only_cpu(plan) != NULL)
        return prepare_on_cpu(plan, points, error);
    if (plan->space.metric != SHEPARD_METRIC_PLANE &&
        plan->coordinates->memory.kind != SHEPARD_MEMORY_HOST)
        return fail_on_device("places of this metric are put in order on the host", error);
    if (wanted != SHEPARD_BACKEND_AUTO || points->backend != &shepard_backend_cuda)
        return prepare(plan, points, error);
    enum shepard_status status = prepare(plan, points, &first);
    if (may_fit_elsewhere(status) && plan->coordinates->memory.kind == SHEPARD_MEMORY_HOST) {
        snprintf(points->notice, sizeof points->notice,
                 "the CPU computes, because the GPU could not: %s", first.message);
        points->backend = &shepard_backend_cpu;
        return prepare(plan, points, error);
    }
    if (status != SHEPARD_OK && error != NULL)
        *error = first;
    return status;
}

/* Puts barriers, of so many segments, round prepared points. */
static enum shepard_status add_barriers(const struct shepard_points_plan *plan, size_t segments,
                                        struct shepard_points *points, struct shepard_error *error)
{
    struct shepard_geometry *geometry = &points->prepared->geometry;
    if (segments == 0)
        return SHEPARD_OK;
    points->barriers.allocator = plan->allocator;
    const enum shepard_status status =
        shepard_barriers_create(plan->options->barriers, segments, &geometry->frame, plan->threads,
                                &points->barriers, error);
    if (status == SHEPARD_OK)
        geometry->barriers = &points->barriers.tree;
    return status;
}

/* Coordinates and options have been checked; segments: of their barriers. */
static enum shepard_status create(const struct shepard_coordinates *coordinates,
                                  const struct shepard_points_options *options, size_t segments,
                                  struct shepard_points **points, struct shepard_error *error)
{
    struct shepard_points *made = shepard_allocate(options->allocator, 1, sizeof *made);
    if (made == NULL)
        return shepard_error_set_memory(error, "the points");
    *made =
        (struct shepard_points){.given = coordinates->count, .memory_limit = options->memory_limit};
    if (options->allocator != NULL) {
        made->allocator = *options->allocator;
        made->allocator_used = &made->allocator;
    }
    const struct shepard_points_plan plan = {
        .coordinates = coordinates,
        .options = options,
        .space = {options->metric, options->sphere_radius, options->vertical_factor},
        .stretch = shepard_stretch_of(options->anisotropy_ratio, options->anisotropy_angle),
        .whole = options->part_of,
        .threads = shepard_threads(options->threads),
        .allocator = made->allocator_used,
    };
    enum shepard_status status = build(&plan, made, error);
    if (status == SHEPARD_OK)
        status = add_barriers(&plan, segments, made, error);
    if (status == SHEPARD_OK)
        *points = made;
    else
        shepard_points_free(made);
    return status;
}

enum shepard_status shepard_points_create(const struct shepard_coordinates *coordinates,
                                          const struct shepard_points_options *options,
                                          struct shepard_points **points,
                                          struct shepard_error *error)
{
    struct shepard_coordinates resolved;
    struct shepard_points_options own;
    struct shepard_parameters expected;
    struct shepard_barriers barriers;
    struct shepard_whole whole;
    size_t segments = 0;
    enum shepard_status status = shepard_points_options_take(options, &own, &expected, error);
    if (status == SHEPARD_OK)
        status = shepard_barriers_take(own.barriers, own.metric, &barriers, &segments, error);
    own.barriers = &barriers;
    if (status == SHEPARD_OK)
        status = shepard_whole_take(own.part_of, own.metric, &whole, error);
    own.part_of = &whole;
    if (status == SHEPARD_OK)
        status = shepard_coordinates_take(coordinates, own.metric, &resolved, error);
    if (status == SHEPARD_OK && points == NULL)
        status = shepard_argument_missing("points", error);
    return status == SHEPARD_OK ? create(&resolved, &own, segments, points, error) : status;
}

void shepard_points_free(struct shepard_points *points)
{
    if (points == NULL)
        return;
    release(points);
    const struct shepard_allocator allocator = points->allocator;
    shepard_release(points->allocator_used != NULL ? &allocator : NULL, points);
}

void shepard_points_get_info(const struct shepard_points *points, struct shepard_points_info *info)
{
    const struct shepard_geometry *geometry = &points->prepared->geometry;
    const struct shepard_box *box = &geometry->box;
    struct shepard_holding holding = {.notice = ""};
    points->backend->points_holding(points->prepared, &holding);
    const struct shepard_points_info all = {
        .size = info->size,
        .points = geometry->count,
        .skipped = geometry->skipped,
        .x_min = box->x_min,
        .x_max = box->x_max,
        .y_min = box->y_min,
        .y_max = box->y_max,
        .area = shepard_geometry_area(geometry),
        .bytes = sizeof *points + holding.bytes + shepard_barriers_bytes(&points->barriers),
        .device_bytes = holding.device_bytes,
        .threads = geometry->threads,
        .backend = points->backend->name,
        .isa = points->backend->isa(),
        .notice = *points->notice != '\0' ? points->notice : holding.notice,
        .timing = holding.timing,
        .segments = points->barriers.tree.count,
    };
    memcpy(info, &all, shepard_smaller(info->size, sizeof all));
}
