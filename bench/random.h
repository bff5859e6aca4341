/* SPDX-License-Identifier: MIT */
/** Random numbers that are the same on every machine: SplitMix64 (Steele, Lea & Flood 2014). */
#ifndef SHEPARD_BENCH_RANDOM_H
#define SHEPARD_BENCH_RANDOM_H

#include <stdint.h>

/** A stream of numbers; any seed will do. */
struct shepard_random {
    uint64_t state;
};

/** Uniform over all 64-bit numbers. */
uint64_t shepard_random_bits(struct shepard_random *random);

/** Uniform in [0, 1), on a grid of 2^-53. */
double shepard_random_uniform(struct shepard_random *random);

/** Standard normal, by Box and Muller's formula; takes two uniform numbers. */
double shepard_random_normal(struct shepard_random *random);

/** Log-uniform in [low, high). */
double shepard_random_magnitude(struct shepard_random *random, double low, double high);

#endif
