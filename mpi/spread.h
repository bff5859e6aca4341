/* SPDX-License-Identifier: MIT */
/**
 * Points spread over ranks along the library's curve through a box of all of them, so that each
 * has those of one stretch of it: all together in the order of the library's tree.
 */
#ifndef SHEPARD_MPI_SPREAD_H
#define SHEPARD_MPI_SPREAD_H

#include "shepard/shepard_io.h"

/** Parts of a bucket, each with a box of its own, which only its rank has. */
enum { SHEPARD_SPREAD_PARTS = 16 };

/** Start from {.fields, .numbered, .threads}. A record is x, y and what belongs to the point. */
struct shepard_spread_points {
    size_t fields; /**< numbers of a record, >= 2 */
    bool numbered; /**< as it is given, one more follows: its number among the records of all. Else
                        those of a rank come before those of the next */
    int threads;   /**< for what a rank does alone; < 1: one */
    double *records; /**< [count] of this rank, in the order of the curve */
    size_t count;
    size_t part_points;                   /**< of each part of a bucket but a rank's last */
    struct shepard_spill_bucket *parts;   /**< of this rank's buckets, SHEPARD_SPREAD_PARTS each */
    struct shepard_spill_bucket *buckets; /**< [bucket_count] of all ranks, one behind another */
    size_t bucket_count;
    size_t *first;        /**< [ranks + 1] which buckets are whose */
    uint64_t bytes;       /**< that came from other ranks */
    size_t value_count;   /**< of the caller, as the records: how many values there are, */
    double value_ends[2]; /**< the least and the largest one */
};

/** How many parts so many points make. */
size_t shepard_spread_parts_of(const struct shepard_spread_points *spread, size_t points);

/** Of all ranks: spreads the records of all, which it frees. box: through which the curve goes; it
 * holds all points. False on all ranks where one is out of memory or gets more than 2^31 - 1
 * points. */
bool shepard_spread_make(struct shepard_spread_points *spread, const struct shepard_bounds *box,
                         double *records, size_t count);

/** Frees the records, when nothing is fetched any more. */
void shepard_spread_forget(struct shepard_spread_points *spread);

void shepard_spread_free(struct shepard_spread_points *spread);

#endif
