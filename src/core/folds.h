/* SPDX-License-Identifier: MIT */
/* Data dealt to folds at random. Data of a unit (a place, a square of the map) come to the same
 * fold. */
#ifndef SHEPARD_CORE_FOLDS_H
#define SHEPARD_CORE_FOLDS_H

#include "base/random.h"
#include "shepard/shepard.h"

struct shepard_units {
    size_t count;   /* data */
    uint32_t *unit; /* [count] the unit of each, below units */
    size_t units;
    const struct shepard_allocator *allocator;
};

/* Squares of a side, from a corner on; side 0: places. On a sphere they are cells of rows between
 * two latitudes, as many to a turn as make them most nearly square. */
struct shepard_squares {
    double x0, y0, side;
    double radius; /* of the sphere, whose degrees the coordinates are; 0: there is none */
};

/* Data to be dealt: indices [count] of coordinates that are finite. */
struct shepard_unit_data {
    const double *x, *y;
    const double *z; /* the third coordinate; NULL: there is none */
    const uint32_t *indices;
    size_t count;
};

/* On failure nothing is held. */
enum shepard_status shepard_units_create(const struct shepard_unit_data *data,
                                         const struct shepard_squares *squares,
                                         const struct shepard_allocator *allocator,
                                         struct shepard_units *units);

void shepard_units_free(struct shepard_units *units);

/* fold [units->count]: the fold of each datum, below folds <= units->units. Each unit, in random
 * order, comes to the fold that has the least data. */
enum shepard_status shepard_folds_deal(const struct shepard_units *units, size_t folds,
                                       struct shepard_random *random, uint32_t *fold);

#endif
