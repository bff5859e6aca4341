/* SPDX-License-Identifier: MIT */
/** Where points lie along a Hilbert curve through a square. */
#ifndef SHEPARD_POSIX_CURVE_KEY_H
#define SHEPARD_POSIX_CURVE_KEY_H

#include <stddef.h>
#include <stdint.h>

/** Bits of a key: half of them for each coordinate. */
enum { SHEPARD_CURVE_KEY_BITS = 40 };

/** Bits of each coordinate in a step of the table below, and the steps that there are. */
enum { SHEPARD_CURVE_STRIDE = 4, SHEPARD_CURVE_STEPS = 1 << 2 * SHEPARD_CURVE_STRIDE };

/** The curve through a square; what lies outside counts as on its edge. */
struct shepard_curve {
    double x, y;                            /* lower left corner */
    double scale;                           /* cells of the curve to a unit of the coordinates */
    uint16_t after[4][SHEPARD_CURVE_STEPS]; /* key << 2 | turn, as in src/core/hilbert_key.h */
};

/** The square round a box, `times` as large. */
void shepard_curve_make(struct shepard_curve *curve, const double x[2], const double y[2],
                        double times);

/** The keys of places stride bytes apart: key [count]. */
void shepard_curve_keys(const struct shepard_curve *curve, const double *x, const double *y,
                        size_t stride, size_t count, uint64_t *key);

#endif
