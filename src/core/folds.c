/* SPDX-License-Identifier: MIT */
#include "core/folds.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "core/random_sample.h"

#include <stdlib.h>
#include <string.h>

/* A datum with what its unit is told by. */
struct unit_key {
    double x, y;
    uint32_t datum;
};

static int compare_keys(const void *a, const void *b)
{
    const struct unit_key *first = a, *second = b;
    const int by_x = shepard_compare(first->x, second->x);
    return by_x != 0 ? by_x : shepard_compare(first->y, second->y);
}

static struct unit_key key_of(double x, double y, const struct shepard_squares *squares,
                              size_t datum)
{
    if (squares->side > 0) {
        x = floor((x - squares->x0) / squares->side);
        y = floor((y - squares->y0) / squares->side);
    }
    return (struct unit_key){x, y, (uint32_t)datum};
}

enum shepard_status shepard_units_create(const double *x, const double *y, const uint32_t *indices,
                                         size_t count, const struct shepard_squares *squares,
                                         const struct shepard_allocator *allocator,
                                         struct shepard_units *units)
{
    struct unit_key *keys = shepard_allocate(allocator, count, sizeof *keys);
    *units = (struct shepard_units){.count = count, .allocator = allocator};
    units->unit = shepard_allocate(allocator, count, sizeof *units->unit);
    if (keys == NULL || units->unit == NULL) {
        shepard_release(allocator, keys);
        shepard_units_free(units);
        return SHEPARD_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        keys[i] = key_of(x[indices[i]], y[indices[i]], squares, i);
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
