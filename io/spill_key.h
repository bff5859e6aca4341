/* SPDX-License-Identifier: MIT */
/** Where points lie along a Hilbert curve through a square. */
#ifndef SHEPARD_IO_SPILL_KEY_H
#define SHEPARD_IO_SPILL_KEY_H

#include <stddef.h>
#include <stdint.h>

/** Bits of a key: half of them for each coordinate. */
enum { SHEPARD_SPILL_KEY_BITS = 40 };

/** The square; what lies outside counts as on its edge. */
struct shepard_spill_square {
    double x, y;  /* lower left corner */
    double scale; /* cells of the curve to a unit of the coordinates */
};

/** The square round a box, `times` as large. */
struct shepard_spill_square shepard_spill_square_of(double x_min, double x_max, double y_min,
                                                    double y_max, double times);

/** The keys of places stride bytes apart: key [count]. */
void shepard_spill_keys(const struct shepard_spill_square *square, const double *x, const double *y,
                        size_t stride, size_t count, uint64_t *key);

#endif
