/* SPDX-License-Identifier: MIT */
#include "core/samples.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/range.h"

#include <string.h>

/* Arrays of the caller put into the order of the points. */
struct gathering {
    const struct shepard_geometry *geometry;
    const struct shepard_array *from; /* [arrays] */
    double *const *to;                /* [arrays] pointers to [n] */
    bool weights;
    size_t blocks;            /* of an array */
    struct shepard_range *of; /* [arrays, blocks] */
};

/* Points gathered per block of the loop. */
#define GATHER_BLOCK 65536

/* SHEPARD_ERROR_ARGUMENT: one of them is unusable. */
static enum shepard_status gather_block(void *context, size_t block, int thread)
{
    const struct gathering *g = context;
    const struct shepard_array *from = &g->from[block / g->blocks];
    double *to = g->to[block / g->blocks];
    const uint32_t *index = g->geometry->index;
    const size_t first = block % g->blocks * GATHER_BLOCK;
    const size_t end = shepard_smaller(first + GATHER_BLOCK, g->geometry->count);
    struct shepard_range of = {INFINITY, -INFINITY};
    bool usable = true;
    (void)thread;
    for (size_t i = first; i < end; i++) {
        const double a = shepard_array_at(from, index[i]);
        usable &= g->weights ? shepard_weight_usable(a) : isfinite(a) != 0;
        of.low = a < of.low ? a : of.low;
        of.high = a > of.high ? a : of.high;
        to[i] = a;
    }
    g->of[block] = of;
    return usable ? SHEPARD_OK : SHEPARD_ERROR_ARGUMENT;
}

/* One loop for all arrays: threads wait for each other once. SHEPARD_ERROR_ARGUMENT: a number is
 * unusable. The caller releases `of`. */
static enum shepard_status gather(struct gathering *gathering, size_t arrays)
{
    const struct shepard_geometry *geometry = gathering->geometry;
    gathering->blocks = shepard_ceil_div(geometry->count, GATHER_BLOCK);
    const struct shepard_loop loop = {.threads = geometry->threads,
                                      .blocks = arrays * gathering->blocks,
                                      .body = gather_block,
                                      .context = gathering};
    gathering->of = shepard_allocate(geometry->allocator, loop.blocks, sizeof *gathering->of);
    return gathering->of != NULL ? shepard_loop_run(&loop) : SHEPARD_ERROR_MEMORY;
}

static struct shepard_range range_of_array(const struct gathering *gathering, size_t array)
{
    return shepard_range_join(gathering->of + array * gathering->blocks, gathering->blocks);
}

static bool allocate(struct shepard_samples *samples, bool weighted)
{
    const struct shepard_allocator *allocator = samples->allocator;
    const size_t n = samples->count, columns = samples->columns;
    samples->value_min = shepard_allocate(allocator, columns, sizeof(double));
    samples->value_max = shepard_allocate(allocator, columns, sizeof(double));
    samples->values = shepard_allocate(allocator, columns, sizeof(double *));
    bool complete = samples->value_min && samples->value_max && samples->values;
    if (samples->values != NULL)
        memset(samples->values, 0, columns * sizeof(double *));
    for (size_t c = 0; complete && c < columns; c++) {
        samples->values[c] = shepard_allocate(allocator, n, sizeof(double));
        complete = samples->values[c] != NULL;
    }
    if (complete && weighted) {
        samples->weights = shepard_allocate(allocator, n, sizeof(double));
        complete = samples->weights != NULL;
    }
    return complete;
}

static double normal_weight(double weight, double largest)
{
    return fmax(weight / largest, SHEPARD_WEIGHT_MIN);
}

/* Weights divided by the largest: no sum of them overflows, and none becomes 0. */
static void normalise_weights(struct shepard_samples *samples, double largest)
{
    for (size_t i = 0; i < samples->count; i++)
        samples->weights[i] = normal_weight(samples->weights[i], largest);
}

static enum shepard_status copy_weights(const struct shepard_array *from,
                                        struct shepard_samples *samples)
{
    const struct shepard_whole *whole = &samples->geometry->whole;
    struct gathering gathering = {
        .geometry = samples->geometry, .from = from, .to = &samples->weights, .weights = true};
    const enum shepard_status status = gather(&gathering, 1);
    if (status == SHEPARD_OK)
        normalise_weights(samples, whole->points > 0 ? whole->weight_max
                                                     : range_of_array(&gathering, 0).high);
    shepard_release(samples->allocator, gathering.of);
    return status;
}

