/* SPDX-License-Identifier: MIT */
/** Where points lie along a Hilbert curve through a square. */
#ifndef SHEPARD_POSIX_CURVE_KEY_H
#define SHEPARD_POSIX_CURVE_KEY_H

#include <stddef.h>
#include <stdint.h>

/** Bits of a key: half of them for each coordinate. */
enum { SHEPARD_CURVE_KEY_BITS = 40 };

/** The square; what lies outside counts as on its edge. */
struct shepard_curve_square {
    double x, y;  /* lower left corner */
    double scale; /* cells of the curve to a unit of the coordinates */
};

/** The square round a box, `times` as large. */
struct shepard_curve_square shepard_curve_square_of(double x_min, double x_max, double y_min,
                                                    double y_max, double times);

/** The keys of places stride bytes apart: key [count]. */
void shepard_curve_keys(const struct shepard_curve_square *square, const double *x, const double *y,
                        size_t stride, size_t count, uint64_t *key);

#endif
