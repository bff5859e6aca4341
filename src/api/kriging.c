/* SPDX-License-Identifier: MIT */
#include "api/kriging.h"

#include "api/argument.h"
#include "api/parameters.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- ranges ---------------------------------------------------------------------------------- */

static bool not_negative(double a)
{
    return isnan(a) || (a >= 0 && isfinite(a));
}

enum shepard_status shepard_kriging_check_ranges(const struct shepard_kriging *kriging,
                                                 struct shepard_error *error)
{
    const double range = kriging->range, p = kriging->p;
    const struct {
        bool valid;
        const char *field;
        double value;
        const char *rule;
    } rules[] = {
        {kriging->kind <= SHEPARD_KRIGING_UNIVERSAL, "parameters.kriging.kind", kriging->kind,
         "one of enum shepard_kriging_kind, as SHEPARD_KRIGING_ORDINARY"},
        {kriging->covariance <= SHEPARD_COVARIANCE_LINEAR, "parameters.kriging.covariance",
         kriging->covariance, "one of enum shepard_covariance, as SHEPARD_COVARIANCE_STABLE"},
        {!isinf(kriging->mean), "parameters.kriging.mean", kriging->mean, "finite"},
        {not_negative(kriging->psill), "parameters.kriging.psill", kriging->psill,
         "finite and not negative"},
        {isnan(range) || (range > 0 && isfinite(range)), "parameters.kriging.range", range,
         "finite and above 0"},
        {not_negative(kriging->nugget), "parameters.kriging.nugget", kriging->nugget,
         "finite and not negative"},
        {isnan(p) || (p > 0 && p <= 2), "parameters.kriging.p", p, "above 0 and at most 2"},
        {kriging->sd <= SHEPARD_KRIGING_SD_LOCAL, "parameters.kriging.sd", kriging->sd,
         "one of enum shepard_kriging_sd, as SHEPARD_KRIGING_SD_LOCAL"},
    };
    enum shepard_status status = SHEPARD_OK;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && status == SHEPARD_OK; i++)
        status = shepard_argument_require(rules[i].valid, rules[i].field, rules[i].value,
                                          rules[i].rule, error);
    return status;
}

/* ---- what has no use ------------------------------------------------------------------------- */

struct shepard_kriging_unused shepard_kriging_find_unused(const struct shepard_kriging *kriging)
{
    if (!isnan(kriging->p) && kriging->covariance != SHEPARD_COVARIANCE_STABLE)
        return (struct shepard_kriging_unused){"p", "model=stable"};
    if (!isnan(kriging->mean) && kriging->kind != SHEPARD_KRIGING_SIMPLE)
        return (struct shepard_kriging_unused){"mean", "kind=simple"};
    return (struct shepard_kriging_unused){NULL, NULL};
}

enum shepard_status shepard_kriging_check_used(const struct shepard_kriging *kriging,
                                               struct shepard_error *error)
{
    const struct shepard_kriging_unused unused = shepard_kriging_find_unused(kriging);
    char name[40];
    if (unused.key == NULL)
        return SHEPARD_OK;
    snprintf(name, sizeof name, "parameters.kriging.%s", unused.key);
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, name,
                             "%s is given, and only %s uses it: leave it NaN, or give that", name,
                             unused.user);
}

/* ---- what has to be given -------------------------------------------------------------------- */

/* Names all that is missing at once. */
static enum shepard_status check_given(const struct shepard_kriging *kriging,
                                       struct shepard_error *error)
{
    const bool stable = kriging->covariance == SHEPARD_COVARIANCE_STABLE;
    const bool simple = kriging->kind == SHEPARD_KRIGING_SIMPLE;
    const struct {
        bool needed;
        double value;
        const char *field, *give;
    } numbers[] = {
        {true, kriging->psill, "parameters.kriging.psill",
         "psill=, the partial sill in squared units of the values"},
        {true, kriging->range, "parameters.kriging.range", "range=, in units of the coordinates"},
        {true, kriging->nugget, "parameters.kriging.nugget", "nugget=, 0 for none"},
        {stable, kriging->p, "parameters.kriging.p",
         "p=, the exponent, or another model, as model=exponential"},
        {simple, kriging->mean, "parameters.kriging.mean",
         "mean=, or kind=ordinary, which estimates it"},
    };
    const char *first = NULL;
    char list[300] = "";
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const size_t length = strlen(list);
        if (!numbers[i].needed || !isnan(numbers[i].value))
            continue;
        first = first != NULL ? first : numbers[i].field;
        snprintf(list + length, sizeof list - length, "%s%s", length > 0 ? "; " : "",
                 numbers[i].give);
    }
    if (first == NULL)
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, first,
                             "%s is not given: fit it to the data with shepard_fit, or give %s",
                             first, list);
}

static enum shepard_status check_together(const struct shepard_kriging *kriging,
                                          struct shepard_error *error)
{
    const double sill = kriging->psill + kriging->nugget;
    if (!isfinite(sill))
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "parameters.kriging.psill",
                                 "parameters.kriging.psill + nugget is %g: give smaller ones",
                                 sill);
    if (kriging->kind == SHEPARD_KRIGING_SIMPLE && kriging->covariance == SHEPARD_COVARIANCE_LINEAR)
        return shepard_error_set(
            error, SHEPARD_ERROR_ARGUMENT, "parameters.kriging.covariance",
            "parameters.kriging.covariance is linear (model=linear) and has no "
            "sill, which simple kriging needs: give another model, or "
            "kind=ordinary");
    return SHEPARD_OK;
}

enum shepard_status shepard_kriging_check_covariance(const struct shepard_kriging *kriging,
                                                     struct shepard_error *error)
{
    const enum shepard_status status = check_given(kriging, error);
    return status == SHEPARD_OK ? check_together(kriging, error) : status;
}

enum shepard_status shepard_kriging_check(const struct shepard_field *field,
                                          const struct shepard_parameters *parameters,
                                          struct shepard_error *error)
{
    const enum shepard_status status =
        shepard_kriging_check_covariance(&parameters->kriging, error);
    if (status != SHEPARD_OK || !field->weighted)
        return status;
    return shepard_error_set(
        error, SHEPARD_ERROR_ARGUMENT, "parameters.method",
        "parameters.method is SHEPARD_METHOD_KRIGE (krige), which does not use "
        "weights of points: make the field without weights");
}

/* ---- all points ------------------------------------------------------------------------------ */

enum shepard_status shepard_kriging_check_points(const struct shepard_field *field,
                                                 const struct shepard_parameters *parameters,
                                                 bool leaves_out, struct shepard_error *error)
{
    const size_t most = leaves_out ? SHEPARD_KRIGING_LEFT_OUT_MAX : SHEPARD_KRIGING_POINTS_MAX;
    size_t points = 0;
    for (size_t g = 0; g < field->group_count; g++) {
        const size_t count = shepard_field_group_geometry(field, g)->count;
        points = count > points ? count : points;
    }
    if (!shepard_parameters_use_all(parameters) || points <= most)
        return SHEPARD_OK;
    return shepard_error_set(error, SHEPARD_ERROR_SIZE, "parameters.neighbourhood.max_points",
                             "parameters.neighbourhood.max_points is 0: kriging from all of %zu "
                             "points%s would solve systems of more than %zu equations; limit the "
                             "points of a target, as with k=16 or "
                             "sectors=8:max_points_per_sector=2",
                             points, leaves_out ? ", each left out," : "", most);
}
