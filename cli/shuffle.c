/* SPDX-License-Identifier: MIT */
#include "shuffle.h"

#include <stdint.h>

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t bits = *state += 0x9e3779b97f4a7c15U;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebU;
    return bits ^ bits >> 31;
}

size_t shepard_shuffle_sample(size_t *items, size_t count, size_t most)
{
    const size_t size = count < most ? count : most;
    uint64_t state = 1;
    for (size_t i = 0; i < size; i++) {
        const size_t other = i + (size_t)(next(&state) % (count - i));
        const size_t item = items[i];
        items[i] = items[other];
        items[other] = item;
    }
    return size;
}
