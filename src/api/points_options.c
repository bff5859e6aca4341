/* SPDX-License-Identifier: MIT */
#include "api/points_options.h"

#include "api/argument.h"
#include "api/device.h"
#include "api/parameters.h"
#include "base/error.h"
#include "base/sized.h"

#include <math.h>
#include <stdio.h>

#define RATIO_MAX 1e6
#define THREADS_MAX 4096
/* Metres: (2 a + b) / 3 of the ellipsoid GRS 80, as the IUGG defines it. */
#define EARTH_RADIUS 6371008.8
/* Squares of lengths stay doubles. */
#define LENGTH_MIN 1e-100

void shepard_points_options_init_sized(struct shepard_points_options *options, size_t size)
{
    const struct shepard_points_options defaults = {.size = size,
                                                    .metric = SHEPARD_METRIC_PLANE,
                                                    .anisotropy_ratio = 1,
                                                    .backend = SHEPARD_BACKEND_AUTO,
                                                    .memory_limit = SIZE_MAX,
                                                    .vertical_factor = 1,
                                                    .sphere_radius = EARTH_RADIUS};
    shepard_sized_give(&defaults, sizeof defaults, options, size);
}

static enum shepard_status check_geometry(const struct shepard_points_options *options,
                                          struct shepard_error *error)
{
    const double ratio = options->anisotropy_ratio;
    const int metric = (int)options->metric;
    if (metric < SHEPARD_METRIC_PLANE || metric > SHEPARD_METRIC_SPACE)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.metric",
                                 "options.metric is %d: it must be SHEPARD_METRIC_PLANE, _SPHERE "
                                 "or _SPACE",
                                 metric);
    if (!(options->vertical_factor >= LENGTH_MIN && options->vertical_factor <= 1 / LENGTH_MIN))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.vertical_factor",
                                 "options.vertical_factor is %.17g: it must be 1e-100 to 1e100",
                                 options->vertical_factor);
    if (!(options->sphere_radius >= LENGTH_MIN && options->sphere_radius <= 1 / LENGTH_MIN))
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "options.sphere_radius",
            "options.sphere_radius is %.17g: it must be 1e-100 to 1e100; that of the Earth is "
            "6371008.8 m",
            options->sphere_radius);
    if (!(ratio >= 1 / RATIO_MAX && ratio <= RATIO_MAX))
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "options.anisotropy_ratio",
            "options.anisotropy_ratio is %.17g: it must be 1e-6 to 1e6; shepard_fit "
            "makes one of NaN",
            ratio);
    if (metric == SHEPARD_METRIC_SPHERE && ratio != 1)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "options.anisotropy_ratio",
            "options.anisotropy_ratio is %.17g: on a sphere it must be 1, for no direction is the "
            "same everywhere; use SHEPARD_METRIC_PLANE with projected coordinates",
            ratio);
    if (!isfinite(options->anisotropy_angle))
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "options.anisotropy_angle",
            "options.anisotropy_angle is %.17g: it must be finite; shepard_fit makes "
            "one of NaN",
            options->anisotropy_angle);
    return SHEPARD_OK;
}

static enum shepard_status check_backend(const struct shepard_points_options *options,
                                         struct shepard_error *error)
{
    const int backend = (int)options->backend;
    if (options->threads < 0 || options->threads > THREADS_MAX)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.threads",
                                 "options.threads is %d: it must be 0 to 4096", options->threads);
    if (backend < SHEPARD_BACKEND_AUTO || backend > SHEPARD_BACKEND_CUDA)
        return shepard_error_set(
            error, SHEPARD_ERROR_BACKEND, "options.backend",
            "options.backend is %d: it must be SHEPARD_BACKEND_AUTO, _REF, _CPU or "
            "_CUDA",
            backend);
    if (options->device < SHEPARD_DEVICE_ALL)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "options.device",
                                 "options.device is %d: it must be the number of a device, or "
                                 "SHEPARD_DEVICE_ALL",
                                 options->device);
    return backend == SHEPARD_BACKEND_CUDA ? shepard_device_check(options->device, error)
                                           : SHEPARD_OK;
}

static enum shepard_status check_allocator(const struct shepard_allocator *allocator,
                                           struct shepard_error *error)
{
    if (allocator != NULL && allocator->allocate == NULL)
        return shepard_argument_missing("options.allocator->allocate", error);
    if (allocator != NULL && allocator->release == NULL)
        return shepard_argument_missing("options.allocator->release", error);
    return SHEPARD_OK;
}

enum shepard_status shepard_points_options_take(const struct shepard_points_options *given,
                                                struct shepard_points_options *options,
                                                struct shepard_parameters *expected,
                                                struct shepard_error *error)
{
    shepard_points_options_init(options);
    enum shepard_status status =
        SHEPARD_TAKE(given, options, "options", shepard_points_options, error);
    if (status == SHEPARD_OK)
        status = check_geometry(options, error);
    if (status == SHEPARD_OK)
        status = check_backend(options, error);
    if (status == SHEPARD_OK)
        status = check_allocator(options->allocator, error);
    if (status != SHEPARD_OK || options->expected_parameters == NULL)
        return status;
    status = shepard_parameters_take(options->expected_parameters, expected, error);
    options->expected_parameters = expected;
    if (status != SHEPARD_OK && error != NULL)
        snprintf(error->argument, sizeof error->argument, "options.expected_parameters");
    return status;
}
