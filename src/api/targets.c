/* SPDX-License-Identifier: MIT */
#include "api/targets.h"

#include "api/argument.h"
#include "api/array.h"
#include "base/error.h"
#include "kernel/star.h"

static enum shepard_status fail_many(size_t count, struct shepard_error *error)
{
    return shepard_error_set(
        error, SHEPARD_ERROR_SIZE, "targets.count",
        "%zu targets are more than the %u that one call takes: predict in parts", count,
        SHEPARD_POINTS_MAX);
}

static enum shepard_status view_list(const struct shepard_targets *targets,
                                     const struct shepard_backend_table *backend,
                                     enum shepard_metric metric, struct shepard_targets_view *view,
                                     struct shepard_error *error)
{
    if (targets->count > SHEPARD_POINTS_MAX)
        return fail_many(targets->count, error);
    *view = (struct shepard_targets_view){
        .count = targets->count, .x = targets->x, .y = targets->y, .memory = targets->memory};
    if (targets->count == 0)
        return SHEPARD_OK;
    enum shepard_status status =
        shepard_memory_check(&targets->memory, backend, "targets.memory", error);
    if (status == SHEPARD_OK)
        status = shepard_array_check(&view->x, targets->count, "targets.x", error);
    if (status == SHEPARD_OK)
        status = shepard_array_check(&view->y, targets->count, "targets.y", error);
    if (status == SHEPARD_OK)
        status = shepard_array_check_place(&view->x, targets->count, &targets->memory, backend,
                                           "targets.x", error);
    if (status == SHEPARD_OK)
        status = shepard_array_check_place(&view->y, targets->count, &targets->memory, backend,
                                           "targets.y", error);
    if (status == SHEPARD_OK)
        status = shepard_memory_check_stream(&targets->memory, view->x.data, backend,
                                             "targets.memory.stream", error);
    if (status != SHEPARD_OK)
        return status;
    if (metric != SHEPARD_METRIC_SPACE)
        return shepard_array_check_empty(&targets->z, "targets.z", error);
    view->z = targets->z;
    status = shepard_array_check(&view->z, targets->count, "targets.z", error);
    return status == SHEPARD_OK
               ? shepard_array_check_place(&view->z, targets->count, &targets->memory, backend,
                                           "targets.z", error)
               : status;
}

/* given: coordinates of the points. */
static enum shepard_status view_points(const struct shepard_targets *targets, size_t given,
                                       struct shepard_targets_view *view,
                                       struct shepard_error *error)
{
    const uint32_t *indices = targets->indices;
    if (targets->memory.kind != SHEPARD_MEMORY_HOST)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "targets.memory",
            "targets.memory is not the host's: targets.indices are read there, "
            "leave it empty");
    *view = (struct shepard_targets_view){.count = indices != NULL ? targets->count : given,
                                          .points = true,
                                          .indices = indices,
                                          .keep_coincident = targets->keep_coincident};
    if (view->count > SHEPARD_POINTS_MAX)
        return fail_many(view->count, error);
    for (size_t i = 0; indices != NULL && i < view->count; i++)
        if (indices[i] >= given)
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "targets.indices",
                                     "targets.indices[%zu] is %u: it must be below the number of "
                                     "coordinates, which is %zu",
                                     i, indices[i], given);
    return SHEPARD_OK;
}

static enum shepard_status check_raster(const struct shepard_raster *raster,
                                        struct shepard_error *error)
{
    bool finite = isfinite(raster->x0) && isfinite(raster->y0) && isfinite(raster->dx) &&
                  isfinite(raster->dy);
    if (!finite || raster->dx == 0 || raster->dy == 0)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "targets.raster",
            "targets.raster: the corner (%g, %g) and the cell size %g x %g must be "
            "finite and the size not 0",
            raster->x0, raster->y0, raster->dx, raster->dy);
    if (raster->columns == 0 || raster->rows == 0)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "targets.raster.columns",
                                 "targets.raster of %zu x %zu cells is empty: give at least 1 x 1",
                                 raster->columns, raster->rows);
    return SHEPARD_OK;
}

static bool inside(size_t first, size_t extent, size_t whole)
{
    return first <= whole && extent <= whole - first;
}

bool shepard_window_is_inside(const struct shepard_window *window,
                              const struct shepard_raster *raster)
{
    return inside(window->column, window->columns, raster->columns) &&
           inside(window->row, window->rows, raster->rows);
}

