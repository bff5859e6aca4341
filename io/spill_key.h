/* SPDX-License-Identifier: MIT */
/** Where points lie along a Hilbert curve through a square. */
#ifndef SHEPARD_IO_SPILL_KEY_H
#define SHEPARD_IO_SPILL_KEY_H

#include <stddef.h>
#include <stdint.h>

/** Bits of a key: half of them for each coordinate. */
enum { SHEPARD_SPILL_KEY_BITS = 40 };

/** Bits of each coordinate in a step of the table below, and the steps that there are. */
enum { SHEPARD_SPILL_STRIDE = 4, SHEPARD_SPILL_STEPS = 1 << 2 * SHEPARD_SPILL_STRIDE };

/** The curve through a square; what lies outside counts as on its edge. */
struct shepard_spill_curve {
    double x, y;                            /* lower left corner */
    double scale;                           /* cells of the curve to a unit of the coordinates */
    uint16_t after[4][SHEPARD_SPILL_STEPS]; /* key << 2 | turn, as in src/core/hilbert_key.h */
};

/** The square round a box, `times` as large. */
void shepard_spill_curve_make(struct shepard_spill_curve *curve, const double x[2],
                              const double y[2], double times);

/** The keys of places stride bytes apart: key [count]. */
void shepard_spill_keys(const struct shepard_spill_curve *curve, const double *x, const double *y,
                        size_t stride, size_t count, uint64_t *key);

#endif
