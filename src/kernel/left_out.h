/* SPDX-License-Identifier: MIT */
/* Points that one target leaves out: those at its place among a few consecutive ranks. */
#ifndef SHEPARD_KERNEL_LEFT_OUT_H
#define SHEPARD_KERNEL_LEFT_OUT_H

#include "kernel/tree.h"

struct shepard_left_out {
    uint32_t first, end; /* ranks first to end - 1; first == end: none */
    uint32_t count;      /* how many of them are at the target's place */
};

/* Whether point `rank` is left out at the target (x, y). */
static inline bool shepard_left_out_has(const struct shepard_left_out *left,
                                        const struct shepard_tree *tree, size_t rank, double x,
                                        double y)
{
    return rank >= left->first && rank < left->end && tree->x[rank] == x && tree->y[rank] == y;
}

/* Bits of those of the points first to first + count - 1 that are left out; count <= 64. */
static inline uint64_t shepard_left_out_among(const struct shepard_left_out *left,
                                              const struct shepard_tree *tree, size_t first,
                                              size_t count, double x, double y)
{
    uint64_t bits = 0;
    const size_t from = left->first > first ? left->first : first;
    const size_t end = left->end < first + count ? left->end : first + count;
    for (size_t i = from; i < end; i++)
        bits |= (uint64_t)(tree->x[i] == x && tree->y[i] == y) << (i - first);
    return bits;
}

#endif
