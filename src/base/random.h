/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same on every machine: SplitMix64 (Steele, Lea & Flood 2014). */
#ifndef SHEPARD_BASE_RANDOM_H
#define SHEPARD_BASE_RANDOM_H

#include <math.h>
#include <stdint.h>

/* A stream of numbers; any seed will do. */
struct shepard_random {
    uint64_t state;
};

/* Uniform over all 64-bit numbers. */
static inline uint64_t shepard_random_bits(struct shepard_random *random)
{
    random->state += 0x9e3779b97f4a7c15u;
    uint64_t bits = random->state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

/* Uniform in [0, 1), on a grid of 2^-53. */
static inline double shepard_random_uniform(struct shepard_random *random)
{
    return (double)(shepard_random_bits(random) >> 11) * 0x1p-53;
}

/* Standard normal, by Box and Muller's formula; takes two uniform numbers. */
static inline double shepard_random_normal(struct shepard_random *random)
{
    const double radius = sqrt(-2.0 * log(1.0 - shepard_random_uniform(random)));
    return radius * cos(6.283185307179586476925286766559 * shepard_random_uniform(random));
}

/* Log-uniform in [low, high). */
static inline double shepard_random_magnitude(struct shepard_random *random, double low,
                                              double high)
{
    return low * pow(high / low, shepard_random_uniform(random));
}

#endif
