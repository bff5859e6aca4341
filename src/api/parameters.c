/* SPDX-License-Identifier: MIT */
#include "api/parameters.h"

#include "api/argument.h"
#include "api/kriging.h"
#include "base/error.h"
#include "base/sized.h"
#include "core/accuracy.h"
#include "core/methods.h"

#include <math.h>

#define EPS_MAX 0.01
#define POWER_MAX 100.0

void shepard_parameters_init_sized(struct shepard_parameters *parameters, size_t size)
{
    const struct shepard_parameters defaults = {
        .size = size,
        .method = SHEPARD_METHOD_IDW,
        .power = 2,
        .ridge = 1e-3,
        .damping = 0.2,
        .neighbourhood = {.sectors = 1},
        .adaptive = {.k = 10, .powers = {1.5, 2, 2.5, 3, 3.5}, .r_max = 2},
        .eps = 1e-4,
        .precision = SHEPARD_PRECISION_SINGLE,
        .nodata = NAN,
        .kriging = {.mean = NAN, .psill = NAN, .range = NAN, .nugget = NAN, .p = NAN},
    };
    shepard_sized_give(&defaults, sizeof defaults, parameters, size);
}

#define REQUIRE(valid, field, rule)                                                                \
    do {                                                                                           \
        enum shepard_status status_ = shepard_argument_require(                                    \
            (valid), "parameters." #field, (double)parameters->field, (rule), error);              \
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

static enum shepard_status check_method(const struct shepard_parameters *parameters,
                                        struct shepard_error *error)
{
    REQUIRE(shepard_method_facts(parameters->method) != NULL, method,
            "one of enum shepard_method, as SHEPARD_METHOD_IDW");
    REQUIRE(in_power_range(parameters->power), power, "above 0 and at most 100");
    REQUIRE(not_negative(parameters->smoothing), smoothing, "finite and not negative");
    REQUIRE(parameters->degree == 0 || parameters->degree == 1, degree, "0 or 1");
    REQUIRE(not_negative(parameters->ridge), ridge, "finite and not negative");
    REQUIRE(not_negative(parameters->damping), damping, "finite and not negative");
    REQUIRE(parameters->eps >= 0 && parameters->eps <= EPS_MAX, eps, "0 (exact) to 0.01");
    REQUIRE(parameters->precision == SHEPARD_PRECISION_SINGLE ||
                parameters->precision == SHEPARD_PRECISION_DOUBLE,
            precision, "SHEPARD_PRECISION_SINGLE or SHEPARD_PRECISION_DOUBLE");
    const bool single = parameters->precision == SHEPARD_PRECISION_SINGLE;
    const double least = single ? SHEPARD_ACCURACY_SINGLE : SHEPARD_ACCURACY_DOUBLE;
    if (parameters->eps > 0 && parameters->eps < least)
        return shepard_error_set(
            error, SHEPARD_ERROR_TOLERANCE, "parameters.eps",
            "parameters.eps %g is below %g, the least that %s precision can promise: "
            "use %sa larger eps, or 0 for exact sums",
            parameters->eps, least, single ? "single" : "double",
            single ? "precision=double, " : "");
    return SHEPARD_OK;
}

static enum shepard_status check_neighbourhood(const struct shepard_parameters *parameters,
                                               struct shepard_error *error)
{
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    REQUIRE(not_negative(hood->radius1), neighbourhood.radius1, "finite and not negative");
    REQUIRE(not_negative(hood->radius2), neighbourhood.radius2, "finite and not negative");
    REQUIRE((hood->radius1 > 0) == (hood->radius2 > 0), neighbourhood.radius2,
            "above 0 where the other radius is, and 0 where the other is 0");
    REQUIRE(isfinite(hood->angle), neighbourhood.angle, "finite");
    REQUIRE(hood->sectors == 1 || hood->sectors == 4 || hood->sectors == 8, neighbourhood.sectors,
            "1, 4 or 8");
    REQUIRE(hood->max_points == 0 || hood->min_points <= hood->max_points, neighbourhood.min_points,
            "at most max_points");
    const struct shepard_method_facts *facts = shepard_method_facts(parameters->method);
    REQUIRE(facts->by_power || facts->kriging || hood->max_points > 0 ||
                hood->max_points_per_sector > 0 || hood->radius1 > 0,
            neighbourhood.max_points,
            "above 0, or limit the radius: the method does not use all points");
    REQUIRE(hood->max_points_per_sector == 0 ||
                hood->min_points_per_sector <= hood->max_points_per_sector,
            neighbourhood.min_points_per_sector, "at most max_points_per_sector");
    return SHEPARD_OK;
}

static enum shepard_status check_adaptive(const struct shepard_parameters *parameters,
                                          struct shepard_error *error)
{
    const struct shepard_adaptive *adaptive = &parameters->adaptive;
    REQUIRE(adaptive->k >= 1, adaptive.k, "at least 1");
    REQUIRE(in_power_range(adaptive->powers[0]), adaptive.powers[0], "above 0 and at most 100");
    REQUIRE(in_power_range(adaptive->powers[1]), adaptive.powers[1], "above 0 and at most 100");
    REQUIRE(in_power_range(adaptive->powers[2]), adaptive.powers[2], "above 0 and at most 100");
    REQUIRE(in_power_range(adaptive->powers[3]), adaptive.powers[3], "above 0 and at most 100");
    REQUIRE(in_power_range(adaptive->powers[4]), adaptive.powers[4], "above 0 and at most 100");
    REQUIRE(not_negative(adaptive->r_min), adaptive.r_min, "finite and not negative");
    REQUIRE(isfinite(adaptive->r_max) && adaptive->r_max > adaptive->r_min, adaptive.r_max,
            "finite and above r_min");
    REQUIRE(not_negative(adaptive->area), adaptive.area,
            "above 0, or 0 for the bounding box of the data");
    REQUIRE(adaptive->expect == SHEPARD_EXPECT_AUTO || adaptive->expect == SHEPARD_EXPECT_NN ||
                adaptive->expect == SHEPARD_EXPECT_KNN,
            adaptive.expect, "SHEPARD_EXPECT_AUTO, SHEPARD_EXPECT_NN or SHEPARD_EXPECT_KNN");
    return SHEPARD_OK;
}

enum shepard_status shepard_parameters_check(const struct shepard_parameters *parameters,
                                             struct shepard_error *error)
{
    enum shepard_status status = check_method(parameters, error);
    if (status == SHEPARD_OK)
        status = check_neighbourhood(parameters, error);
    if (status == SHEPARD_OK)
        status = check_adaptive(parameters, error);
    if (status == SHEPARD_OK)
        status = shepard_kriging_check_ranges(&parameters->kriging, error);
    if (status == SHEPARD_OK)
        status = shepard_kriging_check_used(&parameters->kriging, error);
    return status;
}

enum shepard_status shepard_parameters_take(const struct shepard_parameters *given,
                                            struct shepard_parameters *parameters,
                                            struct shepard_error *error)
{
    shepard_parameters_init(parameters);
    const enum shepard_status status =
        SHEPARD_TAKE(given, parameters, "parameters", shepard_parameters, error);
    return status == SHEPARD_OK ? shepard_parameters_check(parameters, error) : status;
}
