/* SPDX-License-Identifier: MIT */
/* Data of a validation: the caller's coordinates and values, copied. */
#ifndef SHEPARD_API_OBSERVATIONS_H
#define SHEPARD_API_OBSERVATIONS_H

#include "core/folds.h"

struct shepard_observations {
    size_t given; /* coordinates of the caller */
    enum shepard_metric metric;
    double sphere_radius; /* where the metric has a sphere */
    double *x, *y, *z;    /* [given] */
    double *height;       /* [given] the third coordinate; NULL: places have two */
    double *weights;      /* [given]; NULL: all 1 */
    size_t count;         /* data in use: finite, of a weight above 0 */
    uint32_t *indices;    /* [count] of them, rising */
    const struct shepard_allocator *allocator;
};

/* Copies structs that points of these options and a field have been made from, which checks them.
 * Of another memory than the host's, or with more than one column, they are refused. On failure
 * nothing is held. */
enum shepard_status shepard_observations_create(const struct shepard_coordinates *coordinates,
                                                const struct shepard_points_options *options,
                                                const struct shepard_values *values,
                                                const struct shepard_allocator *allocator,
                                                struct shepard_observations *observations,
                                                struct shepard_error *error);

/* Their places. */
struct shepard_coordinates
shepard_observations_coordinates(const struct shepard_observations *observations);

/* Units of the data indices [count], by places or by squares of a side > 0. On failure nothing is
 * held. */
enum shepard_status shepard_observations_units(const struct shepard_observations *observations,
                                               const uint32_t *indices, size_t count, double side,
                                               struct shepard_units *units);

/* A zeroed struct is allowed. */
void shepard_observations_free(struct shepard_observations *observations);

#endif
