/* SPDX-License-Identifier: MIT */
/* Data of a validation: the caller's coordinates and values, copied. */
#ifndef SHEPARD_API_OBSERVATIONS_H
#define SHEPARD_API_OBSERVATIONS_H

#include "shepard/shepard.h"

struct shepard_observations {
    size_t given;      /* coordinates of the caller */
    double *x, *y, *z; /* [given] */
    double *weights;   /* [given]; NULL: all 1 */
    size_t count;      /* data in use: finite, of a weight above 0 */
    uint32_t *indices; /* [count] of them, rising */
    const struct shepard_allocator *allocator;
};

/* Copies structs that points and a field have been made from, which checks them. Of another memory
 * than the host's, or with more than one column, they are refused. On failure nothing is held. */
enum shepard_status shepard_observations_create(const struct shepard_coordinates *coordinates,
                                                const struct shepard_values *values,
                                                const struct shepard_allocator *allocator,
                                                struct shepard_observations *observations,
                                                struct shepard_error *error);

/* A zeroed struct is allowed. */
void shepard_observations_free(struct shepard_observations *observations);

#endif
