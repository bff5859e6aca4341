/* SPDX-License-Identifier: MIT */
/** Where a Hilbert curve is cut, so that each rank has as many points. */
#ifndef SHEPARD_MPI_CURVE_CUTS_H
#define SHEPARD_MPI_CURVE_CUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Places with the same first bits have an entry of the table below. */
enum { SHEPARD_CUTS_BITS = 10, SHEPARD_CUTS_ENTRIES = 1 << SHEPARD_CUTS_BITS };

/** Start from {0}. */
struct shepard_curve_cuts {
    uint32_t *begin; /**< [ranks - 1] of the next rank's stretch */
    size_t ranks;
    uint32_t rank[SHEPARD_CUTS_ENTRIES + 1]; /**< that has the first place of an entry */
};

/** Of all ranks: from the places of their points. False on all ranks: out of memory. */
bool shepard_curve_cuts_make(struct shepard_curve_cuts *cuts, const uint32_t *places, size_t count);

/** The rank that has a place. */
size_t shepard_curve_cuts_rank(const struct shepard_curve_cuts *cuts, uint32_t place);

void shepard_curve_cuts_free(struct shepard_curve_cuts *cuts);

#endif
