/* SPDX-License-Identifier: MIT */
/* Interaction lists of a target cell: runs of near points, and nodes with the order of their
 * expansion. Every point is in one of them, or in a node that is too far away to matter. */
#ifndef SHEPARD_CORE_INTERACTIONS_H
#define SHEPARD_CORE_INTERACTIONS_H

#include "core/accuracy.h"
#include "core/frame.h"
#include "core/moments.h"
#include "kernel/star.h"

struct shepard_interactions {
    size_t runs, run_room;
    struct shepard_run *run; /* [runs] by rising first */
    size_t nodes[SHEPARD_ORDERS_MAX], node_room[SHEPARD_ORDERS_MAX];
    uint32_t *node[SHEPARD_ORDERS_MAX]; /* [order number][nodes] */
    const struct shepard_allocator *allocator;
};

/* A zeroed struct with its allocator set holds nothing; freeing it is allowed. */
void shepard_interactions_free(struct shepard_interactions *interactions);

/* All n points as one run. False where memory is out. */
bool shepard_interactions_list_all(struct shepard_interactions *interactions, size_t n);

/* What to list for. */
struct shepard_interaction_query {
    const struct shepard_moments *moments;
    const struct shepard_accuracy *accuracy;
    size_t points;       /* n */
    double least_charge; /* log2 of no more than any point's charge 0 */
    double smoothing2;
    bool apart; /* the targets are data points that are left out: nodes that they may be in are not
                   summed by expansions */
    const struct shepard_star *star; /* of the only target: nodes that it covers in part are not
                                        summed by expansions, others that it covers not at all;
                                        NULL: none */
    bool plane; /* errors are bounded point by point: a node's radius counts, not its mean radii */
    struct shepard_box region;
    struct shepard_weight_floor weight_floor;
};

/* Lists for all targets in a target cell, by one walk from the root. False if memory is out. */
bool shepard_interactions_list(struct shepard_interactions *interactions,
                               const struct shepard_interaction_query *view);

/* Lists divided by their distance from a place: everything in `far` has R^2 = d^2 + smoothing^2 of
 * at least reach2 there, least2 is the least of them (or less); the rest is in `near`. */
struct shepard_near_far_split {
    const struct shepard_tree *tree;
    const struct shepard_moments *moments;
    double x, y, smoothing2, reach2;
    struct shepard_interactions *near, *far;
    double least2; /* INFINITY: there is nothing in far */
};

/* False where memory is out. */
bool shepard_interactions_part(const struct shepard_interactions *all,
                               struct shepard_near_far_split *near_far_split);

#endif
