/* SPDX-License-Identifier: MIT */
/* The order of places along a Hilbert curve: places near each other in it are near each other in
 * the plane, and a run of consecutive ones is compact. */
#ifndef SHEPARD_CORE_HILBERT_H
#define SHEPARD_CORE_HILBERT_H

#include "core/frame.h"

struct shepard_hilbert_turns; /* core/hilbert_key.h */

struct shepard_places {
    size_t count; /* n < 2^32 */
    const double *x, *y;
    bool aligned; /* the curve fills each square of the division about (x0, y0) before the next */
    double x0, y0;
    const struct shepard_box *whole; /* the box of places of which these are a part, not aligned:
                                      * those along a stretch of the curve. NULL: these are all */
};

/* Sets order [n] to a permutation that sorts the places along the curve, at every scale: a dense
 * spot is sorted within itself as well. The order is the same however the places are given; equal
 * ones, which stand next to each other, keep theirs. Where the curve is not aligned, which of two
 * places comes first depends on them and the square round the whole alone: places that are left out
 * change nothing for the others. Cost: O(n) for even densities, O(n log(size / spacing)) at worst.
 * Scratch: 16 bytes a place. */
enum shepard_status shepard_hilbert_order(const struct shepard_places *places, int threads,
                                          const struct shepard_allocator *allocator,
                                          uint32_t *order);

/* Where places of a part lie along the curve, in its 2^32 cells: key [count]. Of all places, those
 * of a lower key come first. */
void shepard_hilbert_keys(const struct shepard_places *places,
                          const struct shepard_hilbert_turns *turns, uint32_t *key);

#endif
