/* SPDX-License-Identifier: MIT */
#include "checksum.h"

#include <string.h>

/* One step of FNV-1a, a word at a time, with the finalizer's shift of splitmix64: the high bits
 * come down to the next word. */
static uint64_t mix(uint64_t checksum, uint64_t word)
{
    checksum = (checksum ^ word) * 0x100000001B3U;
    return checksum ^ checksum >> 29;
}

uint64_t shepard_checksum_add(uint64_t checksum, const double *numbers, size_t count)
{
    checksum = mix(checksum, numbers ? count + 1 : 0);
    for (size_t i = 0; numbers && i < count; i++) {
        uint64_t word;
        memcpy(&word, &numbers[i], sizeof word);
        checksum = mix(checksum, word);
    }
    return checksum;
}

uint64_t shepard_checksum_of_input(const struct shepard_input *input)
{
    uint64_t checksum = 0;
    for (size_t i = 0; i < input->count; i++) {
        const struct shepard_point_set *const points = &input->layers[i];
        checksum = shepard_checksum_add(checksum, points->x, points->count);
        checksum = shepard_checksum_add(checksum, points->y, points->count);
        checksum = shepard_checksum_add(checksum, points->z, points->count);
        checksum = shepard_checksum_add(checksum, points->weights, points->count);
        for (size_t c = 0; c < points->columns; c++) {
            checksum = shepard_checksum_add(checksum, points->values[c], points->count);
        }
    }
    return checksum;
}
