/* SPDX-License-Identifier: MIT */
/* The least and the largest of numbers. */
#ifndef SHEPARD_CORE_RANGE_H
#define SHEPARD_CORE_RANGE_H

#include <stddef.h>

struct shepard_range {
    double low, high;
};

/* Of a [n], n >= 1, no NaN. O(n), spread over the threads. */
struct shepard_range shepard_range_of(const double *a, size_t n, int threads);

/* Of an array whose parts, count >= 1, have these ranges. */
struct shepard_range shepard_range_join(const struct shepard_range *of, size_t count);

#endif
