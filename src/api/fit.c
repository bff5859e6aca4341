/* SPDX-License-Identifier: MIT */
#include "api/argument.h"
#include "api/array.h"
#include "api/covariates.h"
#include "api/fit_trend.h"
#include "api/parameters.h"
#include "api/points.h"
#include "api/points_options.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/sized.h"
#include "core/array.h"
#include "core/covariance_fit.h"
#include "core/methods.h"
#include "core/sphere.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- arguments ------------------------------------------------------------------------------- */

/* What the caller has given, complete. */
struct fit_call {
    struct shepard_fit_data data;
    struct shepard_coordinates coordinates; /* of resolved strides */
    struct shepard_array column;            /* the same */
    struct shepard_covariates covariates;   /* the same; none: count 0 */
    struct shepard_parameters parameters;
    struct shepard_points_options options; /* with the anisotropy as given */
    struct shepard_control control;
};

static enum shepard_status take_column(struct fit_call *call, struct shepard_error *error)
{
    struct shepard_values values = {.size = sizeof values};
    char name[64];
    enum shepard_status status =
        SHEPARD_TAKE(call->data.values, &values, "data.values", shepard_values, error);
    if (status == SHEPARD_OK)
        status =
            shepard_memory_check_host(&values.memory, "shepard_fit", "data.values->memory", error);
    if (status != SHEPARD_OK)
        return status;
    if (values.columns == NULL)
        return shepard_argument_missing("data.values->columns", error);
    if (call->data.column >= values.column_count)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "data.column",
                                 "data.column is %zu: there are %zu value columns, numbered from 0",
                                 call->data.column, values.column_count);
    if (values.weights.data != NULL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "data.values->weights",
                                 "data.values->weights: kriging does not use weights of points: "
                                 "leave them out");
    snprintf(name, sizeof name, "data.values->columns[%zu]", call->data.column);
    call->column = shepard_array_of_column(values.columns, values.column_stride, call->data.column);
    return shepard_array_check(&call->column, call->coordinates.count, name, error);
}

static enum shepard_status take_data(const struct shepard_fit_data *data, struct fit_call *call,
                                     struct shepard_error *error)
{
    call->data = (struct shepard_fit_data){.size = sizeof call->data};
    enum shepard_status status = SHEPARD_TAKE(data, &call->data, "data", shepard_fit_data, error);
    if (status == SHEPARD_OK)
        status = shepard_coordinates_take(call->data.coordinates, call->options.metric,
                                          &call->coordinates, error);
    if (status == SHEPARD_OK)
        status = shepard_memory_check_host(&call->coordinates.memory, "shepard_fit",
                                           "data.coordinates->memory", error);
    return status == SHEPARD_OK ? take_column(call, error) : status;
}

static enum shepard_status take_covariates(struct fit_call *call, struct shepard_error *error)
{
    return call->data.covariates == NULL
               ? SHEPARD_OK
               : shepard_covariates_take(call->data.covariates, call->coordinates.count,
                                         call->options.allocator, &call->covariates, error);
}

/* An anisotropy of NaN is open; the checks see none. */
static enum shepard_status take_options(const struct shepard_points_options *options,
                                        struct fit_call *call, struct shepard_error *error)
{
    struct shepard_points_options given, checked;
    struct shepard_parameters expected;
    shepard_points_options_init(&given);
    enum shepard_status status =
        SHEPARD_TAKE(options, &given, "options", shepard_points_options, error);
    if (status == SHEPARD_OK && given.metric == SHEPARD_METRIC_SPHERE &&
        isnan(given.anisotropy_ratio))
        given.anisotropy_ratio = 1;
    call->options = given;
    given.anisotropy_ratio = isnan(given.anisotropy_ratio) ? 1 : given.anisotropy_ratio;
    given.anisotropy_angle = isnan(given.anisotropy_angle) ? 0 : given.anisotropy_angle;
    return status == SHEPARD_OK ? shepard_points_options_take(&given, &checked, &expected, error)
                                : status;
}

static enum shepard_status take_parameters(const struct shepard_parameters *parameters,
                                           struct fit_call *call, struct shepard_error *error)
{
    const enum shepard_status status =
        shepard_parameters_take(parameters, &call->parameters, error);
    if (status != SHEPARD_OK || shepard_method_facts(call->parameters.method)->kriging)
        return status;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "parameters.method",
                             "parameters.method: only SHEPARD_METHOD_KRIGE (krige) has parameters "
                             "that are fitted");
}

