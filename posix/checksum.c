/* SPDX-License-Identifier: MIT */
#include "checksum.h"

#include <string.h>

/* A step of FNV-1a, a word at a time, and a shift as in splitmix64: high bits come down to the next
 * word. */
static uint64_t mix(uint64_t checksum, uint64_t word)
{
    checksum = (checksum ^ word) * 0x100000001B3U;
    return checksum ^ checksum >> 29;
}

uint64_t shepard_checksum_add(uint64_t checksum, const void *bytes, size_t size)
{
    const unsigned char *const from = bytes;
    /* The length is part of it, and no run of zeros has the checksum 0. */
    checksum = mix(checksum, 0xCBF29CE484222325U + (bytes ? size + 1 : 0));
    for (size_t i = 0; bytes && i < size; i += sizeof checksum) {
        uint64_t word = 0;
        memcpy(&word, from + i, size - i < sizeof word ? size - i : sizeof word);
        checksum = mix(checksum, word);
    }
    return checksum;
}
