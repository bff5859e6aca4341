/* SPDX-License-Identifier: MIT */
/* Values and weights at the points of a geometry, in its order. */
#ifndef SHEPARD_CORE_SAMPLES_H
#define SHEPARD_CORE_SAMPLES_H

#include "core/geometry.h"

struct shepard_samples {
    const struct shepard_geometry *geometry;
    size_t count;                  /* n, the geometry's */
    size_t columns;                /* 0: coordinates only */
    const double *x, *y;           /* [n], the geometry's */
    const uint32_t *index;         /* [n], the geometry's */
    double **values;               /* [columns] pointers to [n] */
    double *weights;               /* [n], > 0, the largest 1; NULL: all 1 */
    double *value_min, *value_max; /* [columns] */
    const struct shepard_allocator *allocator;
};

/* The least weight of a point, the largest being 1: squares of weights do not vanish. */
#define SHEPARD_WEIGHT_MIN 1e-100

/* Values as sums take them, within 1 of 0: scale z - scale middle, scale a power of two (z - middle
 * may overflow). */
struct shepard_value_unit {
    double middle, scale;
};

/* For values from low to high. */
static inline struct shepard_value_unit shepard_value_unit_of(double low, double high)
{
    /* Halved first: a sum or difference of two finite values may overflow. */
    const double half_low = low / 2, half_high = high / 2;
    int exponent;
    frexp(half_high > half_low ? half_high - half_low : 1, &exponent);
    struct shepard_value_unit unit;
    unit.middle = half_low + half_high;
    unit.scale = ldexp(1, exponent > -1000 ? -exponent : 1000);
    return unit;
}

/* Whether a weight lets its point take part. */
static inline bool shepard_weight_usable(double weight)
{
    return isfinite(weight) && weight > 0;
}

/* Copies values, which have been checked (strides resolved, no matrix), to the points of geometry,
 * which outlives *samples. *gaps: a value or weight is unusable at one of these points. Then, and
 * on failure, *samples holds nothing. */
enum shepard_status shepard_samples_create(const struct shepard_geometry *geometry,
                                           const struct shepard_values *values,
                                           struct shepard_samples *samples, bool *gaps,
                                           struct shepard_error *error);

/* Room for values at all points of a whole, of which none is there yet. On failure *samples holds
 * nothing. */
enum shepard_status shepard_samples_begin(const struct shepard_geometry *geometry, size_t columns,
                                          bool weighted, struct shepard_samples *samples,
                                          struct shepard_error *error);

/* Puts count of the caller's values and weights, from number `from` on, at first. False where one
 * is unusable. */
bool shepard_samples_put(struct shepard_samples *samples, const struct shepard_values *values,
                         size_t from, size_t first, size_t count);

/* Samples of no column: for searches. Nothing is held. */
struct shepard_samples shepard_samples_of_places(const struct shepard_geometry *geometry);

void shepard_samples_free(struct shepard_samples *samples);

/* The order of points at equal distances (Eq. 15 of docs/math.md): by x, then y, then values, then
 * weight, so that it does not depend on the order of the data; points alike in all of them by
 * index. True where a comes before b. */
bool shepard_samples_before(const struct shepard_samples *samples, size_t a, size_t b);

size_t shepard_samples_bytes(const struct shepard_samples *samples);

#endif
