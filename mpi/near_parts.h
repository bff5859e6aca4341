/* SPDX-License-Identifier: MIT */
/** The parts of buckets that lie near a rank's cells, whichever rank has them. */
#ifndef SHEPARD_MPI_NEAR_PARTS_H
#define SHEPARD_MPI_NEAR_PARTS_H

#include "spread.h"

/** Start from {0}. */
struct shepard_near_parts {
    struct shepard_spill_bucket *boxes; /**< [count] rank by rank */
    uint32_t *number;                   /**< [count] among the parts of its rank */
    size_t count;
    size_t *first; /**< [ranks + 1] which are whose */
};

/** Of all ranks: the parts of marked buckets, marks [spread->bucket_count]. False on all ranks: one
 * is out of memory. */
bool shepard_near_parts_make(struct shepard_near_parts *near, struct shepard_spread_points *spread,
                             const unsigned char *marks);

/** Of all ranks: the points of marked parts, marks [near->count], field by field: malloc'ed, *count
 * of them. NULL on all ranks where one is out of memory or asks for more than 2^31 - 1 points. */
double *shepard_near_parts_fetch(const struct shepard_near_parts *near,
                                 struct shepard_spread_points *spread, const unsigned char *marks,
                                 size_t *count);

void shepard_near_parts_free(struct shepard_near_parts *near);

#endif
