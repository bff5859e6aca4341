/* SPDX-License-Identifier: MIT */
#include "core/hilbert_key.h"

#include <stdbool.h>

/* Walks down the quadrants: each step takes one bit of x and y, and turns the rest into the frame
 * of the quadrant (a swap, after a mirror in the fourth). */
static inline void descend(uint32_t *x, uint32_t *y, uint32_t *key, int bit)
{
    const uint32_t rx = (*x >> bit) & 1, ry = (*y >> bit) & 1;
    const uint32_t mirror = -(rx & (ry ^ 1)), swap = ry - 1;
    const uint32_t across = *x ^ mirror, up = *y ^ mirror;
    const uint32_t difference = (across ^ up) & swap;
    *key = (*key << 2) | ((rx << 1) ^ rx ^ ry);
    *x = across ^ difference;
    *y = up ^ difference;
}

uint32_t shepard_hilbert_key(uint32_t x, uint32_t y)
{
    uint32_t key = 0;
    for (int bit = SHEPARD_HILBERT_BITS - 1; bit >= 0; bit--)
        descend(&x, &y, &key, bit);
    return key;
}

/* Two bits behind those of the step show how it turns what follows. */
static uint16_t after_step(uint32_t turn, uint32_t step)
{
    const uint32_t mirror = turn & 2 ? UINT32_MAX : 0;
    const uint32_t across = (step >> SHEPARD_HILBERT_STRIDE << 2) ^ mirror;
    const uint32_t up = (step << 2 | 1) ^ mirror;
    const bool swapped = turn == 1 || turn == 2;
    uint32_t x = swapped ? up : across, y = swapped ? across : up, key = 0;
    for (int bit = SHEPARD_HILBERT_STRIDE + 1; bit >= 2; bit--)
        descend(&x, &y, &key, bit);
    return (uint16_t)(key << 2 | (x & 3));
}

void shepard_hilbert_turns_fill(struct shepard_hilbert_turns *turns)
{
    for (uint32_t turn = 0; turn < 4; turn++)
        for (uint32_t step = 0; step < SHEPARD_HILBERT_STEPS; step++)
            turns->after[turn][step] = after_step(turn, step);
}
