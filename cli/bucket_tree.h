/* SPDX-License-Identifier: MIT */
/** Which buckets of points on disk can hold the neighbours of targets. */
#ifndef SHEPARD_CLI_BUCKET_TREE_H
#define SHEPARD_CLI_BUCKET_TREE_H

#include "shepard/shepard_io.h"

enum { SHEPARD_BUCKET_LEVELS_MAX = 16 };

/** Boxes of buckets, of runs of buckets, of runs of those and so on. */
struct shepard_bucket_tree {
    int levels;
    const struct shepard_spill_bucket *nodes[SHEPARD_BUCKET_LEVELS_MAX]; /**< [0]: the buckets */
    size_t count[SHEPARD_BUCKET_LEVELS_MAX];
    struct shepard_spill_bucket *own; /**< of the levels above */
};

/** False when out of memory, said. The buckets stay where they are. */
bool shepard_bucket_tree_make(struct shepard_bucket_tree *tree,
                              const struct shepard_spill_bucket *buckets, size_t count);

void shepard_bucket_tree_free(struct shepard_bucket_tree *tree);

/** A squared distance within which each place of the box has k points; INFINITY: there are fewer.
 * most2: one that is known, of a larger box, or INFINITY. */
double shepard_bucket_tree_reach2(const struct shepard_bucket_tree *tree,
                                  const struct shepard_bounds *box, size_t k, double most2);

/** Marks the buckets that may have a point within the distance of the box. */
void shepard_bucket_tree_mark(const struct shepard_bucket_tree *tree,
                              const struct shepard_bounds *box, double reach2,
                              unsigned char *marks);

#endif