static enum shepard_status view_window(const struct shepard_raster *raster,
                                       const struct shepard_window *window, const char *argument,
                                       struct shepard_targets_view *view,
                                       struct shepard_error *error)
{
    enum shepard_status status = check_raster(raster, error);
    if (status != SHEPARD_OK)
        return status;
    if (!shepard_window_is_inside(window, raster))
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "targets.window",
            "targets.window of %zu x %zu cells from column %zu, row %zu is not "
            "inside the raster of %zu x %zu cells",
            window->columns, window->rows, window->column, window->row, raster->columns,
            raster->rows);
    if (window->rows != 0 && window->columns > SHEPARD_POINTS_MAX / window->rows)
        return shepard_error_set(error, SHEPARD_ERROR_SIZE, argument,
                                 "%s: %zu x %zu cells are more than the %u that one call "
                                 "takes: predict window by window",
                                 argument, window->columns, window->rows, SHEPARD_POINTS_MAX);
    *view = (struct shepard_targets_view){
        .count = window->columns * window->rows, .raster = raster, .window = *window};
    return SHEPARD_OK;
}

static enum shepard_status check_stars(const struct shepard_targets *targets,
                                       struct shepard_targets_view *view,
                                       struct shepard_error *error)
{
    const double *radii = targets->star_radii;
    if (radii == NULL)
        return SHEPARD_OK;
    if (targets->kind != SHEPARD_TARGETS_LIST && targets->kind != SHEPARD_TARGETS_LEAVE_ONE_OUT)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "targets.star_radii",
                                 "targets.star_radii is for lists of targets and leave-one-out: "
                                 "leave it at NULL for rasters");
    for (size_t i = 0; i < SHEPARD_OCTANTS * view->count; i++)
        if (!(radii[i] >= 0))
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "targets.star_radii",
                                     "targets.star_radii[%zu] is %g: it must be >= 0", i, radii[i]);
    view->star_radii = radii;
    return SHEPARD_OK;
}

static enum shepard_metric metric_of(const struct shepard_points *points)
{
    return points->prepared->geometry.frame.space.metric;
}

static enum shepard_status check_raster_z(const struct shepard_targets *targets,
                                          const struct shepard_points *points,
                                          struct shepard_targets_view *view,
                                          struct shepard_error *error)
{
    const double z = targets->raster_z;
    const bool space = metric_of(points) == SHEPARD_METRIC_SPACE;
    view->raster_z = z;
    if (view->raster == NULL ? z == 0 : space ? isfinite(z) : z == 0)
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "targets.raster_z",
                             space && view->raster != NULL
                                 ? "targets.raster_z is %g: it must be finite"
                                 : "targets.raster_z is %g: it is for rasters and points of "
                                   "SHEPARD_METRIC_SPACE, leave it at 0",
                             z);
}

static enum shepard_status view_targets(const struct shepard_targets *targets,
                                        const struct shepard_points *points,
                                        struct shepard_targets_view *view,
                                        struct shepard_error *error)
{
    const struct shepard_raster *raster = &targets->raster;
    const struct shepard_window whole = {0, 0, raster->columns, raster->rows};
    switch (targets->kind) {
    case SHEPARD_TARGETS_LIST:
        return view_list(targets, points->backend, metric_of(points), view, error);
    case SHEPARD_TARGETS_RASTER:
        return view_window(raster, &whole, "targets.raster", view, error);
    case SHEPARD_TARGETS_WINDOW:
        return view_window(raster, &targets->window, "targets.window", view, error);
    case SHEPARD_TARGETS_LEAVE_ONE_OUT:
        return view_points(targets, points->given, view, error);
    }
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, "targets.kind",
        "targets.kind is %d: it must be SHEPARD_TARGETS_LIST, _RASTER, _WINDOW or "
        "_LEAVE_ONE_OUT",
        (int)targets->kind);
}

enum shepard_status shepard_targets_take(const struct shepard_targets *given,
                                         const struct shepard_points *points,
                                         struct shepard_targets *targets,
                                         struct shepard_targets_view *view,
                                         struct shepard_error *error)
{
    *targets = (struct shepard_targets){.size = sizeof *targets};
    enum shepard_status status = SHEPARD_TAKE(given, targets, "targets", shepard_targets, error);
    if (status == SHEPARD_OK)
        status = view_targets(targets, points, view, error);
    if (status == SHEPARD_OK)
        status = check_raster_z(targets, points, view, error);
    return status == SHEPARD_OK ? check_stars(targets, view, error) : status;
}
