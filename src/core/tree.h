/* SPDX-License-Identifier: MIT */
/* Builds the tree that kernels walk (kernel/tree.h) over points. */
#ifndef SHEPARD_CORE_TREE_H
#define SHEPARD_CORE_TREE_H

#include "core/geometry.h"
#include "kernel/tree.h"

struct shepard_tree_store {
    struct shepard_tree tree;
    struct shepard_boxes *boxes; /* of all levels */
    struct shepard_sides *sides; /* of all levels; NULL: points have two coordinates */
    size_t box_count;
    const struct shepard_allocator *allocator;
};

/* Puts points in Hilbert order, those of three coordinates in the order of core/halving.h, and
 * builds the tree over them; points must outlive it and stay. Its
 * order of points at equal distances is shepard_geometry_before. */
enum shepard_status shepard_tree_create(struct shepard_geometry *points,
                                        struct shepard_tree_store *store,
                                        struct shepard_error *error);

/* The same over points that are in this order. */
enum shepard_status shepard_tree_create_sorted(const struct shepard_geometry *points,
                                               struct shepard_tree_store *store,
                                               struct shepard_error *error);

/* The same where not all points are there yet: its boxes are left to the caller. */
enum shepard_status shepard_tree_begin(const struct shepard_geometry *points,
                                       struct shepard_tree_store *store,
                                       struct shepard_error *error);

/* Fills the boxes of nodes first to end - 1 of a level, from what is below; those past the last
 * node, up to a multiple of SHEPARD_FANOUT, are empty. */
void shepard_tree_fill(struct shepard_tree_store *store, int level, size_t first, size_t end);

/* Nodes of a level. */
size_t shepard_tree_nodes(const struct shepard_tree *tree, int level);

/* One box of a level, and another in its place. */
struct shepard_box shepard_tree_box(const struct shepard_tree *tree, int level, size_t node);
void shepard_tree_set_box(struct shepard_tree_store *store, int level, size_t node,
                          const struct shepard_box *box);

void shepard_tree_free(struct shepard_tree_store *store);

/* NULL if the structure is valid, else what is wrong: each point lies in its leaf's box, each box
 * is the smallest that holds its children, the top level fits one set of siblings. O(n). */
const char *shepard_tree_check(const struct shepard_tree_store *store);

#endif
