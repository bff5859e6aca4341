/* SPDX-License-Identifier: MIT */
#include "api/barriers.h"

#include "api/argument.h"
#include "api/array.h"
#include "api/parameters.h"
#include "base/error.h"
#include "core/barriers.h"

static enum shepard_status check(struct shepard_barriers *lines, struct shepard_error *error)
{
    if (lines->count > SHEPARD_SEGMENTS_MAX)
        return shepard_error_set(error, SHEPARD_ERROR_SIZE, "barriers.count",
                                 "barriers.count is %zu, more than the %u vertices that the "
                                 "library takes: simplify the lines",
                                 lines->count, SHEPARD_SEGMENTS_MAX);
    enum shepard_status status = shepard_array_check(&lines->x, lines->count, "barriers.x", error);
    return status == SHEPARD_OK ? shepard_array_check(&lines->y, lines->count, "barriers.y", error)
                                : status;
}

enum shepard_status shepard_barriers_take(const struct shepard_barriers *given,
                                          enum shepard_metric metric, struct shepard_barriers *own,
                                          size_t *segments, struct shepard_error *error)
{
    *own = (struct shepard_barriers){.size = sizeof *own};
    *segments = 0;
    if (given == NULL)
        return SHEPARD_OK;
    enum shepard_status status = SHEPARD_TAKE(given, own, "barriers", shepard_barriers, error);
    if (status != SHEPARD_OK || own->count == 0)
        return status;
    if (metric != SHEPARD_METRIC_PLANE)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.barriers",
                                 "options.barriers are lines of the plane: leave them out, or "
                                 "transform the coordinates and use SHEPARD_METRIC_PLANE");
    status = check(own, error);
    return status == SHEPARD_OK ? shepard_barriers_count(own, segments, error) : status;
}

enum shepard_status shepard_barriers_check_parameters(const struct shepard_parameters *parameters,
                                                      const struct shepard_geometry *points,
                                                      struct shepard_error *error)
{
    if (points->barriers == NULL || !shepard_parameters_use_all(parameters))
        return SHEPARD_OK;
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, "parameters.neighbourhood",
        "barriers need a parameters.neighbourhood, but these parameters use all "
        "points: limit those of a target, as with max_points=12, "
        "max_points_per_sector=2 or a radius");
}
