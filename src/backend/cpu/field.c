/* SPDX-License-Identifier: MIT */
#include "backend/cpu/field.h"

#include "backend/cpu/cache.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

/* ---- charges --------------------------------------------------------------------------------- */

/* Points charged per block of the loop. */
#define CHARGE_BLOCK 32768

void shepard_cpu_field_charge(const struct shepard_cpu_field *field, size_t first, size_t end)
{
    const struct shepard_samples *samples = &field->base.samples;
    const struct shepard_cpu_charges *charges = field->charges;
    for (size_t i = first; i < end; i++) {
        const double q = shepard_cpu_field_weight(field, i);
        for (size_t c = 0; c < samples->columns; c++)
            charges->values[c][i] = (float)(q * shepard_cpu_field_value(field, c, i));
        if (charges->weight != NULL)
            charges->weight[i] = (float)q;
    }
}

static enum shepard_status charge_block(void *context, size_t block, int thread)
{
    const struct shepard_cpu_field *field = context;
    const size_t first = block * CHARGE_BLOCK;
    (void)thread;
    shepard_cpu_field_charge(field, first,
                             shepard_smaller(first + CHARGE_BLOCK, field->base.samples.count));
    return SHEPARD_OK;
}

static bool allocate_charges(const struct shepard_samples *samples,
                             struct shepard_cpu_charges *charges)
{
    const struct shepard_allocator *allocator = samples->allocator;
    charges->values = shepard_allocate(allocator, samples->columns, sizeof *charges->values);
    if (charges->values == NULL)
        return false;
    memset(charges->values, 0, samples->columns * sizeof *charges->values);
    for (size_t c = 0; c < samples->columns; c++) {
        charges->values[c] = shepard_allocate(allocator, samples->count, sizeof(float));
        if (charges->values[c] == NULL)
            return false;
    }
    if (samples->weights == NULL)
        return true;
    charges->weight = shepard_allocate(allocator, samples->count, sizeof(float));
    return charges->weight != NULL;
}

static void release_charges(const struct shepard_samples *samples,
                            struct shepard_cpu_charges *charges)
{
    for (size_t c = 0; charges->values != NULL && c < samples->columns; c++)
        shepard_release(samples->allocator, charges->values[c]);
    shepard_release(samples->allocator, charges->values);
    shepard_release(samples->allocator, charges->weight);
    charges->values = NULL;
    charges->weight = NULL;
}

static enum shepard_status begin_charges(const struct shepard_cpu_field *field)
{
    if (allocate_charges(&field->base.samples, field->charges))
        return SHEPARD_OK;
    release_charges(&field->base.samples, field->charges);
    return SHEPARD_ERROR_MEMORY;
}

static enum shepard_status make_charges(const struct shepard_cpu_field *field)
{
    const struct shepard_samples *samples = &field->base.samples;
    if (begin_charges(field) != SHEPARD_OK)
        return SHEPARD_ERROR_MEMORY;
    const struct shepard_loop loop = {.threads = samples->geometry->threads,
                                      .blocks = shepard_ceil_div(samples->count, CHARGE_BLOCK),
                                      .body = charge_block,
                                      .context = (void *)(uintptr_t)field};
    return shepard_loop_run(&loop);
}

enum shepard_status shepard_cpu_field_provide_charges(const struct shepard_cpu_field *field)
{
    struct shepard_once *once = &field->charges->made;
    return shepard_once_begin(once) ? shepard_once_end(once, make_charges(field)) : SHEPARD_OK;
}

static enum shepard_status make_squares(const struct shepard_cpu_field *field)
{
    const struct shepard_samples *samples = &field->base.samples;
    double *squares = shepard_allocate(samples->allocator, samples->count, sizeof *squares);
    if (squares == NULL)
        return SHEPARD_ERROR_MEMORY;
    for (size_t i = 0; i < samples->count; i++)
        squares[i] = samples->weights[i] * samples->weights[i];
    field->charges->squares = squares;
    return SHEPARD_OK;
}

