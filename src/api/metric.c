/* SPDX-License-Identifier: MIT */
#include "api/metric.h"

#include "base/error.h"
#include "core/methods.h"

static const char *name_of(enum shepard_metric metric)
{
    return metric == SHEPARD_METRIC_SPHERE ? "SHEPARD_METRIC_SPHERE" : "SHEPARD_METRIC_SPACE";
}

static enum shepard_status refuse(enum shepard_metric metric, const char *argument,
                                  const char *what, const char *instead,
                                  struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, argument,
                             "%s: points of %s do not have %s; %s", argument, name_of(metric), what,
                             instead);
}

static bool uses_all(const struct shepard_neighbourhood *hood)
{
    return hood->max_points == 0 && hood->radius1 == 0 && hood->max_points_per_sector == 0 &&
           hood->min_points_per_sector == 0;
}

enum shepard_status shepard_metric_check(const struct shepard_points *points,
                                         const struct shepard_parameters *parameters,
                                         struct shepard_error *error)
{
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const enum shepard_metric metric = points->prepared->geometry.frame.space.metric;
    if (metric == SHEPARD_METRIC_PLANE)
        return SHEPARD_OK;
    const bool kriging = shepard_method_facts(parameters->method)->kriging;
    if (kriging && parameters->kriging.kind == SHEPARD_KRIGING_UNIVERSAL)
        return refuse(metric, "parameters.kriging.kind", "universal kriging",
                      "use SHEPARD_KRIGING_ORDINARY (kind=ordinary) or _SIMPLE, or "
                      "SHEPARD_METRIC_PLANE with projected coordinates",
                      error);
    if (!kriging && parameters->degree != 0 && metric == SHEPARD_METRIC_SPACE)
        return refuse(metric, "parameters.degree", "planes",
                      "use degree 0, or SHEPARD_METRIC_PLANE", error);
    if (hood->radius1 != hood->radius2)
        return refuse(metric, "parameters.neighbourhood.radius2", "ellipses",
                      "give radius1 and radius2 the same length", error);
    if (!kriging && uses_all(hood) && parameters->eps > 0)
        return refuse(metric, "parameters.eps", "a tolerance for sums over all points",
                      "give a neighbourhood, such as max_points, or eps = 0 to sum every pair",
                      error);
    return SHEPARD_OK;
}
