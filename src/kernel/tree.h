/* SPDX-License-Identifier: MIT */
/* The tree as kernels see it: points in Hilbert order, cut into leaves of SHEPARD_LEAF consecutive
 * points; node i of a level holds nodes SHEPARD_FANOUT * i ... of the level below. No pointers: a
 * node is a level and a number. */
#ifndef SHEPARD_KERNEL_TREE_H
#define SHEPARD_KERNEL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEPARD_LEAF 16
#define SHEPARD_FANOUT 8
#define SHEPARD_LEVELS_MAX 12
/* Points per group of the all-points sums. */
#define SHEPARD_GROUP 64
/* Points of a subtree: what is taken from a process that has it, or left there. It is a node of the
 * far field, at this level, and two nodes of the tree, at that one; so is a branch, of eight
 * subtrees. */
#define SHEPARD_SUBTREE 2048
#define SHEPARD_SUBTREE_LEVEL 7
#define SHEPARD_SUBTREE_BOX_LEVEL 2
#define SHEPARD_SUBTREE_BOXES 2
#define SHEPARD_BRANCH_SUBTREES 8
#define SHEPARD_BRANCH (SHEPARD_SUBTREE * SHEPARD_BRANCH_SUBTREES)
#define SHEPARD_BRANCH_LEVEL 10
#define SHEPARD_BRANCH_BOX_LEVEL 3

/* The bounding boxes of SHEPARD_FANOUT sibling nodes; an empty box is at infinity. */
struct shepard_boxes {
    double x_min[SHEPARD_FANOUT], x_max[SHEPARD_FANOUT];
    double y_min[SHEPARD_FANOUT], y_max[SHEPARD_FANOUT];
};

/* Their extents along a third coordinate. */
struct shepard_sides {
    double min[SHEPARD_FANOUT], max[SHEPARD_FANOUT];
};

struct shepard_tree {
    size_t count;        /* n */
    const double *x, *y; /* [n up to a multiple of SHEPARD_GROUP]; those past n are +infinity */
    int levels;   /* >= 1; level 0 holds the leaves, level levels - 1 at most SHEPARD_FANOUT */
    size_t start; /* a leaf from which searches may begin: one that is there */
    const struct shepard_boxes *boxes[SHEPARD_LEVELS_MAX]; /* [nodes of the level / FANOUT, up] */
    /* The order of points at equal distances, and its argument. */
    bool (*before)(const void *context, uint32_t a, uint32_t b);
    const void *context;
    const double *z; /* as x and y; NULL: points have two coordinates */
    const struct shepard_sides *z_sides[SHEPARD_LEVELS_MAX]; /* as boxes, with z */
};

#endif
