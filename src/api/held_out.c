/* SPDX-License-Identifier: MIT */
#include "api/held_out.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/random_sample.h"
#include "kernel/star.h"

#include <math.h>
#include <string.h>

static enum shepard_status fail_memory(struct shepard_held_out *held_out,
                                       struct shepard_error *error)
{
    shepard_held_out_free(held_out);
    return shepard_error_set_memory(error, "the held-out data");
}

/* Room for count data in so many parts. */
static bool allocate(struct shepard_held_out *held_out, size_t count, size_t parts,
                     const struct shepard_allocator *allocator)
{
    *held_out = (struct shepard_held_out){.count = count, .parts = parts, .allocator = allocator};
    held_out->indices = shepard_allocate(allocator, count, sizeof *held_out->indices);
    held_out->observed = shepard_allocate(allocator, count, sizeof *held_out->observed);
    held_out->nearest = shepard_allocate(allocator, count, sizeof *held_out->nearest);
    held_out->first = shepard_allocate(allocator, parts + 1, sizeof *held_out->first);
    return held_out->indices != NULL && held_out->observed != NULL && held_out->nearest != NULL &&
           held_out->first != NULL;
}

enum shepard_status shepard_held_out_singly(const struct shepard_observations *data,
                                            const struct shepard_validation *validation,
                                            struct shepard_held_out *held_out,
                                            struct shepard_error *error)
{
    const bool all = validation->kind == SHEPARD_VALIDATION_LEAVE_ONE_OUT &&
                     (validation->samples == 0 || validation->samples >= data->count);
    struct shepard_random random = {validation->seed};
    if (!allocate(held_out, all ? data->count : validation->samples, 1, data->allocator))
        return fail_memory(held_out, error);
    held_out->first[0] = 0;
    held_out->first[1] = held_out->count;
    for (size_t i = 0; i < held_out->count; i++) {
        const size_t at = all ? i : shepard_random_sample(&random, i, held_out->count, data->count);
        held_out->indices[i] = data->indices[at];
        held_out->observed[i] = data->z[held_out->indices[i]];
    }
    return SHEPARD_OK;
}

/* ---- folds ----------------------------------------------------------------------------------- */

static enum shepard_status check_units(size_t units, size_t folds, double side,
                                       struct shepard_error *error)
{
    if (units >= folds)
        return SHEPARD_OK;
    if (side > 0)
        return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "validation.block_size",
                                 "the data are in %zu square%s of side %g, too few for %zu folds: "
                                 "give a smaller block_size, or fewer folds",
                                 units, units == 1 ? "" : "s", side, folds);
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, "validation.folds",
                             "the data are at %zu place%s, too few for %zu folds: give fewer "
                             "folds, or leave one out",
                             units, units == 1 ? "" : "s", folds);
}

/* Puts datum i of the data, which fold[i] holds out, behind the others of its fold. */
static void fill_folds(const struct shepard_observations *data, const uint32_t *fold,
                       struct shepard_held_out *held_out)
{
    size_t *first = held_out->first;
    memset(first, 0, (held_out->parts + 1) * sizeof *first);
    for (size_t i = 0; i < data->count; i++)
        first[fold[i] + 1]++;
    for (size_t f = 0; f < held_out->parts; f++)
        first[f + 1] += first[f];
    for (size_t i = 0; i < data->count; i++) {
        const size_t to = first[fold[i]]++;
        const uint32_t index = data->indices[i];
        held_out->indices[to] = index;
        held_out->observed[to] = data->z[index];
        held_out->fold[to] = fold[i];
        held_out->x[to] = data->x[index];
        held_out->y[to] = data->y[index];
        if (held_out->height != NULL)
            held_out->height[to] = data->height[index];
    }
    for (size_t f = held_out->parts; f > 0; f--)
        first[f] = first[f - 1];
    first[0] = 0;
}

static bool allocate_folds(struct shepard_held_out *held_out,
                           const struct shepard_observations *data, size_t folds)
{
    const struct shepard_allocator *allocator = data->allocator;
    const size_t count = data->count;
    if (!allocate(held_out, count, folds, allocator))
        return false;
    held_out->fold = shepard_allocate(allocator, count, sizeof *held_out->fold);
    held_out->x = shepard_allocate(allocator, count, sizeof *held_out->x);
    held_out->y = shepard_allocate(allocator, count, sizeof *held_out->y);
    if (data->height != NULL)
        held_out->height = shepard_allocate(allocator, count, sizeof *held_out->height);
    return held_out->fold != NULL && held_out->x != NULL && held_out->y != NULL &&
           (data->height == NULL || held_out->height != NULL);
}

static enum shepard_status deal(const struct shepard_observations *data,
                                const struct shepard_units *units,
                                const struct shepard_validation *validation,
                                struct shepard_held_out *held_out, struct shepard_error *error)
{
    struct shepard_random random = {validation->seed};
    uint32_t *fold = shepard_allocate(data->allocator, data->count, sizeof *fold);
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    *held_out = (struct shepard_held_out){.allocator = data->allocator};
    if (fold != NULL && allocate_folds(held_out, data, validation->folds))
        status = shepard_folds_deal(units, validation->folds, &random, fold);
    if (status == SHEPARD_OK)
        fill_folds(data, fold, held_out);
    shepard_release(data->allocator, fold);
    return status == SHEPARD_OK ? SHEPARD_OK : fail_memory(held_out, error);
}

enum shepard_status shepard_held_out_in_folds(const struct shepard_observations *data,
                                              const struct shepard_validation *validation,
                                              double side, struct shepard_held_out *held_out,
                                              struct shepard_error *error)
{
    struct shepard_units units;
    if (shepard_observations_units(data, data->indices, data->count, side, &units) != SHEPARD_OK)
        return shepard_error_set_memory(error, "the held-out data");
    enum shepard_status status = check_units(units.units, validation->folds, side, error);
    if (status == SHEPARD_OK)
        status = deal(data, &units, validation, held_out, error);
    shepard_units_free(&units);
    return status;
}

void shepard_held_out_drop(struct shepard_held_out *held_out)
{
    size_t kept = 0;
    for (size_t i = 0; i < held_out->count; i++) {
        if (isnan(held_out->nearest[i]))
            continue;
        held_out->indices[kept] = held_out->indices[i];
        held_out->observed[kept] = held_out->observed[i];
        held_out->nearest[kept] = held_out->nearest[i];
        memmove(held_out->star_radii + SHEPARD_OCTANTS * kept,
                held_out->star_radii + SHEPARD_OCTANTS * i,
                SHEPARD_OCTANTS * sizeof *held_out->star_radii);
        kept++;
    }
    held_out->count = held_out->first[1] = kept;
}

void shepard_held_out_free(struct shepard_held_out *held_out)
{
    const struct shepard_allocator *allocator = held_out->allocator;
    shepard_release(allocator, held_out->star_radii);
    shepard_release(allocator, held_out->height);
    shepard_release(allocator, held_out->y);
    shepard_release(allocator, held_out->x);
    shepard_release(allocator, held_out->fold);
    shepard_release(allocator, held_out->first);
    shepard_release(allocator, held_out->nearest);
    shepard_release(allocator, held_out->observed);
    shepard_release(allocator, held_out->indices);
    *held_out = (struct shepard_held_out){0};
}
