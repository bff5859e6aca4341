/* SPDX-License-Identifier: MIT */
/* The nearest points found so far. Offers are gathered unsorted; when the room is full, and at the
 * end, all but the nearest `capacity` are dropped. Insertion into a sorted list was slower, for its
 * branches cannot be predicted (docs/performance-notes.md). */
#ifndef SHEPARD_KERNEL_HITS_H
#define SHEPARD_KERNEL_HITS_H

#include "kernel/left_out.h"

struct shepard_hits {
    double *d2;     /* [room + SHEPARD_LEAF] squared distances, frame units */
    uint32_t *rank; /* [room + SHEPARD_LEAF] places in the tree's order */
    size_t count;
    size_t capacity;                  /* >= 1: how many are wanted */
    size_t room;                      /* >= capacity + SHEPARD_LEAF where points are offered */
    double bound;                     /* points farther than this (squared) need not be offered */
    struct shepard_left_out left_out; /* points that are not to be found */
};

/* Whether a search leaves anything out. */
static inline bool shepard_hits_leave_out(const struct shepard_hits *hits)
{
    return shepard_left_out_any(&hits->left_out);
}

/* The room that a search for the nearest `capacity` works well with. */
static inline size_t shepard_hits_room(size_t capacity)
{
    return 2 * capacity + SHEPARD_LEAF;
}

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

/* Moves (d2, rank) down from place i of a heap of n whose farthest is first. */
static inline void shepard_hits_sift(struct shepard_hits *hits, const struct shepard_tree *tree,
                                     size_t i, size_t n, double d2, uint32_t rank)
{
    for (size_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
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

/* Sorts the hits, nearest first (heap sort). */
static inline void shepard_hits_sort(struct shepard_hits *hits, const struct shepard_tree *tree)
{
    for (size_t i = hits->count / 2; i-- > 0;)
        shepard_hits_sift(hits, tree, i, hits->count, hits->d2[i], hits->rank[i]);
    for (size_t n = hits->count; n-- > 1;) {
        const double d2 = hits->d2[n];
        const uint32_t rank = hits->rank[n];
        hits->d2[n] = hits->d2[0];
        hits->rank[n] = hits->rank[0];
        shepard_hits_sift(hits, tree, 0, n, d2, rank);
    }
}

/* Drops all but the nearest `capacity` of sorted hits. */
static inline void shepard_hits_cut(struct shepard_hits *hits)
{
    if (hits->count < hits->capacity)
        return;
    hits->count = hits->capacity;
    hits->bound = hits->d2[hits->count - 1];
}

/* Leaves the nearest `capacity` hits, sorted. */
static inline void shepard_hits_compact(struct shepard_hits *hits, const struct shepard_tree *tree)
{
    shepard_hits_sort(hits, tree);
    shepard_hits_cut(hits);
}

/* Offers a point with d2 <= bound. */
static inline void shepard_hits_offer(struct shepard_hits *hits, const struct shepard_tree *tree,
                                      double d2, uint32_t rank)
{
    if (hits->count == hits->room)
        shepard_hits_compact(hits, tree);
    if (d2 > hits->bound)
        return;
    hits->d2[hits->count] = d2;
    hits->rank[hits->count++] = rank;
}

#endif
