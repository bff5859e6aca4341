/* SPDX-License-Identifier: MIT */
/** Records in the order of the library's curve (shepard_essential.h). A record is numbers, of which
 * the first two are x, y. */
#ifndef SHEPARD_MPI_CURVE_ORDER_H
#define SHEPARD_MPI_CURVE_ORDER_H

#include "shepard/shepard_io.h"

#include <stdbool.h>

/** Records, and the threads for them. */
struct shepard_curve_records {
    struct shepard_bounds box; /**< of all points of all ranks */
    const double *records;     /**< [count][fields] */
    size_t count, fields;
    bool numbered; /**< the last field says which comes first of records at one place */
    int threads;   /**< as shepard_team_size says */
};

/** Places along the curve of records from first to, not with, end. False: out of memory. */
bool shepard_curve_places(const struct shepard_curve_records *of, size_t first, size_t end,
                          uint32_t *places);

/** Sorts numbers. */
void shepard_curve_sort_places(uint32_t *places, size_t count);

/** The records along the curve, as the library puts their points in order, without their numbers:
 * malloc'ed, in place of room, which is malloc'ed or NULL. Records of one place in 2^32 are all
 * among them. NULL: out of memory. */
double *shepard_curve_sort(const struct shepard_curve_records *of, double *room);

#endif
