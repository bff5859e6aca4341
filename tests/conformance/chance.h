/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same on every machine: SplitMix64. */
#ifndef SHEPARD_TESTS_CHANCE_H
#define SHEPARD_TESTS_CHANCE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct chance {
    uint64_t state;
};

static inline uint64_t chance_bits(struct chance *chance)
{
    uint64_t a = chance->state += 0x9e3779b97f4a7c15u;
    a = (a ^ (a >> 30)) * 0xbf58476d1ce4e5b9u;
    a = (a ^ (a >> 27)) * 0x94d049bb133111ebu;
    return a ^ (a >> 31);
}

/* Uniform in [0, 1). */
static inline double chance_unit(struct chance *chance)
{
    return (double)(chance_bits(chance) >> 11) * 0x1p-53;
}

/* Uniform in [low, high). */
static inline double chance_range(struct chance *chance, double low, double high)
{
    return low + (high - low) * chance_unit(chance);
}

/* 0 to n - 1. */
static inline size_t chance_below(struct chance *chance, size_t n)
{
    return (size_t)(chance_bits(chance) % n);
}

static inline double chance_normal(struct chance *chance)
{
    const double a = 1 - chance_unit(chance), b = chance_unit(chance);
    return sqrt(-2 * log(a)) * cos(6.283185307179586 * b);
}

#endif
