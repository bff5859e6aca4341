/* SPDX-License-Identifier: MIT */
/* The axes in which the moments of a plane are taken: along the main direction of the points and
 * across it, from a place near their mean. Where the points are nearly a line, moments across it
 * are then sums of small terms, not small differences of large sums. Any axes give the same plane;
 * the nearer to the true ones, the fewer digits are lost. */
#ifndef SHEPARD_KERNEL_AXES_H
#define SHEPARD_KERNEL_AXES_H

#include "base/host_device.h"

#include <stdint.h>
#include <string.h>

/* Leaves half of a double's 53 bits: its products with numbers of 24 bits are exact. */
#define SHEPARD_HALF_MASK UINT64_C(0xFFFFFFFFF8000000)

/* Determinants of second moments below this fraction of the squared trace count as 0. */
#define SHEPARD_FIT_SINGULAR 1e-14

/* Above this fraction, and not near underflow, moments about the target are good enough (Eq. 12c).
 */
#define SHEPARD_FIT_GOOD 0x1p-6
#define SHEPARD_FIT_NORMAL 0x1p-900

struct shepard_axes {
    double x, y;           /* the origin */
    double main_x, main_y; /* the main direction: the larger 1 in size, the other of 24 bits */
};

/* The main direction's length, squared: offsets along the axes are too long by its root. */
SHEPARD_HOST_DEVICE double shepard_axes_length2(const struct shepard_axes *axes)
{
    return axes->main_x * axes->main_x + axes->main_y * axes->main_y;
}

/* What the difference d = a - b rounds off (Knuth's two-sum). */
SHEPARD_HOST_DEVICE double shepard_axes_lost(double a, double b, double d)
{
    const double back = d - a;
    return (a - (d - back)) - (b + back);
}

SHEPARD_HOST_DEVICE double shepard_axes_half(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= SHEPARD_HALF_MASK;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* Turns a place (*a, *b) into its offsets along the axes and across. On a line the latter is a
 * difference of large numbers, yet it is right to its own last digits: differences of coordinates
 * keep what is rounded off, products with half a double are exact, and so is the difference of
 * nearly equal numbers. */
SHEPARD_HOST_DEVICE void shepard_axes_turn(const struct shepard_axes *axes, double *a, double *b)
{
    const double p = axes->main_x, q = axes->main_y;
    const double dx = *a - axes->x, dy = *b - axes->y;
    const double lost_x = shepard_axes_lost(*a, axes->x, dx);
    const double lost_y = shepard_axes_lost(*b, axes->y, dy);
    const double half_x = shepard_axes_half(dx), half_y = shepard_axes_half(dy);
    *a = p * dx + q * dy;
    *b = (p * half_y - q * half_x) + (p * (dy - half_y) - q * (dx - half_x)) +
         (p * lost_y - q * lost_x);
}

#endif
