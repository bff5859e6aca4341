/* SPDX-License-Identifier: MIT */
/** The buckets of a spill, in the order of its file. */
#ifndef SHEPARD_IO_SPILL_BUCKETS_H
#define SHEPARD_IO_SPILL_BUCKETS_H

#include "shepard/shepard_io.h"

/** Where a bucket is, and what its bytes add up to. */
struct shepard_spill_place {
    uint64_t first; /* record */
    uint64_t checksum;
};

/** Start from {0}. */
struct shepard_spill_buckets {
    struct shepard_spill_bucket *box;
    struct shepard_spill_place *place;
    size_t count, room;
};

/** Adds those of records of so many numbers each, the first of which begins with x and y; first:
 * its number in the file. False: out of memory. */
bool shepard_spill_buckets_add(struct shepard_spill_buckets *buckets, const double *records,
                               size_t fields, size_t count, uint64_t first);

/** False: out of memory. */
bool shepard_spill_buckets_append(struct shepard_spill_buckets *buckets,
                                  const struct shepard_spill_buckets *more);

void shepard_spill_buckets_clear(struct shepard_spill_buckets *buckets);

#endif
