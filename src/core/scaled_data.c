/* SPDX-License-Identifier: MIT */
#include "core/scaled_data.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "core/range.h"
#include "core/samples.h"
#include "core/selection.h"

#include <math.h>

/* Values farther than this times the interquartile range outside the quartiles are held there. */
#define CLIP_RANGES 3

static double half_width(const struct shepard_range *range)
{
    return range->high / 2 - range->low / 2; /* a difference of two may overflow */
}

static void scale_coordinate(const double *a, size_t n, const struct shepard_range *range,
                             double length, double *scaled)
{
    const double middle = range->low / 2 + range->high / 2;
    for (size_t i = 0; i < n; i++)
        scaled[i] = length > 0 ? (a[i] - middle) / length : 0;
}

static void scale_places(const struct shepard_user_data *data, int threads,
                         struct shepard_scaled_data *scaled)
{
    const struct shepard_range x = shepard_range_of(data->x, data->count, threads);
    const struct shepard_range y = shepard_range_of(data->y, data->count, threads);
    const struct shepard_range up = data->height != NULL
                                        ? shepard_range_of(data->height, data->count, threads)
                                        : (struct shepard_range){0, 0};
    const double width = half_width(&x), depth = half_width(&y), height = half_width(&up);
    const double length = scaled->length = fmax(fmax(width, depth), height);
    scaled->diagonal =
        length > 0 ? 2 * hypot(hypot(width / length, depth / length), height / length) : 0;
    if (data->height != NULL)
        scale_coordinate(data->height, data->count, &up, length, scaled->height);
    scale_coordinate(data->x, data->count, &x, length, scaled->x);
    scale_coordinate(data->y, data->count, &y, length, scaled->y);
}

/* Room [n] is scratch. */
static void clip(struct shepard_scaled_data *scaled, double *room)
{
    const size_t n = scaled->count;
    for (size_t i = 0; i < n; i++)
        room[i] = scaled->z[i];
    const double first = shepard_select_quantile(room, (long)n, 0.25);
    const double third = shepard_select_quantile(room, (long)n, 0.75);
    const double reach = CLIP_RANGES * (third - first);
    for (size_t i = 0; i < n && reach > 0; i++) {
        const double held = shepard_clamp(scaled->z[i], first - reach, third + reach);
        scaled->clipped += held != scaled->z[i];
        scaled->z[i] = held;
    }
}

/* Sets mean and deviation in units of z, then z. */
static void standardize(struct shepard_scaled_data *scaled)
{
    const size_t n = scaled->count;
    double *const z = scaled->z, sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += z[i];
    scaled->mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (z[i] - scaled->mean) * (z[i] - scaled->mean);
    scaled->deviation = sqrt(squares / (double)n);
    for (size_t i = 0; i < n; i++)
        z[i] = scaled->deviation > 0 ? (z[i] - scaled->mean) / scaled->deviation : 0;
}

static void scale_values(const struct shepard_user_data *data, int threads,
                         struct shepard_scaled_data *scaled, double *room)
{
    const struct shepard_range range = shepard_range_of(data->z, data->count, threads);
    const struct shepard_value_unit unit = shepard_value_unit_of(range.low, range.high);
    for (size_t i = 0; i < data->count; i++)
        scaled->z[i] =
            range.low < range.high ? unit.scale * data->z[i] - unit.scale * unit.middle : 0;
    clip(scaled, room);
    standardize(scaled);
    scaled->mean = scaled->mean / unit.scale + unit.middle;
    scaled->deviation /= unit.scale;
}

void shepard_scaled_data_free(struct shepard_scaled_data *scaled)
{
    shepard_release(scaled->allocator, scaled->height);
    shepard_release(scaled->allocator, scaled->z);
    shepard_release(scaled->allocator, scaled->y);
    shepard_release(scaled->allocator, scaled->x);
    *scaled = (struct shepard_scaled_data){0};
}

enum shepard_status shepard_scaled_data_create(const struct shepard_user_data *data, int threads,
                                               const struct shepard_allocator *allocator,
                                               struct shepard_scaled_data *scaled,
                                               struct shepard_error *error)
{
    const size_t n = data->count;
    *scaled = (struct shepard_scaled_data){.count = n, .allocator = allocator};
    scaled->x = shepard_allocate(allocator, n, sizeof *scaled->x);
    scaled->y = shepard_allocate(allocator, n, sizeof *scaled->y);
    scaled->z = shepard_allocate(allocator, n, sizeof *scaled->z);
    if (data->height != NULL)
        scaled->height = shepard_allocate(allocator, n, sizeof *scaled->height);
    if (scaled->x == NULL || scaled->y == NULL || scaled->z == NULL ||
        (data->height != NULL && scaled->height == NULL)) {
        shepard_scaled_data_free(scaled);
        return shepard_error_set_memory(error, "the fit of the covariance");
    }
    scale_values(data, threads, scaled, scaled->x);
    scale_places(data, threads, scaled);
    return SHEPARD_OK;
}