static enum shepard_status copy_values(const struct shepard_array *from,
                                       struct shepard_samples *samples)
{
    const struct shepard_whole *whole = &samples->geometry->whole;
    struct gathering gathering = {
        .geometry = samples->geometry, .from = from, .to = samples->values};
    const enum shepard_status status = gather(&gathering, samples->columns);
    for (size_t c = 0; status == SHEPARD_OK && c < samples->columns; c++) {
        const struct shepard_range range = range_of_array(&gathering, c);
        samples->value_min[c] = whole->points > 0 ? whole->value_min[c] : range.low;
        samples->value_max[c] = whole->points > 0 ? whole->value_max[c] : range.high;
    }
    shepard_release(samples->allocator, gathering.of);
    return status;
}

/* SHEPARD_ERROR_ARGUMENT: a number is unusable. */
static enum shepard_status copy(const struct shepard_values *values,
                                struct shepard_samples *samples)
{
    const enum shepard_status status =
        samples->weights != NULL ? copy_weights(&values->weights, samples) : SHEPARD_OK;
    return status == SHEPARD_OK ? copy_values(values->columns, samples) : status;
}

struct shepard_samples shepard_samples_of_places(const struct shepard_geometry *geometry)
{
    return (struct shepard_samples){.geometry = geometry,
                                    .count = geometry->count,
                                    .x = geometry->x,
                                    .y = geometry->y,
                                    .index = geometry->index,
                                    .allocator = geometry->allocator};
}

enum shepard_status shepard_samples_create(const struct shepard_geometry *geometry,
                                           const struct shepard_values *values,
                                           struct shepard_samples *samples, bool *gaps,
                                           struct shepard_error *error)
{
    *samples = shepard_samples_of_places(geometry);
    samples->columns = values->column_count;
    const enum shepard_status status = allocate(samples, values->weights.data != NULL)
                                           ? copy(values, samples)
                                           : SHEPARD_ERROR_MEMORY;
    *gaps = status == SHEPARD_ERROR_ARGUMENT;
    if (status != SHEPARD_OK)
        shepard_samples_free(samples);
    return status == SHEPARD_ERROR_MEMORY ? shepard_error_set_memory(error, "the values")
                                          : SHEPARD_OK;
}

enum shepard_status shepard_samples_begin(const struct shepard_geometry *geometry, size_t columns,
                                          bool weighted, struct shepard_samples *samples,
                                          struct shepard_error *error)
{
    *samples = shepard_samples_of_places(geometry);
    samples->columns = columns;
    if (!allocate(samples, weighted)) {
        shepard_samples_free(samples);
        return shepard_error_set_memory(error, "the values");
    }
    memcpy(samples->value_min, geometry->whole.value_min, columns * sizeof(double));
    memcpy(samples->value_max, geometry->whole.value_max, columns * sizeof(double));
    return SHEPARD_OK;
}

bool shepard_samples_put(struct shepard_samples *samples, const struct shepard_values *values,
                         size_t from, size_t first, size_t count)
{
    const double largest = samples->geometry->whole.weight_max;
    bool usable = true;
    for (size_t c = 0; c < samples->columns; c++)
        for (size_t i = 0; i < count; i++) {
            const double a = shepard_array_at(&values->columns[c], from + i);
            usable &= isfinite(a) != 0;
            samples->values[c][first + i] = a;
        }
    for (size_t i = 0; samples->weights != NULL && i < count; i++) {
        const double weight = shepard_array_at(&values->weights, from + i);
        usable &= shepard_weight_usable(weight);
        samples->weights[first + i] = normal_weight(weight, largest);
    }
    return usable;
}

void shepard_samples_free(struct shepard_samples *samples)
{
    const struct shepard_allocator *allocator = samples->allocator;
    for (size_t c = 0; samples->values != NULL && c < samples->columns; c++)
        shepard_release(allocator, samples->values[c]);
    shepard_release(allocator, samples->values);
    shepard_release(allocator, samples->weights);
    shepard_release(allocator, samples->value_max);
    shepard_release(allocator, samples->value_min);
    *samples = (struct shepard_samples){0};
}

bool shepard_samples_before(const struct shepard_samples *samples, size_t a, size_t b)
{
    int order = shepard_geometry_compare(samples->geometry, a, b);
    for (size_t c = 0; order == 0 && c < samples->columns; c++)
        order = shepard_compare(samples->values[c][a], samples->values[c][b]);
    if (order == 0 && samples->weights != NULL)
        order = shepard_compare(samples->weights[a], samples->weights[b]);
    return order < 0 || (order == 0 && samples->index[a] < samples->index[b]);
}

size_t shepard_samples_bytes(const struct shepard_samples *samples)
{
    const size_t columns = samples->columns;
    size_t bytes = columns * 2 * sizeof(double);
    if (samples->values == NULL)
        return bytes;
    bytes += samples->count * (columns + (samples->weights != NULL)) * sizeof(double);
    return bytes + columns * sizeof(double *);
}
