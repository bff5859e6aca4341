/* SPDX-License-Identifier: MIT */
/** Records in the order of a Hilbert curve. A record is numbers, of which the first two are x, y.
 */
#ifndef SHEPARD_MPI_CURVE_ORDER_H
#define SHEPARD_MPI_CURVE_ORDER_H

#include "curve_key.h"

#include <stdbool.h>

/** Records, and the threads for them. */
struct shepard_curve_records {
    const struct shepard_curve *curve;
    const double *records; /**< [count][fields] */
    size_t count, fields;
    int threads; /**< as shepard_team_size says */
};

/** Places along the curve of records from first to, not with, end. */
void shepard_curve_places(const struct shepard_curve_records *of, size_t first, size_t end,
                          uint32_t *places);

/** Sorts numbers. False: out of memory. */
bool shepard_curve_sort_places(uint32_t *places, size_t count);

/** The records in the order of their places, all of which are from low to high: malloc'ed, in place
 * of room, which is malloc'ed or NULL. NULL: out of memory. */
double *shepard_curve_sort(const struct shepard_curve_records *of, uint32_t low, uint32_t high,
                           double *room);

#endif
