/* SPDX-License-Identifier: MIT */
#include "api/options.h"

#include "api/device.h"
#include "base/fault.h"
#include "core/accuracy.h"

#include <math.h>

#define EPS_MAX 0.01
#define POWER_MAX 100.0
#define RATIO_MAX 1e6
#define THREADS_MAX 4096

void shepard_options_init(struct shepard_options *options)
{
    *options = (struct shepard_options){
        .method = SHEPARD_IDW,
        .power = 2,
        .ridge = 1e-3,
        .neighbourhood = {.sectors = 1},
        .anisotropy_ratio = 1,
        .adaptive = {.k = 10, .alphas = {1.5, 2, 2.5, 3, 3.5}, .r_max = 2},
        .eps = 1e-5,
        .precision = SHEPARD_SINGLE,
        .nodata = NAN,
        .backend = SHEPARD_BACKEND_AUTO,
        .device = 0,
        .expected_targets = 0,
    };
}

/* The message for a field that breaks its rule; valid numbers give SHEPARD_OK. */
static enum shepard_status require(bool valid, const char *field, double value, const char *rule,
                                   struct shepard_error *error)
{
    if (valid)
        return SHEPARD_OK;
    return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, field, "%s is %.17g: it must be %s", field,
                        value, rule);
}

#define REQUIRE(valid, field, rule)                                                                \
    do {                                                                                           \
        enum shepard_status status_ =                                                              \
            require((valid), "options." #field, (double)options->field, (rule), error);            \
        if (status_ != SHEPARD_OK)                                                                 \
            return status_;                                                                        \
    } while (0)

static bool in_power_range(double power)
{
    return power > 0 && power <= POWER_MAX;
}

static bool not_negative(double a)
{
    return a >= 0 && isfinite(a);
}

static enum shepard_status check_method(const struct shepard_options *options,
                                        struct shepard_error *error)
{
    REQUIRE(options->method == SHEPARD_IDW || options->method == SHEPARD_AIDW, method,
            "SHEPARD_IDW or SHEPARD_AIDW");
    REQUIRE(in_power_range(options->power), power, "above 0 and at most 100");
    REQUIRE(not_negative(options->smoothing), smoothing, "finite and not negative");
    REQUIRE(options->anisotropy_ratio >= 1 / RATIO_MAX && options->anisotropy_ratio <= RATIO_MAX,
            anisotropy_ratio, "1e-6 to 1e6");
    REQUIRE(isfinite(options->anisotropy_angle), anisotropy_angle, "finite");
    REQUIRE(options->degree == 0 || options->degree == 1, degree, "0 or 1");
    REQUIRE(not_negative(options->ridge), ridge, "finite and not negative");
    REQUIRE(options->eps >= 0 && options->eps <= EPS_MAX, eps, "0 (exact) to 0.01");
    REQUIRE(options->precision == SHEPARD_SINGLE || options->precision == SHEPARD_DOUBLE, precision,
            "SHEPARD_SINGLE or SHEPARD_DOUBLE");
    REQUIRE(options->threads >= 0 && options->threads <= THREADS_MAX, threads, "0 to 4096");
    const bool single = options->precision == SHEPARD_SINGLE;
    const double least = single ? SHEPARD_ACCURACY_SINGLE : SHEPARD_ACCURACY_DOUBLE;
    if (options->eps > 0 && options->eps < least)
        return shepard_fail(error, SHEPARD_ERROR_TOLERANCE, "options.eps",
                            "options.eps %g is below %g, the least that %s precision can promise: "
                            "use %sa larger eps, or 0 for exact sums",
                            options->eps, least, single ? "single" : "double",
                            single ? "precision=double, " : "");
    return SHEPARD_OK;
}

static enum shepard_status check_neighbourhood(const struct shepard_options *options,
                                               struct shepard_error *error)
{
    const struct shepard_neighbourhood *hood = &options->neighbourhood;
    REQUIRE(not_negative(hood->radius1), neighbourhood.radius1, "finite and not negative");
    REQUIRE(not_negative(hood->radius2), neighbourhood.radius2, "finite and not negative");
    REQUIRE((hood->radius1 > 0) == (hood->radius2 > 0), neighbourhood.radius2,
            "above 0 where the other radius is, and 0 where the other is 0");
    REQUIRE(isfinite(hood->angle), neighbourhood.angle, "finite");
    REQUIRE(hood->sectors == 1 || hood->sectors == 4 || hood->sectors == 8, neighbourhood.sectors,
            "1, 4 or 8");
    REQUIRE(hood->max_points == 0 || hood->min_points <= hood->max_points, neighbourhood.min_points,
            "at most max_points");
    REQUIRE(hood->max_points_per_sector == 0 ||
                hood->min_points_per_sector <= hood->max_points_per_sector,
            neighbourhood.min_points_per_sector, "at most max_points_per_sector");
    return SHEPARD_OK;
}

static enum shepard_status check_adaptive(const struct shepard_options *options,
                                          struct shepard_error *error)
{
    const struct shepard_adaptive *adaptive = &options->adaptive;
    REQUIRE(adaptive->k >= 1, adaptive.k, "at least 1");
    REQUIRE(in_power_range(adaptive->alphas[0]), adaptive.alphas[0], "above 0 and at most 100");
    REQUIRE(in_power_range(adaptive->alphas[1]), adaptive.alphas[1], "above 0 and at most 100");
    REQUIRE(in_power_range(adaptive->alphas[2]), adaptive.alphas[2], "above 0 and at most 100");
    REQUIRE(in_power_range(adaptive->alphas[3]), adaptive.alphas[3], "above 0 and at most 100");
    REQUIRE(in_power_range(adaptive->alphas[4]), adaptive.alphas[4], "above 0 and at most 100");
    REQUIRE(not_negative(adaptive->r_min), adaptive.r_min, "finite and not negative");
    REQUIRE(isfinite(adaptive->r_max) && adaptive->r_max > adaptive->r_min, adaptive.r_max,
            "finite and above r_min");
    REQUIRE(not_negative(adaptive->area), adaptive.area,
            "above 0, or 0 for the bounding box of the data");
    REQUIRE(adaptive->expect == SHEPARD_EXPECT_NN || adaptive->expect == SHEPARD_EXPECT_KNN,
            adaptive.expect, "SHEPARD_EXPECT_NN or SHEPARD_EXPECT_KNN");
    return SHEPARD_OK;
}

static enum shepard_status check_backend(const struct shepard_options *options,
                                         struct shepard_error *error)
{
    const int backend = (int)options->backend;
    if (backend < SHEPARD_BACKEND_AUTO || backend > SHEPARD_BACKEND_CUDA)
        return shepard_fail(error, SHEPARD_ERROR_BACKEND, "options.backend",
                            "options.backend is %d: it must be SHEPARD_BACKEND_AUTO, _REF, _CPU or "
                            "_CUDA",
                            backend);
    REQUIRE(options->device >= SHEPARD_DEVICE_ALL, device,
            "the number of a device, or SHEPARD_DEVICE_ALL");
    return backend == SHEPARD_BACKEND_CUDA ? shepard_device_check(options, error) : SHEPARD_OK;
}

enum shepard_status shepard_options_check(const struct shepard_options *options,
                                          struct shepard_error *error)
{
    enum shepard_status status = check_method(options, error);
    if (status == SHEPARD_OK)
        status = check_neighbourhood(options, error);
    if (status == SHEPARD_OK)
        status = check_adaptive(options, error);
    if (status == SHEPARD_OK)
        status = check_backend(options, error);
    return status;
}
