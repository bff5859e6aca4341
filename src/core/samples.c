/* SPDX-License-Identifier: MIT */
#include "core/samples.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "core/range.h"

#include <string.h>

/* One array of the caller put into the order of the points. */
struct gathering {
    const struct shepard_geometry *geometry;
    const struct shepard_array *from;
    double *to;
    bool weights;
};

/* Points gathered per block of the loop. */
#define GATHER_BLOCK 65536

/* SHEPARD_ERROR_ARGUMENT: one of them is unusable. */
static enum shepard_status gather_block(void *context, size_t block, int thread)
{
    const struct gathering *g = context;
    const uint32_t *index = g->geometry->index;
    const size_t first = block * GATHER_BLOCK;
    const size_t end = shepard_smaller(first + GATHER_BLOCK, g->geometry->count);
    bool usable = true;
    (void)thread;
    for (size_t i = first; i < end; i++) {
        const double a = shepard_array_at(g->from, index[i]);
        usable &= g->weights ? shepard_weight_usable(a) : isfinite(a) != 0;
        g->to[i] = a;
    }
    return usable ? SHEPARD_OK : SHEPARD_ERROR_ARGUMENT;
}

/* Whether all are usable. */
static bool gather(struct gathering *gathering)
{
    const struct shepard_loop loop = {
        .threads = gathering->geometry->threads,
        .blocks = shepard_ceil_div(gathering->geometry->count, GATHER_BLOCK),
        .body = gather_block,
        .context = gathering};
    return shepard_loop_run(&loop) == SHEPARD_OK;
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
static void normalise_weights(struct shepard_samples *samples)
{
    const int threads = samples->geometry->threads;
    const struct shepard_whole *whole = &samples->geometry->whole;
    const double high = whole->points > 0
                            ? whole->weight_max
                            : shepard_range_of(samples->weights, samples->count, threads).high;
    for (size_t i = 0; i < samples->count; i++)
        samples->weights[i] = normal_weight(samples->weights[i], high);
}

/* Whether all are usable. */
static bool copy(const struct shepard_values *values, struct shepard_samples *samples)
{
    const struct shepard_geometry *geometry = samples->geometry;
    if (samples->weights != NULL) {
        if (!gather(&(struct gathering){geometry, &values->weights, samples->weights, true}))
            return false;
        normalise_weights(samples);
    }
    for (size_t c = 0; c < samples->columns; c++) {
        double *to = samples->values[c];
        if (!gather(&(struct gathering){geometry, &values->columns[c], to, false}))
            return false;
        const struct shepard_range of = shepard_range_of(to, samples->count, geometry->threads);
        const bool part = geometry->whole.points > 0;
        samples->value_min[c] = part ? geometry->whole.value_min[c] : of.low;
        samples->value_max[c] = part ? geometry->whole.value_max[c] : of.high;
    }
    return true;
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
    *gaps = false;
    enum shepard_status status = SHEPARD_OK;
    if (!allocate(samples, values->weights.data != NULL))
        status = shepard_error_set_memory(error, "the values");
    else
        *gaps = !copy(values, samples);
    if (status != SHEPARD_OK || *gaps)
        shepard_samples_free(samples);
    return status;
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
