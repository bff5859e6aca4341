/* SPDX-License-Identifier: MIT */
/* A division of the plane into squares of sides 2^-depth, each four of the next: number i along an
 * axis covers offsets [shepard_division_start(i), shepard_division_start(i + 1)) from an origin. */
#ifndef SHEPARD_CORE_DIVISION_H
#define SHEPARD_CORE_DIVISION_H

#include <math.h>

/* Binary 0101...: squares with a side above 1 are shifted by it. Places on both sides of the origin
 * then share a square little larger than their extent. */
#define SHEPARD_DIVISION_SHIFT 349525

/* The number of the square that holds an offset; scale: 2^depth. */
static inline double shepard_division_scaled(double offset, int depth, double scale)
{
    return floor((depth >= 0 ? offset : floor(offset) + SHEPARD_DIVISION_SHIFT) * scale);
}

static inline double shepard_division_number(double offset, int depth)
{
    return shepard_division_scaled(offset, depth, ldexp(1, depth));
}

/* The least offset of a square. */
static inline double shepard_division_start(double number, int depth)
{
    return ldexp(number, -depth) - (depth >= 0 ? 0 : SHEPARD_DIVISION_SHIFT);
}

#endif
