/* SPDX-License-Identifier: MIT */
#include "used_points.h"

#include <math.h>
#include <string.h>

void shepard_used_points_begin(struct shepard_spill_info *info)
{
    *info = (struct shepard_spill_info){.box = {true, INFINITY, INFINITY, -INFINITY, -INFINITY},
                                        .value_min = INFINITY,
                                        .value_max = -INFINITY};
}

static uint64_t mix(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Sums of the points' hashes: they do not depend on the order. */
static uint64_t hash_of(const struct shepard_sunk_points *points, size_t i)
{
    uint64_t hash = mix(mix(mix(1, points->x[i]), points->y[i]), points->value[i]);
    hash = points->weight ? mix(hash, points->weight[i]) : hash;
    return hash * UINT64_C(0xd6e8feb86659fd93);
}

bool shepard_point_is_used(const struct shepard_sunk_points *points, size_t i)
{
    return isfinite(points->value[i]) &&
           (!points->weight || (isfinite(points->weight[i]) && points->weight[i] != 0));
}

void shepard_used_points_add(struct shepard_spill_info *info,
                             const struct shepard_sunk_points *points, size_t i)
{
    struct shepard_bounds *box = &info->box;
    const double x = points->x[i], y = points->y[i], value = points->value[i];
    box->x_min = x < box->x_min ? x : box->x_min;
    box->x_max = x > box->x_max ? x : box->x_max;
    box->y_min = y < box->y_min ? y : box->y_min;
    box->y_max = y > box->y_max ? y : box->y_max;
    info->value_min = value < info->value_min ? value : info->value_min;
    info->value_max = value > info->value_max ? value : info->value_max;
    if (points->weight && points->weight[i] > info->weight_max)
        info->weight_max = points->weight[i];
    info->checksum += hash_of(points, i);
    info->points++;
}

enum shepard_io_status shepard_used_points_check(const struct shepard_sunk_points *points,
                                                 struct shepard_io_error *error)
{
    for (size_t i = 0; points->weight && i < points->count; i++)
        if (points->weight[i] < 0)
            return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "weight_field",
                                   "the point at %.17g, %.17g has the weight %g: weights must not "
                                   "be negative",
                                   points->x[i], points->y[i], points->weight[i]);
    return SHEPARD_IO_OK;
}
