/* SPDX-License-Identifier: MIT */
#include "core/span.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/parallel.h"

#include <math.h>

/* ---- lengths --------------------------------------------------------------------------------- */

/* Of one that may be 0, or not. */
static enum shepard_status check_length(double length, bool or_0, const char *field, double least,
                                        struct shepard_error *error)
{
    if (length == 0 || length >= least)
        return SHEPARD_OK;
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, field,
        "%s is %g, which is too small relative to the extent of the data points: give %s"
        "at least %.2g",
        field, length, or_0 ? "0 or " : "", least);
}

enum shepard_status shepard_span_check_lengths(const struct shepard_parameters *parameters,
                                               const struct shepard_frame *frame,
                                               struct shepard_error *error)
{
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const double least = shepard_frame_least(frame);
    enum shepard_status status =
        check_length(parameters->smoothing, true, "parameters.smoothing", least, error);
    if (status == SHEPARD_OK)
        status =
            check_length(hood->radius1, true, "parameters.neighbourhood.radius1", least, error);
    if (status == SHEPARD_OK)
        status =
            check_length(hood->radius2, true, "parameters.neighbourhood.radius2", least, error);
    if (status == SHEPARD_OK && !isnan(parameters->kriging.range))
        status = check_length(parameters->kriging.range, false, "parameters.kriging.range", least,
                              error);
    return status;
}

/* ---- coordinates ----------------------------------------------------------------------------- */

/* One coordinate of all data points. */
struct axis {
    bool of_y;
    const struct shepard_array *a;
    size_t count;
    double least;
};

static bool vanishes(const struct axis *axis, size_t i)
{
    const double a = shepard_array_at(axis->a, i);
    return a != 0 && fabs(a) < axis->least;
}

/* Coordinates looked at per block of the loop. */
#define SPAN_BLOCK 65536

static enum shepard_status look_at_block(void *context, size_t block, int thread)
{
    const struct axis *axis = context;
    const size_t first = block * SPAN_BLOCK;
    const size_t end = shepard_smaller(first + SPAN_BLOCK, axis->count);
    bool found = false;
    (void)thread;
    for (size_t i = first; i < end; i++)
        found |= vanishes(axis, i);
    return found ? SHEPARD_ERROR_ARGUMENT : SHEPARD_OK;
}

/* Whether one vanishes, of a point usable or not. */
static bool any_vanishes(struct axis *axis, int threads)
{
    const struct shepard_loop loop = {.threads = threads,
                                      .blocks = shepard_ceil_div(axis->count, SPAN_BLOCK),
                                      .body = look_at_block,
                                      .context = axis};
    return shepard_loop_run(&loop) != SHEPARD_OK;
}

bool shepard_span_reaches(const struct shepard_geometry *points, bool of_y)
{
    const struct shepard_box *box = &points->box;
    const double least = shepard_frame_least(&points->frame);
    return (of_y ? box->y_min : box->x_min) < least && (of_y ? box->y_max : box->x_max) > -least;
}

static double larger_size(double a, double b)
{
    return fmax(fabs(a), fabs(b));
}

enum shepard_status shepard_span_fail(const struct shepard_geometry *points, bool of_y, size_t i,
                                      double coordinate, struct shepard_error *error)
{
    const struct shepard_box *box = &points->box;
    const char *name = of_y ? "coordinates.y" : "coordinates.x";
    const double most =
        fmax(larger_size(box->x_min, box->x_max), larger_size(box->y_min, box->y_max));
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, name,
        "%s[%zu] is %g, which is too small relative to coordinates of up to %g: a "
        "coordinate other than 0 must be at least %.2g in size. Set such "
        "coordinates to 0, or put points that are so far apart into separate "
        "data sets",
        name, i, coordinate, most, shepard_frame_least(&points->frame));
}

static enum shepard_status check_axis(const struct shepard_coordinates *data, struct axis *axis,
                                      const struct shepard_geometry *points,
                                      struct shepard_error *error)
{
    if (!shepard_span_reaches(points, axis->of_y) || !any_vanishes(axis, points->threads))
        return SHEPARD_OK;
    for (size_t i = 0; i < axis->count; i++)
        if (vanishes(axis, i) && shepard_geometry_usable(data, i))
            return shepard_span_fail(points, axis->of_y, i, shepard_array_at(axis->a, i), error);
    return SHEPARD_OK;
}

enum shepard_status shepard_span_check(const struct shepard_coordinates *coordinates,
                                       const struct shepard_geometry *points,
                                       struct shepard_error *error)
{
    const double least = shepard_frame_least(&points->frame);
    struct axis x = {false, &coordinates->x, coordinates->count, least};
    struct axis y = {true, &coordinates->y, coordinates->count, least};
    enum shepard_status status = check_axis(coordinates, &x, points, error);
    return status == SHEPARD_OK ? check_axis(coordinates, &y, points, error) : status;
}
