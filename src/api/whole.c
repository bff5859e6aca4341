/* SPDX-License-Identifier: MIT */
#include "api/whole.h"

#include "api/argument.h"
#include "api/parameters.h"
#include "base/error.h"
#include "core/methods.h"

#include <math.h>

static bool is_range(double low, double high)
{
    return isfinite(low) && isfinite(high) && low <= high;
}

static enum shepard_status check_ranges(const struct shepard_whole *whole,
                                        struct shepard_error *error)
{
    if (whole->column_count == 0 || whole->value_min == NULL || whole->value_max == NULL)
        return shepard_argument_missing("options.part_of->value_min", error);
    for (size_t c = 0; c < whole->column_count; c++)
        if (!is_range(whole->value_min[c], whole->value_max[c]))
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.part_of",
                                     "options.part_of->value_min[%zu] to value_max[%zu], %.17g to "
                                     "%.17g, must be a finite range",
                                     c, c, whole->value_min[c], whole->value_max[c]);
    return SHEPARD_OK;
}

/* Whether the box of all places holds that of the points. */
static bool holds_points(const struct shepard_whole *whole)
{
    const struct shepard_box places = shepard_geometry_places(whole);
    return is_range(places.x_min, places.x_max) && is_range(places.y_min, places.y_max) &&
           places.x_min <= whole->x_min && places.x_max >= whole->x_max &&
           places.y_min <= whole->y_min && places.y_max >= whole->y_max;
}

enum shepard_status shepard_whole_take(const struct shepard_whole *given,
                                       enum shepard_metric metric, struct shepard_whole *own,
                                       struct shepard_error *error)
{
    *own = (struct shepard_whole){.size = sizeof *own};
    if (given == NULL)
        return SHEPARD_OK;
    const enum shepard_status status =
        SHEPARD_TAKE(given, own, "options.part_of", shepard_whole, error);
    if (status != SHEPARD_OK)
        return status;
    if (metric != SHEPARD_METRIC_PLANE)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.part_of",
                                 "options.part_of is of data in the plane: leave it out and give "
                                 "all points, or use SHEPARD_METRIC_PLANE");
    if (own->points == 0 || !is_range(own->x_min, own->x_max) || !is_range(own->y_min, own->y_max))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.part_of",
                                 "options.part_of must have a point and a finite box");
    if (!holds_points(own))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.part_of",
                                 "options.part_of->place_x_min, place_x_max, place_y_min and "
                                 "place_y_max must be the box of all places, which holds that of "
                                 "the points, or all be 0");
    if (!(own->weight_max >= 0 && isfinite(own->weight_max)))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.part_of",
                                 "options.part_of->weight_max is %g: it must be finite and not "
                                 "negative",
                                 own->weight_max);
    return check_ranges(own, error);
}

enum shepard_status shepard_whole_check_points(const struct shepard_coordinates *coordinates,
                                               const struct shepard_geometry *points,
                                               struct shepard_error *error)
{
    const struct shepard_whole *whole = &points->whole;
    if (whole->points == 0)
        return SHEPARD_OK;
    if (points->count > whole->points)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.part_of",
                                 "options.part_of->points is %zu, and the part has %zu",
                                 whole->points, points->count);
    for (size_t i = 0; i < coordinates->count; i++) {
        const double x = shepard_array_at(&coordinates->x, i);
        const double y = shepard_array_at(&coordinates->y, i);
        if (shepard_geometry_usable(coordinates, i) && !shepard_whole_holds(whole, x, y))
            return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.part_of",
                                     "point %zu of the part lies outside the box of "
                                     "options.part_of",
                                     i);
    }
    return SHEPARD_OK;
}

enum shepard_status shepard_whole_check_values(const struct shepard_geometry *points,
                                               const struct shepard_values *values,
                                               struct shepard_error *error)
{
    const struct shepard_whole *whole = &points->whole;
    if (whole->points == 0)
        return SHEPARD_OK;
    if (values->weights.data != NULL && !(whole->weight_max > 0))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values.weights",
                                 "there are values.weights, but options.part_of of the points has "
                                 "no weight_max: give the largest weight of all data");
    if (whole->column_count != values->column_count)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values.column_count",
                                 "values.column_count is %zu, and options.part_of of the points "
                                 "has %zu: give the same columns",
                                 values->column_count, whole->column_count);
    return SHEPARD_OK;
}

enum shepard_status shepard_whole_fail_gaps(struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "values.columns",
                             "a point has no value or weight, but with options.part_of each has: "
                             "leave the others out of the coordinates");
}

enum shepard_status shepard_whole_check_parameters(const struct shepard_parameters *parameters,
                                                   const struct shepard_geometry *points,
                                                   struct shepard_error *error)
{
    if (points->whole.points == 0)
        return SHEPARD_OK;
    if (shepard_parameters_use_all(parameters))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "parameters.neighbourhood",
                                 "a part of the data (options.part_of) needs a "
                                 "parameters.neighbourhood, but these parameters use all points: "
                                 "limit those of a target, as with max_points=12");
    if (shepard_method_facts(parameters->method)->adaptive && !(parameters->adaptive.area > 0) &&
        points->frame.stretch.ratio != 1)
        return shepard_error_set(error, SHEPARD_ERROR_AREA, "parameters.adaptive.area",
                                 "AIDW with anisotropy from a part of the data (options.part_of) "
                                 "does not know the area of all: give parameters.adaptive.area");
    return SHEPARD_OK;
}
