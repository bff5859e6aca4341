/* SPDX-License-Identifier: MIT */
/* Where a cell of a square lies along the Hilbert curve through all of them. */
#ifndef SHEPARD_CORE_HILBERT_KEY_H
#define SHEPARD_CORE_HILBERT_KEY_H

#include <stdint.h>

/* Bits of each coordinate in a key. */
#define SHEPARD_HILBERT_BITS 16

/* Where (x, y) in [0, 2^16)^2 lies along the curve of 2^32 cells. */
uint32_t shepard_hilbert_key(uint32_t x, uint32_t y);

/* Bits of x and y in one step of the table below, and the steps that there are. */
#define SHEPARD_HILBERT_STRIDE 4
#define SHEPARD_HILBERT_STEPS (1u << 2 * SHEPARD_HILBERT_STRIDE)

/* What a step adds to a key, and how it turns the bits that follow, as key << 2 | turn. A turn is
 * what becomes of two bits 00 of x where those of y are 01: 01 is a swap of x and y, 11 a mirror,
 * 10 both. */
struct shepard_hilbert_turns {
    uint16_t after[4][SHEPARD_HILBERT_STEPS];
};

/* Some 10 us: for many keys. */
void shepard_hilbert_turns_fill(struct shepard_hilbert_turns *turns);

/* As shepard_hilbert_key, in a quarter of the steps. */
static inline uint32_t shepard_hilbert_key_by(const struct shepard_hilbert_turns *turns, uint32_t x,
                                              uint32_t y)
{
    const uint32_t mask = (1u << SHEPARD_HILBERT_STRIDE) - 1;
    uint32_t key = 0, turn = 0;
    for (int bit = SHEPARD_HILBERT_BITS - SHEPARD_HILBERT_STRIDE; bit >= 0;
         bit -= SHEPARD_HILBERT_STRIDE) {
        const uint32_t step = ((x >> bit) & mask) << SHEPARD_HILBERT_STRIDE | ((y >> bit) & mask);
        const uint32_t after = turns->after[turn][step];
        key = key << 2 * SHEPARD_HILBERT_STRIDE | after >> 2;
        turn = after & 3;
    }
    return key;
}

#endif
