/* SPDX-License-Identifier: MIT */
/**
 * Points spread over ranks along a Hilbert curve through the box of all of them, so that each has
 * those of one stretch of it; and what a rank needs of others' points.
 */
#ifndef SHEPARD_MPI_SPREAD_H
#define SHEPARD_MPI_SPREAD_H

#include "shepard/shepard_io.h"

/** Start from {0}. A record is x, y and what belongs to the point. */
struct shepard_spread_points {
    size_t fields;   /**< numbers of a record, >= 2 */
    double *records; /**< [count] of this rank, in the order of the curve */
    size_t count;
    size_t bucket_points;                 /**< of each bucket but a rank's last */
    struct shepard_spill_bucket *buckets; /**< [bucket_count] of all ranks, one behind another */
    size_t bucket_count;
    size_t *first;  /**< [ranks + 1] which buckets are whose */
    uint64_t bytes; /**< that came from other ranks */
};

/** Of all ranks: spreads the records of all, which it frees. False on all ranks where one is out of
 * memory or gets more than 2^31 - 1 points. */
bool shepard_spread_make(struct shepard_spread_points *spread, double *records, size_t count,
                         size_t fields);

/** Of all ranks: the records of buckets, marks [bucket_count], in their order: malloc'ed, *count of
 * them. NULL on all ranks where one is out of memory or asks for more than 2^31 - 1 points. */
double *shepard_spread_fetch(struct shepard_spread_points *spread, const unsigned char *marks,
                             size_t *count);

/** Frees the records, when nothing is fetched any more. */
void shepard_spread_forget(struct shepard_spread_points *spread);

void shepard_spread_free(struct shepard_spread_points *spread);

#endif
