/* SPDX-License-Identifier: MIT */
/* Random samples. */
#ifndef SHEPARD_CORE_RANDOM_SAMPLE_H
#define SHEPARD_CORE_RANDOM_SAMPLE_H

#include "base/arithmetic.h"
#include "base/random.h"

/* Member i of a sample of `count` of 0 to total - 1: one of each of `count` equal parts. Where
 * count is larger than total, the same may come several times. */
static inline size_t shepard_random_sample(struct shepard_random *random, size_t i, size_t count,
                                           size_t total)
{
    const double part = (double)total / (double)count;
    const size_t at = (size_t)(((double)i + shepard_random_uniform(random)) * part);
    return shepard_smaller(at, total - 1);
}

/* A random order of 0 to count - 1 (Fisher and Yates; [Knuth97] algorithm P). */
static inline void shepard_random_order(struct shepard_random *random, uint32_t *order,
                                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)(shepard_random_uniform(random) * (double)i);
        const uint32_t last = order[i - 1];
        order[i - 1] = order[j];
        order[j] = last;
    }
}

#endif