static enum shepard_status take(const struct shepard_fit_data *data,
                                const struct shepard_parameters *parameters,
                                const struct shepard_points_options *options,
                                const struct shepard_control *control, struct fit_call *call,
                                struct shepard_error *error)
{
    enum shepard_status status = take_options(options, call, error);
    if (status == SHEPARD_OK)
        status = take_data(data, call, error);
    if (status == SHEPARD_OK)
        status = take_parameters(parameters, call, error);
    if (status == SHEPARD_OK)
        status = take_covariates(call, error);
    return status == SHEPARD_OK ? shepard_control_take(control, &call->control, error) : status;
}

/* ---- the fit --------------------------------------------------------------------------------- */

static bool is_simple(const struct shepard_kriging *kriging)
{
    return kriging->kind == SHEPARD_KRIGING_SIMPLE;
}

/* A ratio without an angle has the angle 0. */
static struct shepard_covariance_given given_by(const struct fit_call *call)
{
    const struct shepard_kriging *kriging = &call->parameters.kriging;
    const double ratio = call->options.anisotropy_ratio, angle = call->options.anisotropy_angle;
    return (struct shepard_covariance_given){
        .covariance = kriging->covariance,
        .psill = kriging->psill,
        .nugget = kriging->nugget,
        .range = kriging->range,
        .p = kriging->p,
        .mean = kriging->mean,
        .ratio = ratio,
        .angle = isnan(angle) && !isnan(ratio) ? 0 : angle,
    };
}

static bool is_complete(const struct fit_call *call, const struct shepard_covariance_given *given)
{
    const struct shepard_kriging *kriging = &call->parameters.kriging;
    return !isnan(given->psill) && !isnan(given->nugget) && !isnan(given->range) &&
           !isnan(given->ratio) &&
           (!isnan(given->p) || kriging->covariance != SHEPARD_COVARIANCE_STABLE) &&
           (!isnan(given->mean) || !is_simple(kriging));
}

/* The places, values and covariates that count, one behind the other. */
struct fit_points {
    double *x, *y, *z;
    double *height; /* NULL: places have two coordinates */
    struct shepard_fit_trend trend;
    size_t count;
};

/* Coordinates i; on a sphere the point of space. False: they are no place. */
static bool take_place(const struct fit_call *call, size_t i, double *x, double *y, double *height)
{
    const struct shepard_points_options *options = &call->options;
    *x = shepard_array_at(&call->coordinates.x, i);
    *y = shepard_array_at(&call->coordinates.y, i);
    *height = 0;
    if (options->metric == SHEPARD_METRIC_SPACE)
        *height = shepard_array_at(&call->coordinates.z, i) * options->vertical_factor;
    if (options->metric != SHEPARD_METRIC_SPHERE)
        return isfinite(*x) && isfinite(*y) && isfinite(*height);
    const struct shepard_frame sphere = {.scale = 1, .space.radius = options->sphere_radius};
    const bool holds = shepard_sphere_holds(*x, *y);
    if (holds)
        shepard_sphere_place(&sphere, x, y, height);
    return holds;
}

static enum shepard_status gather(const struct fit_call *call, struct fit_points *points,
                                  struct shepard_error *error)
{
    const size_t n = call->coordinates.count;
    double *room = shepard_allocate(call->options.allocator, 4 * n, sizeof *room), spare;
    *points = (struct fit_points){.x = room, .y = room + n, .z = room + 2 * n};
    if (call->options.metric != SHEPARD_METRIC_PLANE)
        points->height = room + 3 * n;
    if (room == NULL ||
        !shepard_fit_trend_create(&call->covariates, n, call->options.allocator, &points->trend))
        return shepard_error_set_memory(error, "the fit of the covariance");
    for (size_t i = 0; i < n; i++) {
        const double z = shepard_array_at(&call->column, i);
        const size_t to = points->count;
        const bool is_place = take_place(call, i, &points->x[to], &points->y[to],
                                         points->height != NULL ? &points->height[to] : &spare);
        points->z[to] = z;
        shepard_fit_trend_put(&points->trend, i, to);
        points->count += is_place && isfinite(z) && shepard_covariates_has(&call->covariates, i);
    }
    if (points->count > 0)
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_NO_POINTS, "data.values",
                             "no point has finite coordinates%s and a finite value in column %zu: "
                             "give at least one",
                             call->covariates.count > 0 ? ", all covariates" : "",
                             call->data.column);
}

