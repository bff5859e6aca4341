/* SPDX-License-Identifier: MIT */
/* Small arithmetic on numbers. */
#ifndef SHEPARD_BASE_ARITHMETIC_H
#define SHEPARD_BASE_ARITHMETIC_H

#include "base/host_device.h"

#include <math.h>
#include <stddef.h>

/* a, held between low and high; NaN stays. */
SHEPARD_HOST_DEVICE double shepard_clamp(double a, double low, double high)
{
    return a < low ? low : a > high ? high : a;
}

static inline size_t shepard_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Below 0 where a is less than b, above where it is more, else 0. */
static inline int shepard_compare(double a, double b)
{
    return (a > b) - (a < b);
}

/* The largest power of two that is not above a finite a > 0; of 0, 1/2. */
static inline double shepard_power_of_two(double a)
{
    int exponent = 0;
    frexp(a, &exponent);
    return ldexp(1, exponent - 1);
}

/* a / b, up to a whole number. */
static inline size_t shepard_ceil_div(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

#endif
