/* SPDX-License-Identifier: MIT */
#include "core/folds.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "core/random_sample.h"
#include "core/sphere.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* A datum with what its unit is told by. */
struct unit_key {
    double x, y, z;
    uint32_t datum;
};

static int compare_keys(const void *a, const void *b)
{
    const struct unit_key *first = a, *second = b;
    const int by_x = shepard_compare(first->x, second->x);
    const int by_y = shepard_compare(first->y, second->y);
    return by_x != 0 ? by_x : by_y != 0 ? by_y : shepard_compare(first->z, second->z);
}

/* The cell of a place on a sphere. */
static void find_cell(const struct shepard_squares *squares, double *longitude, double *latitude)
{
    const double side = squares->side / squares->radius * (180 / PI);
    const double row = floor((*latitude - squares->y0) / side);
    const double middle = fmin(fabs(squares->y0 + (row + 0.5) * side), 90);
    const double cells = fmax(rint(360 * cos(middle * (PI / 180)) / side), 1);
    const double turn = fmod(*longitude - squares->x0 + 720, 360) / 360;
    *longitude = floor(turn * cells);
    *latitude = row;
}

static void find_square(const struct shepard_squares *squares, double *x, double *y)
{
    *x = floor((*x - squares->x0) / squares->side);
    *y = floor((*y - squares->y0) / squares->side);
}

static struct unit_key key_of(const struct shepard_unit_data *data,
                              const struct shepard_squares *squares, size_t datum)
{
    const uint32_t at = data->indices[datum];
    struct unit_key key = {data->x[at], data->y[at], 0, (uint32_t)datum};
    if (squares->radius > 0)
        key.x = fabs(key.y) == 90 ? 0 : shepard_sphere_wrap(key.x);
    if (squares->side > 0)
        (squares->radius > 0 ? find_cell : find_square)(squares, &key.x, &key.y);
    else if (data->z != NULL)
        key.z = data->z[at];
    return key;
}

enum shepard_status shepard_units_create(const struct shepard_unit_data *data,
                                         const struct shepard_squares *squares,
                                         const struct shepard_allocator *allocator,
                                         struct shepard_units *units)
{
    const size_t count = data->count;
    struct unit_key *keys = shepard_allocate(allocator, count, sizeof *keys);
    *units = (struct shepard_units){.count = count, .allocator = allocator};
    units->unit = shepard_allocate(allocator, count, sizeof *units->unit);
    if (keys == NULL || units->unit == NULL) {
        shepard_release(allocator, keys);
        shepard_units_free(units);
        return SHEPARD_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        keys[i] = key_of(data, squares, i);
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++) {
        units->units += i == 0 || compare_keys(&keys[i - 1], &keys[i]) != 0;
        units->unit[keys[i].datum] = (uint32_t)(units->units - 1);
    }
    shepard_release(allocator, keys);
    return SHEPARD_OK;
}

void shepard_units_free(struct shepard_units *units)
{
    shepard_release(units->allocator, units->unit);
    *units = (struct shepard_units){0};
}

static size_t least_of(const size_t *counts, size_t count)
{
    size_t least = 0;
    for (size_t i = 1; i < count; i++)
        least = counts[i] < counts[least] ? i : least;
    return least;
}

/* of_unit: how many data each has at first, then its fold. */
static void deal(const struct shepard_units *units, size_t folds, struct shepard_random *random,
                 uint32_t *of_unit, uint32_t *order, size_t *data)
{
    memset(of_unit, 0, units->units * sizeof *of_unit);
    memset(data, 0, folds * sizeof *data);
    for (size_t i = 0; i < units->count; i++)
        of_unit[units->unit[i]]++;
    shepard_random_order(random, order, units->units);
    for (size_t i = 0; i < units->units; i++) {
        const size_t to = least_of(data, folds);
        data[to] += of_unit[order[i]];
        of_unit[order[i]] = (uint32_t)to;
    }
}

enum shepard_status shepard_folds_deal(const struct shepard_units *units, size_t folds,
                                       struct shepard_random *random, uint32_t *fold)
{
    const struct shepard_allocator *allocator = units->allocator;
    uint32_t *of_unit = shepard_allocate(allocator, units->units, 2 * sizeof *of_unit);
    size_t *data = shepard_allocate(allocator, folds, sizeof *data);
    const bool complete = of_unit != NULL && data != NULL;
    if (complete) {
        deal(units, folds, random, of_unit, of_unit + units->units, data);
        for (size_t i = 0; i < units->count; i++)
            fold[i] = of_unit[units->unit[i]];
    }
    shepard_release(allocator, data);
    shepard_release(allocator, of_unit);
    return complete ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}
