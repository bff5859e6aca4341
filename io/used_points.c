/* SPDX-License-Identifier: MIT */
#include "used_points.h"

#include <math.h>
#include <string.h>

void shepard_used_points_begin(struct shepard_spill_info *info, size_t *counts, double *ends,
                               size_t columns)
{
    *info = (struct shepard_spill_info){.box = {true, INFINITY, INFINITY, -INFINITY, -INFINITY},
                                        .columns = columns,
                                        .value_count = counts,
                                        .value_min = ends,
                                        .value_max = ends + columns};
    for (size_t c = 0; c < columns; c++) {
        info->value_count[c] = 0;
        info->value_min[c] = INFINITY;
        info->value_max[c] = -INFINITY;
    }
}

/* A missing number has many bit patterns. */
static uint64_t mix(uint64_t hash, double number)
{
    uint64_t bits = 0;
    if (!isnan(number))
        memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* What a point's numbers were mixed to, so that sums of them show what has changed. */
static uint64_t finish(uint64_t hash)
{
    return hash * UINT64_C(0xd6e8feb86659fd93);
}

static uint64_t hash_of(const struct shepard_sunk_points *points, size_t i)
{
    const size_t fields = shepard_record_fields(points->columns, points->weighted);
    uint64_t hash = 1;
    for (size_t f = 0; f < fields; f++)
        hash = mix(hash, points->numbers[f][i]);
    return finish(hash);
}

uint64_t shepard_point_set_checksum(const struct shepard_point_set *points)
{
    uint64_t checksum = 0;
    for (size_t i = 0; i < points->count; i++) {
        uint64_t hash = mix(mix(1, points->x[i]), points->y[i]);
        for (size_t c = 0; c < points->columns; c++)
            hash = mix(hash, points->values[c][i]);
        hash = points->weights ? mix(hash, points->weights[i]) : hash;
        checksum += finish(points->z ? mix(hash, points->z[i]) : hash);
    }
    return checksum;
}

/* 1 without weights; NaN where it is missing. */
static double weight_of(const struct shepard_sunk_points *points, size_t i)
{
    return points->weighted ? points->numbers[2 + points->columns][i] : 1;
}

static size_t values_of(const struct shepard_sunk_points *points, size_t i)
{
    size_t values = 0;
    for (size_t c = 0; c < points->columns; c++)
        values += isfinite(points->numbers[2 + c][i]) != 0;
    return values;
}

static void extend(double *low, double *high, double number)
{
    *low = number < *low ? number : *low;
    *high = number > *high ? number : *high;
}

static void add_value(struct shepard_spill_info *info, size_t column, double value)
{
    if (!isfinite(value))
        return;
    info->value_count[column]++;
    extend(&info->value_min[column], &info->value_max[column], value);
}

static void add(struct shepard_spill_info *info, const struct shepard_sunk_points *points, size_t i)
{
    struct shepard_bounds *box = &info->box;
    extend(&box->x_min, &box->x_max, points->numbers[0][i]);
    extend(&box->y_min, &box->y_max, points->numbers[1][i]);
    for (size_t c = 0; c < points->columns; c++)
        add_value(info, c, points->numbers[2 + c][i]);
    if (points->weighted && weight_of(points, i) > info->weight_max)
        info->weight_max = weight_of(points, i);
    info->points++;
}

bool shepard_used_points_add(struct shepard_spill_info *info,
                             const struct shepard_sunk_points *points, size_t i)
{
    const size_t values = values_of(points, i);
    const double weight = weight_of(points, i);
    const bool used = values > 0 && isfinite(weight) && weight != 0;
    info->gaps += values > 0 && values < points->columns;
    info->checksum += hash_of(points, i);
    if (used)
        add(info, points, i);
    return used;
}

enum shepard_io_status shepard_used_points_check(const struct shepard_sunk_points *points,
                                                 struct shepard_io_error *error)
{
    for (size_t i = 0; points->weighted && i < points->count; i++)
        if (weight_of(points, i) < 0)
            return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "weight_field",
                                   "the point at %.17g, %.17g has the weight %g: weights must not "
                                   "be negative",
                                   points->numbers[0][i], points->numbers[1][i],
                                   weight_of(points, i));
    return SHEPARD_IO_OK;
}