static enum shepard_status run(const struct fit_call *call,
                               const struct shepard_covariance_given *given,
                               struct shepard_covariance_fit *fit, struct shepard_fit_info *info,
                               struct shepard_error *error)
{
    struct fit_points points;
    enum shepard_status status = gather(call, &points, error);
    if (status == SHEPARD_OK && call->covariates.count > 0)
        status =
            shepard_fit_trend_take_out(&points.trend, points.count, given->mean, points.z, error);
    const struct shepard_covariance_data data = {
        .count = points.count,
        .x = points.x,
        .y = points.y,
        .z = points.z,
        .height = points.height,
        .covariates = call->covariates.count,
        .covariate = points.trend.column,
        .coefficient = points.trend.found,
        .given = *given,
        .needs_sill = is_simple(&call->parameters.kriging),
        .seed = call->data.seed,
        .kernels = shepard_kernels_choose(),
        .threads = shepard_threads(call->options.threads),
        .allocator = call->options.allocator,
        .control = &call->control,
    };
    if (status == SHEPARD_OK && !shepard_kernels_limit_known())
        status = shepard_error_set(error, SHEPARD_ERROR_BACKEND, "",
                                   "the environment variable SHEPARD_ISA names no instruction set "
                                   "that can be used here: unset it");
    if (status == SHEPARD_OK)
        status = shepard_covariance_fit_run(&data, fit, error);
    if (status == SHEPARD_OK && call->covariates.count > 0 && isnan(given->mean))
        fit->mean -= shepard_fit_trend_mean(&points.trend);
    info->points = points.count;
    shepard_fit_trend_free(&points.trend);
    shepard_release(call->options.allocator, points.x);
    return status;
}

/* ---- results --------------------------------------------------------------------------------- */

static void complete(const struct shepard_covariance_fit *fit, struct fit_call *call)
{
    struct shepard_kriging *kriging = &call->parameters.kriging;
    if (kriging->sd == SHEPARD_KRIGING_SD_AUTO && (isnan(kriging->psill) || isnan(kriging->nugget)))
        kriging->sd = SHEPARD_KRIGING_SD_LOCAL;
    kriging->covariance = fit->covariance;
    kriging->psill = fit->psill;
    kriging->nugget = fit->nugget;
    kriging->range = fit->range;
    kriging->p = fit->covariance == SHEPARD_COVARIANCE_STABLE ? fit->p : NAN;
    if (is_simple(kriging))
        kriging->mean = fit->mean;
    call->options.anisotropy_ratio = fit->ratio;
    call->options.anisotropy_angle = fit->angle;
}

static void report(const struct shepard_covariance_fit *fit, struct shepard_fit_info *info)
{
    const double sill = fit->psill + fit->nugget;
    info->fitted = true;
    info->form = fit->form;
    info->anisotropic = fit->anisotropic;
    info->clipped = fit->clipped;
    info->evaluations = fit->evaluations;
    info->objective = fit->objective;
    info->mean = fit->mean;
    info->range_along = fit->range;
    info->range_across = fit->range / fit->ratio;
    info->nugget_part = sill > 0 ? fit->nugget / sill : 0;
}

/* Completes what the call has taken. */
static enum shepard_status fit_call(struct fit_call *call, struct shepard_fit_info *info,
                                    struct shepard_error *error)
{
    const struct shepard_covariance_given given = given_by(call);
    const double start = shepard_clock();
    struct shepard_covariance_fit fit;
    if (is_complete(call, &given))
        return SHEPARD_OK;
    const enum shepard_status status = run(call, &given, &fit, info, error);
    if (status != SHEPARD_OK)
        return status;
    complete(&fit, call);
    report(&fit, info);
    info->seconds = shepard_clock() - start;
    return SHEPARD_OK;
}

enum shepard_status shepard_fit(const struct shepard_fit_data *data,
                                struct shepard_parameters *parameters,
                                struct shepard_points_options *options,
                                struct shepard_fit_info *info,
                                const struct shepard_control *control, struct shepard_error *error)
{
    struct fit_call call = {.covariates = {.count = 0}};
    struct shepard_fit_info own;
    memset(&own, 0, sizeof own);
    enum shepard_status status = take(data, parameters, options, control, &call, error);
    if (status == SHEPARD_OK)
        status = fit_call(&call, &own, error);
    shepard_covariates_release(&call.covariates, call.options.allocator);
    if (status != SHEPARD_OK)
        return status;
    call.parameters.size = parameters->size;
    shepard_sized_give(&call.parameters, sizeof call.parameters, parameters, parameters->size);
    options->anisotropy_ratio = call.options.anisotropy_ratio;
    options->anisotropy_angle = call.options.anisotropy_angle;
    if (info != NULL) {
        own.size = info->size;
        shepard_sized_give(&own, sizeof own, info, info->size);
    }
    return SHEPARD_OK;
}
