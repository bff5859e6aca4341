/* SPDX-License-Identifier: MIT */
/** Points of ranks as whole branches of the library's tree (shepard_essential.h). */
#ifndef SHEPARD_MPI_RANK_SUBTREES_H
#define SHEPARD_MPI_RANK_SUBTREES_H

#include "ranks.h"
#include "spread.h"

/** Start from {0}. */
struct shepard_rank_subtrees {
    size_t fields;   /**< numbers of a record */
    double *records; /**< [count] of this rank's branches, in the order of the tree */
    size_t count;
    size_t points;  /**< of all ranks */
    size_t *first;  /**< [ranks + 1] branch of each rank; the last: how many there are */
    uint64_t bytes; /**< that came from other ranks */
};

/** Of all ranks: takes the records of points that are spread; those at the ends of a rank's stretch
 * go to the rank that has the most of their branch. False on all ranks: out of memory. */
bool shepard_rank_subtrees_make(struct shepard_rank_subtrees *subtrees,
                                struct shepard_spread_points *spread);

/** The first subtree of a branch, or past the last one. */
size_t shepard_rank_subtrees_first(const struct shepard_rank_subtrees *subtrees, size_t branch);

/** Whether this rank has a branch. */
bool shepard_rank_subtrees_own(const struct shepard_rank_subtrees *subtrees, size_t branch);

/** Of all ranks: own [own branches, numbers] of each become all [branches, numbers], to be freed.
 * NULL on all ranks: out of memory. */
double *shepard_rank_subtrees_gather(struct shepard_rank_subtrees *subtrees, const double *own,
                                     size_t numbers);

/** Subtrees of other ranks, by rising number. */
struct shepard_wanted_subtrees {
    const size_t *subtrees; /**< [count] */
    size_t count;
};

/** Of all ranks: what each rank has of its subtrees, own [own subtrees, numbers], of those that are
 * wanted. *got starts from {0}. False on all ranks: out of memory. */
bool shepard_rank_subtrees_fetch(struct shepard_rank_subtrees *subtrees,
                                 const struct shepard_wanted_subtrees *wanted, const double *own,
                                 size_t numbers, struct shepard_rank_items *got);

/** The same of their records. */
bool shepard_rank_subtrees_fetch_records(struct shepard_rank_subtrees *subtrees,
                                         const struct shepard_wanted_subtrees *wanted,
                                         struct shepard_rank_items *got);

void shepard_rank_subtrees_free(struct shepard_rank_subtrees *subtrees);

#endif
