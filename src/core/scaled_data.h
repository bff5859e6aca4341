/* SPDX-License-Identifier: MIT */
/* Data in units in which fits do not depend on those of the user: half the largest side of the box
 * of the places is 1, values are clipped and have mean 0 and variance 1 (Eq. 69). */
#ifndef SHEPARD_CORE_SCALED_DATA_H
#define SHEPARD_CORE_SCALED_DATA_H

#include "shepard/shepard.h"

/* Places and values, user units. */
struct shepard_user_data {
    size_t count;            /* n >= 1 */
    const double *x, *y, *z; /* [n], finite */
    const double *height;    /* [n] the third coordinate of places; NULL: they have two */
};

struct shepard_scaled_data {
    size_t count;
    double *x, *y, *z;      /* [n] */
    double *height;         /* [n] where places have three coordinates, else NULL */
    double length;          /* user units of 1 between places; 0: all are the same */
    double diagonal;        /* of the box of the places, scaled */
    double mean, deviation; /* user value = mean + deviation z; deviation 0: all are the same, and
                               z is 0 */
    size_t clipped;         /* values that were held nearer to the others */
    const struct shepard_allocator *allocator;
};

/* On failure nothing is held. */
enum shepard_status shepard_scaled_data_create(const struct shepard_user_data *data, int threads,
                                               const struct shepard_allocator *allocator,
                                               struct shepard_scaled_data *scaled,
                                               struct shepard_error *error);

void shepard_scaled_data_free(struct shepard_scaled_data *scaled);

#endif
