/* SPDX-License-Identifier: MIT */
/** Points of ranks as whole subtrees of the library's tree (shepard_essential.h). */
#ifndef SHEPARD_MPI_RANK_SUBTREES_H
#define SHEPARD_MPI_RANK_SUBTREES_H

#include "ranks.h"
#include "spread.h"

/** Start from {0}. */
struct shepard_rank_subtrees {
    size_t fields;   /**< numbers of a record */
    double *records; /**< [count] of this rank's subtrees, in the order of the tree */
    size_t count;
    size_t points;  /**< of all ranks */
    size_t *first;  /**< [ranks + 1] subtree of each rank; the last: how many there are */
    uint64_t bytes; /**< that came from other ranks */
};

/** Of all ranks: takes the records of points that are spread; those at the ends of a rank's stretch
 * go to the rank that has the most of their subtree. False on all ranks: out of memory. */
bool shepard_rank_subtrees_make(struct shepard_rank_subtrees *subtrees,
                                struct shepard_spread_points *spread);

/** Of all ranks: own [own subtrees, numbers] of each become all [subtrees, numbers], to be freed.
 * NULL on all ranks: out of memory. */
double *shepard_rank_subtrees_gather(struct shepard_rank_subtrees *subtrees, const double *own,
                                     size_t numbers);

/** Of all ranks: the records of those subtrees of others that are marked [subtrees of all], by
 * rising number. *records starts from {0}. False on all ranks: out of memory. */
bool shepard_rank_subtrees_fetch(struct shepard_rank_subtrees *subtrees, const unsigned char *marks,
                                 struct shepard_rank_items *records);

void shepard_rank_subtrees_free(struct shepard_rank_subtrees *subtrees);

#endif