enum shepard_status shepard_cpu_field_provide_squares(const struct shepard_cpu_field *field)
{
    struct shepard_once *once = &field->charges->squared;
    if (field->base.samples.weights == NULL)
        return SHEPARD_OK;
    return shepard_once_begin(once) ? shepard_once_end(once, make_squares(field)) : SHEPARD_OK;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool before(const void *context, uint32_t a, uint32_t b)
{
    return shepard_samples_before(context, a, b);
}

static double least_weight(const struct shepard_samples *samples)
{
    double least = 1;
    for (size_t i = 0; samples->weights != NULL && i < samples->count; i++)
        least = fmin(least, samples->weights[i]);
    return least;
}

static bool measure_values(struct shepard_cpu_field *field)
{
    const struct shepard_samples *samples = &field->base.samples;
    field->middle = shepard_allocate(samples->allocator, samples->columns, sizeof(double));
    field->scale = shepard_allocate(samples->allocator, samples->columns, sizeof(double));
    if (field->middle == NULL || field->scale == NULL)
        return false;
    for (size_t c = 0; c < samples->columns; c++) {
        const struct shepard_value_unit unit =
            shepard_value_unit_of(samples->value_min[c], samples->value_max[c]);
        field->middle[c] = unit.middle;
        field->scale[c] = unit.scale;
    }
    return true;
}

static bool complete(struct shepard_cpu_field *field, double least, size_t memory_limit)
{
    const struct shepard_samples *samples = &field->base.samples;
    field->tree = field->points->store.tree;
    field->tree.before = before;
    field->tree.context = samples;
    field->least_weight = least;
    field->charges = shepard_allocate(samples->allocator, 1, sizeof *field->charges);
    if (field->charges == NULL)
        return false;
    *field->charges = (struct shepard_cpu_charges){0};
    field->memory_limit = memory_limit;
    field->cache = shepard_cpu_cache_create(samples->allocator, memory_limit);
    field->kriging = shepard_allocate(samples->allocator, 1, sizeof *field->kriging);
    if (field->kriging != NULL)
        *field->kriging = (struct shepard_cpu_kriging_kept){0};
    return field->cache != NULL && field->kriging != NULL && measure_values(field);
}

enum shepard_status shepard_cpu_field_create(const struct shepard_prepared_points *points,
                                             const struct shepard_values *values,
                                             size_t memory_limit,
                                             struct shepard_prepared_field **field, bool *gaps,
                                             struct shepard_error *error)
{
    struct shepard_cpu_field *made = shepard_allocate(points->geometry.allocator, 1, sizeof *made);
    if (made == NULL)
        return shepard_error_set_memory(error, "the field");
    *made =
        (struct shepard_cpu_field){.base.points = points, .points = shepard_cpu_points_of(points)};
    enum shepard_status status =
        shepard_samples_create(&points->geometry, values, &made->base.samples, gaps, error);
    if (status == SHEPARD_OK && !*gaps &&
        !complete(made, least_weight(&made->base.samples), memory_limit))
        status = shepard_error_set_memory(error, "the field");
    if (status == SHEPARD_OK && !*gaps)
        *field = &made->base;
    else
        shepard_cpu_field_free(&made->base);
    return status;
}

enum shepard_status shepard_cpu_field_begin(const struct shepard_cpu_points *points,
                                            const struct shepard_cpu_field_room *room,
                                            struct shepard_cpu_field **field,
                                            struct shepard_error *error)
{
    const struct shepard_geometry *geometry = &points->base.geometry;
    struct shepard_cpu_field *made = shepard_allocate(geometry->allocator, 1, sizeof *made);
    if (made == NULL)
        return shepard_error_set_memory(error, "the field");
    *made = (struct shepard_cpu_field){.base.points = &points->base, .points = points};
    enum shepard_status status =
        shepard_samples_begin(geometry, room->columns, room->weighted, &made->base.samples, error);
    if (status == SHEPARD_OK && !complete(made, room->least_weight, room->memory_limit))
        status = shepard_error_set_memory(error, "the field");
    if (status == SHEPARD_OK && shepard_once_begin(&made->charges->made) &&
        shepard_once_end(&made->charges->made, begin_charges(made)) != SHEPARD_OK)
        status = shepard_error_set_memory(error, "the field");
    if (status == SHEPARD_OK)
        *field = made;
    else
        shepard_cpu_field_free(&made->base);
    return status;
}

void shepard_cpu_field_free(struct shepard_prepared_field *field)
{
    struct shepard_cpu_field *own = (struct shepard_cpu_field *)field;
    const struct shepard_allocator *allocator = field->points->geometry.allocator;
    shepard_cpu_cache_free(own->cache);
    if (own->kriging != NULL)
        shepard_cpu_kriging_drop(own->kriging);
    shepard_release(allocator, own->kriging);
    if (own->charges != NULL) {
        release_charges(&field->samples, own->charges);
        shepard_release(allocator, own->charges->squares);
    }
    shepard_release(allocator, own->charges);
    shepard_release(allocator, own->scale);
    shepard_release(allocator, own->middle);
    shepard_samples_free(&field->samples);
    shepard_release(allocator, own);
}

void shepard_cpu_field_holding(const struct shepard_prepared_field *field,
                               struct shepard_holding *holding)
{
    const struct shepard_cpu_field *own = shepard_cpu_field_of(field);
    const struct shepard_samples *samples = &field->samples;
    holding->bytes = sizeof *own + sizeof *own->charges + shepard_samples_bytes(samples) +
                     samples->columns * 2 * sizeof(double) + shepard_cpu_cache_bytes(own->cache) +
                     sizeof *own->kriging + shepard_cpu_kriging_kept_bytes(own->kriging);
    if (shepard_once_is_ready(&own->charges->squared))
        holding->bytes += samples->count * sizeof(double);
    if (shepard_once_is_ready(&own->charges->made))
        holding->bytes +=
            samples->count * sizeof(float) * (samples->columns + (samples->weights != NULL)) +
            samples->columns * sizeof(float *);
}
