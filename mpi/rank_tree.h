/* SPDX-License-Identifier: MIT */
/** A locally essential tree (shepard_essential.h) of each rank, of the points of all. */
#ifndef SHEPARD_MPI_RANK_TREE_H
#define SHEPARD_MPI_RANK_TREE_H

#include "spread.h"

#include "shepard/shepard_essential.h"

/** Start from {0}. */
struct shepard_rank_tree {
    struct shepard_essential *essential;
    struct shepard_field *field; /**< of this rank's cells; it lives as long as the tree */
    size_t most;                 /**< points that the rank with the most of them has */
    uint64_t bytes;              /**< that came from other ranks after the points were spread */
};

/** Of all ranks, once: takes points that are spread, with records of x, y, the value and, with a
 * fourth field, the weight. options: of this rank; weighted and weight_min are set here. False on
 * all ranks where it fails on one; error->status is SHEPARD_OK on the others. */
bool shepard_rank_tree_make(struct shepard_rank_tree *tree, struct shepard_spread_points *spread,
                            const struct shepard_essential_options *options,
                            struct shepard_error *error);

void shepard_rank_tree_free(struct shepard_rank_tree *tree);

#endif
