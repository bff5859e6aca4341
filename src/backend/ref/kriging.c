/* SPDX-License-Identifier: MIT */
#include "backend/ref/kriging.h"

#include "backend/ref/estimate.h"
#include "base/memory.h"
#include "core/space.h"

#include <math.h>

bool shepard_ref_kriging_create(struct shepard_ref_kriging *kriging)
{
    const struct shepard_samples *points = kriging->points;
    kriging->system = shepard_kriging_system_of(&kriging->rules->variogram, points->allocator);
    kriging->rank = shepard_allocate(points->allocator, points->count, sizeof *kriging->rank);
    kriging->answer.weight =
        shepard_allocate(points->allocator, points->count, sizeof *kriging->answer.weight);
    kriging->values = shepard_allocate(points->allocator, points->count, sizeof *kriging->values);
    return kriging->rank != NULL && kriging->answer.weight != NULL && kriging->values != NULL;
}

void shepard_ref_kriging_free(struct shepard_ref_kriging *kriging)
{
    if (kriging->points == NULL)
        return;
    shepard_kriging_free(&kriging->system);
    shepard_release(kriging->points->allocator, kriging->rank);
    shepard_release(kriging->points->allocator, kriging->answer.weight);
    shepard_release(kriging->points->allocator, kriging->values);
}

/* The mean of the points at the place itself. */
static void weigh_coincident(struct shepard_ref_kriging *kriging,
                             const struct shepard_candidate *used, size_t count)
{
    size_t here = 0;
    for (size_t i = 0; i < count; i++)
        here += used[i].d2 == 0;
    for (size_t i = 0; i < count; i++)
        kriging->answer.weight[i] = used[i].d2 == 0 ? 1.0L / (long double)here : 0;
    kriging->answer.mean_weight = kriging->answer.variance = 0;
}

enum shepard_status shepard_ref_kriging_weigh(struct shepard_ref_kriging *kriging,
                                              struct shepard_ref_place place,
                                              const struct shepard_candidate *used, size_t count)
{
    size_t nearest = 0;
    for (size_t i = 0; i < count; i++) {
        nearest = used[i].d2 < used[nearest].d2 ? i : nearest;
        kriging->rank[i] = used[i].point;
    }
    if (used[nearest].d2 == 0) {
        weigh_coincident(kriging, used, count);
        return SHEPARD_OK;
    }
    kriging->rank[nearest] = used[0].point;
    kriging->rank[0] = used[nearest].point;
    const struct shepard_geometry *geometry = kriging->points->geometry;
    double at[3] = {place.x, place.y, place.z};
    if (place.sphere != NULL)
        shepard_space_place(&geometry->frame, &at[0], &at[1], &at[2]);
    const struct shepard_kriging_points points = {kriging->points->x, kriging->points->y,
                                                  geometry->z, kriging->rank, count};
    const enum shepard_status status = shepard_kriging_factor(&kriging->system, &points);
    if (status == SHEPARD_OK)
        shepard_kriging_answer(&kriging->system, at, kriging->system.b, &kriging->answer);
    return status;
}

double shepard_ref_kriging_value(const struct shepard_ref_kriging *kriging, size_t count,
                                 size_t column)
{
    const struct shepard_centred of = shepard_centred_of(kriging->points, column);
    const long double middle = of.middle;
    long double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += kriging->answer.weight[i] * (of.values[kriging->rank[i]] - middle) * of.scale;
    if (kriging->rules->variogram.simple)
        sum += kriging->answer.mean_weight * (kriging->rules->mean - middle) * of.scale;
    return (double)(middle + sum / of.scale);
}

double shepard_ref_kriging_sd(const struct shepard_ref_kriging *kriging, size_t count,
                              size_t column)
{
    const struct shepard_centred of = shepard_centred_of(kriging->points, column);
    const struct shepard_kriging_rules *rules = kriging->rules;
    const long double mean = rules->variogram.simple ? rules->mean : 0;
    const long double variance = kriging->answer.variance * rules->sill;
    if (!rules->sd_local || variance == 0)
        return (double)sqrtl(variance);
    for (size_t i = 0; i < count; i++)
        kriging->values[i] = (of.values[kriging->rank[i]] - mean) / sqrtl(rules->sill);
    return (double)sqrtl(variance * shepard_kriging_local_scaling(&kriging->system, kriging->values,
                                                                  kriging->system.b));
}
