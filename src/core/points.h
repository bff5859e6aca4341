/* SPDX-License-Identifier: MIT */
/* The usable data points of a model, in frame units. */
#ifndef SHEPARD_CORE_POINTS_H
#define SHEPARD_CORE_POINTS_H

#include "core/frame.h"
#include "core/targets.h"

struct shepard_points {
    size_t count;                  /* n >= 1 */
    size_t columns;                /* >= 1 */
    double *x, *y;                 /* [n], room up to shepard_points_room(n) */
    double **values;               /* [columns] pointers to [n] */
    double *weights;               /* [n], > 0; NULL: all 1 */
    uint32_t *index;               /* [n], into the caller's data */
    double *value_min, *value_max; /* [columns] */
    size_t skipped;
    struct shepard_box box; /* user units, not stretched */
    struct shepard_frame frame;
    const struct shepard_allocator *allocator;
    /* What a backend holds of its own beside or, where x, y, values, weights and index are NULL, in
     * place of the arrays. */
    void *elsewhere;
    void (*release_elsewhere)(void *elsewhere);
};

/* The least weight of a point, the largest being 1: squares of weights do not vanish. */
#define SHEPARD_POINTS_WEIGHT_MIN 1e-100

/* Values as sums take them, within 1 of 0: scale z - scale middle, scale a power of two (z - middle
 * may overflow). */
struct shepard_value_unit {
    double middle, scale;
};

/* For values from low to high. */
static inline struct shepard_value_unit shepard_points_value_unit(double low, double high)
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

/* Length of the coordinate arrays of n points: whole vectors and groups may be read past n. */
size_t shepard_points_room(size_t n);

/* Whether point i of data is in use: it has no NaN, no infinity and no weight 0. */
bool shepard_points_usable(const struct shepard_data *data, size_t i);

/* Copies the usable points of data, which has been checked, into *points, spread over the
 * threads. On failure *points holds nothing. */
enum shepard_status shepard_points_create(const struct shepard_data *data,
                                          const struct shepard_stretch *stretch, int threads,
                                          const struct shepard_allocator *allocator,
                                          struct shepard_points *points,
                                          struct shepard_error *error);

/* The one wording for data without a usable point. */
enum shepard_status shepard_points_fail_empty(const struct shepard_data *data,
                                              struct shepard_error *error);

void shepard_points_free(struct shepard_points *points);

/* Puts the points in the order given: point i becomes the old point order[i]. */
enum shepard_status shepard_points_permute(struct shepard_points *points, const uint32_t *order,
                                           int threads, struct shepard_error *error);

/* The order of points at equal distances (Eq. 15 of docs/math.md): by x, then y, then values, then
 * weight, so that it does not depend on the order of the data; points alike in all of them by
 * index. True where a comes before b. */
bool shepard_points_before(const struct shepard_points *points, size_t a, size_t b);

/* The distances, user units, of target i from points at the squared distances d2 [count], frame
 * units, none farther than the last. For targets so far away that frame units hold them nearer,
 * that of the data's box: there it is the same. */
void shepard_points_distances(const struct shepard_points *points,
                              const struct shepard_targets_view *targets, size_t i,
                              const double *d2, size_t count, double *distances);

size_t shepard_points_bytes(const struct shepard_points *points);

#endif
