/* SPDX-License-Identifier: MIT */
#include "backend/cuda/refusal.h"

#include "base/arithmetic.h"
#include "core/diagnostics.h"

static bool uses_all_points(const struct shepard_neighbourhood *hood)
{
    return hood->max_points == 0 && hood->radius1 == 0 && hood->max_points_per_sector == 0 &&
           hood->min_points_per_sector == 0;
}

static size_t limit(size_t option)
{
    return option == 0 ? SIZE_MAX : option;
}

/* How many points of a sector a target may use. */
static size_t most_of_sector(const struct shepard_neighbourhood *hood)
{
    return shepard_smaller(limit(hood->max_points), limit(hood->max_points_per_sector));
}

/* Whether a neighbourhood holds all points within a radius. */
static bool has_no_limit(const struct shepard_neighbourhood *hood)
{
    return hood->radius1 > 0 && most_of_sector(hood) == SIZE_MAX;
}

static const char *refuse_kriging(const struct shepard_neighbourhood *hood)
{
    const size_t each = most_of_sector(hood);
    if (each <= SHEPARD_CUDA_SYSTEM &&
        shepard_smaller(each * (size_t)hood->sectors, limit(hood->max_points)) <=
            SHEPARD_CUDA_SYSTEM)
        return "";
    return "the GPU solves systems of kriging of at most 64 points: the CPU computes this "
           "prediction";
}

/* Sums know a point that is left out by its place alone: others there are in none without
 * smoothing, and with it in all. Without smoothing no node of a sum holds the target's place. */
const char *shepard_cuda_refusal_to_leave_out(const struct shepard_parameters *parameters,
                                              bool keep_coincident)
{
    if (!uses_all_points(&parameters->neighbourhood) || parameters->smoothing == 0)
        return "";
    if (parameters->eps > 0)
        return "the GPU leaves no points out of smoothed sums with a tolerance: the CPU computes "
               "this prediction";
    return keep_coincident ? "the GPU keeps no coincident points in smoothed sums: the CPU "
                             "computes this prediction"
                           : "";
}

const char *shepard_cuda_refusal_of_stars(void)
{
    return "the GPU leaves out no stars of points: the CPU computes this prediction";
}

const char *shepard_cuda_refusal(const struct shepard_parameters *parameters,
                                 enum shepard_metric metric, size_t points)
{
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    if (parameters->method == SHEPARD_METHOD_KRIGE)
        return refuse_kriging(hood);
    if (parameters->method != SHEPARD_METHOD_IDW && parameters->method != SHEPARD_METHOD_AIDW)
        return "the GPU does not compute this method: the CPU computes this prediction";
    if (parameters->method == SHEPARD_METHOD_AIDW &&
        shepard_smaller(parameters->adaptive.k, points) > SHEPARD_CUDA_NEIGHBOURS)
        return "the GPU finds at most 256 neighbours: the CPU computes this prediction";
    if (uses_all_points(hood))
        return parameters->degree == 1 && metric != SHEPARD_METRIC_PLANE
                   ? "the GPU does not compute planes over all points of a sphere: the CPU "
                     "computes this prediction"
                   : "";
    if (has_no_limit(hood) || most_of_sector(hood) <= SHEPARD_CUDA_NEIGHBOURS)
        return "";
    return "the GPU computes neighbourhoods of at most 256 nearest points, in all or of each "
           "sector, or of all points within a radius: the CPU computes this prediction";
}

const char *shepard_cuda_refusal_of_output(const struct shepard_parameters *parameters,
                                           const struct shepard_output *output)
{
    struct shepard_output rest = *output;
    rest.values = rest.deviations = NULL;
    if (parameters->method == SHEPARD_METHOD_KRIGE)
        rest.sds = NULL;
    rest.count = rest.nearest = rest.power = rest.effective =
        (struct shepard_output_array){.data = NULL};
    return shepard_output_is_wanted(&rest)
               ? "the GPU does not compute all of these diagnostics: the CPU computes this "
                 "prediction"
               : "";
}
