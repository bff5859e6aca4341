/* SPDX-License-Identifier: MIT */
/* The nearest points found so far: the best `capacity` of all that were offered. */
#ifndef SHEPARD_KERNEL_HITS_H
#define SHEPARD_KERNEL_HITS_H

#include "kernel/tree.h"

struct shepard_hits {
    double *d2;     /* [capacity] squared distances, frame units */
    uint32_t *rank; /* [capacity] places in the tree's order */
    size_t count;
    size_t capacity; /* >= 1 */
    double bound;    /* points farther than this (squared) need not be offered */
};

/* Up to this capacity the hits are kept sorted by insertion; above it they form a heap. */
#define SHEPARD_HITS_SORTED 40

static inline void shepard_hits_start(struct shepard_hits *hits, double bound)
{
    hits->count = 0;
    hits->bound = bound;
}

/* Whether (d2, rank) comes after hit i in the order of distances and ties. */
static inline bool shepard_hits_after(const struct shepard_hits *hits,
                                      const struct shepard_tree *tree, size_t i, double d2,
                                      uint32_t rank)
{
    if (d2 != hits->d2[i])
        return d2 > hits->d2[i];
    return tree->before(tree->context, hits->rank[i], rank);
}

static inline void shepard_hits_insert(struct shepard_hits *hits, const struct shepard_tree *tree,
                                       double d2, uint32_t rank)
{
    size_t i = hits->count;
    if (i == hits->capacity) {
        if (shepard_hits_after(hits, tree, i - 1, d2, rank))
            return;
        i--;
    } else {
        hits->count++;
    }
    for (; i > 0 && !shepard_hits_after(hits, tree, i - 1, d2, rank); i--) {
        hits->d2[i] = hits->d2[i - 1];
        hits->rank[i] = hits->rank[i - 1];
    }
    hits->d2[i] = d2;
    hits->rank[i] = rank;
    if (hits->count == hits->capacity)
        hits->bound = hits->d2[hits->count - 1];
}

/* Moves the hit in hand down from the root of a heap of n whose largest is first. */
static inline void shepard_hits_sift(struct shepard_hits *hits, const struct shepard_tree *tree,
                                     size_t n, double d2, uint32_t rank)
{
    size_t i = 0;
    for (size_t child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n &&
            shepard_hits_after(hits, tree, child, hits->d2[child + 1], hits->rank[child + 1]))
            child++;
        if (shepard_hits_after(hits, tree, child, d2, rank))
            break;
        hits->d2[i] = hits->d2[child];
        hits->rank[i] = hits->rank[child];
        i = child;
    }
    hits->d2[i] = d2;
    hits->rank[i] = rank;
}

static inline void shepard_hits_push(struct shepard_hits *hits, const struct shepard_tree *tree,
                                     double d2, uint32_t rank)
{
    if (hits->count == hits->capacity) {
        if (shepard_hits_after(hits, tree, 0, d2, rank))
            return;
        shepard_hits_sift(hits, tree, hits->count, d2, rank);
    } else {
        size_t i = hits->count++;
        for (; i > 0 && shepard_hits_after(hits, tree, (i - 1) / 2, d2, rank); i = (i - 1) / 2) {
            hits->d2[i] = hits->d2[(i - 1) / 2];
            hits->rank[i] = hits->rank[(i - 1) / 2];
        }
        hits->d2[i] = d2;
        hits->rank[i] = rank;
    }
    if (hits->count == hits->capacity)
        hits->bound = hits->d2[0];
}

/* Offers a point with d2 <= bound. */
static inline void shepard_hits_offer(struct shepard_hits *hits, const struct shepard_tree *tree,
                                      double d2, uint32_t rank)
{
    if (hits->capacity <= SHEPARD_HITS_SORTED)
        shepard_hits_insert(hits, tree, d2, rank);
    else
        shepard_hits_push(hits, tree, d2, rank);
}

/* Puts the hits in order, nearest first. Nothing may be offered after it. */
static inline void shepard_hits_finish(struct shepard_hits *hits, const struct shepard_tree *tree)
{
    if (hits->capacity <= SHEPARD_HITS_SORTED)
        return;
    for (size_t n = hits->count; n > 1; n--) {
        double d2 = hits->d2[n - 1];
        uint32_t rank = hits->rank[n - 1];
        hits->d2[n - 1] = hits->d2[0];
        hits->rank[n - 1] = hits->rank[0];
        shepard_hits_sift(hits, tree, n - 1, d2, rank);
    }
}

#endif
