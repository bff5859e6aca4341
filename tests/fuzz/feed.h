/* SPDX-License-Identifier: MIT */
/** Numbers from the bytes of an input. */
#ifndef SHEPARD_FUZZ_FEED_H
#define SHEPARD_FUZZ_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Never runs dry: after the last byte pseudo-random ones follow, seeded by the first four bytes, so
 * that a short input describes a large case and a byte more changes little.
 */
struct feed {
    const uint8_t *bytes;
    size_t size, next;
    uint64_t random;
};

struct feed feed_begin(const uint8_t *bytes, size_t size);

uint8_t feed_byte(struct feed *feed);

/** The next n <= 8 bytes as a number. */
uint64_t feed_number(struct feed *feed, int n);

/** A number in [0, limit). */
size_t feed_below(struct feed *feed, size_t limit);

/** True once in `times` on average. */
bool feed_chance(struct feed *feed, unsigned times);

/** A multiple of 1 / 16 in [-2048, 2048), often a whole number in [-8, 8). */
double feed_tame(struct feed *feed);

/** Any double: NaN, infinite, denormal, huge, tiny, any bits, or a tame one. */
double feed_wild(struct feed *feed);

#endif
