/* SPDX-License-Identifier: MIT */
/* Builds the nodes and moments of kernel/node.h. Node i of level l holds the points
 * [i 16 2^l, (i + 1) 16 2^l) of the tree's order, as far as there are any. */
#ifndef SHEPARD_CORE_MOMENTS_H
#define SHEPARD_CORE_MOMENTS_H

#include "kernel/kernels.h"
#include "kernel/node.h"

#include "shepard/shepard.h"

#define SHEPARD_MOMENT_LEVELS_MAX 32

/* What is summed: count charges of each point, charge 0 > 0, the others not above it in size. */
struct shepard_charges {
    size_t count;
    /* Writes charge c of the points first ... first + n - 1, n <= SHEPARD_LEAF, to
     * out[c * SHEPARD_LEAF + i]. Called from several threads. */
    void (*of)(const void *context, size_t first, size_t n, double *out);
    const void *context;
};

/* Squares of mean radii are compared so many at once. */
#define SHEPARD_MEAN_RADIUS_LANES 8
_Static_assert(SHEPARD_ORDERS_MAX == 2 * SHEPARD_MEAN_RADIUS_LANES, "a row is one or two of them");

/* How far the expansions go. */
struct shepard_moments_form {
    int order;   /* largest order of any node, odd */
    int extra;   /* degrees stored beyond a node's order: 0, or 2 for planes */
    bool single; /* store float32 */
};

struct shepard_moments {
    int levels;                              /* the top level is one node */
    size_t first[SHEPARD_MOMENT_LEVELS_MAX]; /* number of the first node of a level */
    size_t count[SHEPARD_MOMENT_LEVELS_MAX];
    int orders[SHEPARD_MOMENT_LEVELS_MAX]; /* numbers of orders that a level's nodes have, >= 1 */
    /* [nodes, mean_radius_stride]: log2 of charge 0's sum; then for each order number o that the
     * node has the log2 of the radius (M_0k rho^2k / M_00)^(1 / 2k), k = o + 1, of charge 0
     * (docs/math.md, Eq. 29): rounded up a little, no less than rho over SHEPARD_ACCURACY_RATIO;
     * SHEPARD_MEAN_RADIUS_NONE for a radius of 0. */
    float *mean_radius_log2;
    size_t mean_radius_stride;
    /* [nodes, mean_radius2_stride]: those radii squared, rounded up, no less than FLT_MIN; 0 behind
     * the node's orders, up to a whole number of SHEPARD_MEAN_RADIUS_LANES. */
    float *mean_radius2;
    size_t mean_radius2_stride;
    struct shepard_node_data data;
    struct shepard_node *nodes;
    float *single;
    double *precise;
    size_t bytes; /* held by all of it */
    const struct shepard_allocator *allocator;
};

/* How moments are made. */
struct shepard_moments_work {
    int threads;
    const struct shepard_allocator *allocator;
    const struct shepard_control *control; /* may be NULL */
};

/* Nodes of a level get the largest order whose numbers are at most four a point, and at most
 * form->order. Cost: O(n order^2), spread over the threads. On failure nothing is held. */
enum shepard_status shepard_moments_create(const struct shepard_tree *tree,
                                           const struct shepard_kernels *kernels,
                                           const struct shepard_charges *charges,
                                           const struct shepard_moments_form *form,
                                           const struct shepard_moments_work *work,
                                           struct shepard_moments *moments);

void shepard_moments_free(struct shepard_moments *moments);

/* Moments of points that are not all there: those of subtrees (kernel/tree.h), of the branches that
 * these join into, then of what is above branches, of which there are at least two. They are the
 * same bits. */
struct shepard_moments_making;

/* Room, of which only that for what is made is touched. charges->of is asked for points of added
 * subtrees. On failure nothing is held. */
enum shepard_status shepard_moments_begin(const struct shepard_tree *tree,
                                          const struct shepard_kernels *kernels,
                                          const struct shepard_charges *charges,
                                          const struct shepard_moments_form *form,
                                          const struct shepard_moments_work *work,
                                          struct shepard_moments *moments,
                                          struct shepard_moments_making **making);

/* Numbers of a root, from which those above it are made. */
size_t shepard_moments_numbers(const struct shepard_moments_making *making);

/* Makes subtrees, whose boxes are there: roots [count, numbers]. */
void shepard_moments_add(struct shepard_moments_making *making, const size_t *subtrees,
                         size_t count, double *roots);

/* Makes the roots of a branch's subtrees, and what is above them in it, from roots [its subtrees,
 * numbers]; their boxes and its own are there. root: of the branch. */
void shepard_moments_join(struct shepard_moments_making *making, size_t branch, const double *roots,
                          double *root);

/* Makes the roots of all branches and what is above, once, from roots [branches, numbers], which it
 * changes; the boxes of branches and those above them are there. */
void shepard_moments_finish(struct shepard_moments_making *making, double *roots);

/* Frees what is needed while moments are made, and not the moments. NULL is allowed. */
void shepard_moments_end(struct shepard_moments_making *making);

/* NULL if the structure is valid, else what is wrong: nodes contain their points; moments and mean
 * radii equal sums over the points, within rounding. O(n levels order^2). */
const char *shepard_moments_check(const struct shepard_moments *moments,
                                  const struct shepard_tree *tree,
                                  const struct shepard_charges *charges,
                                  const struct shepard_moments_form *form);

#endif
