/* SPDX-License-Identifier: MIT */
/* Blocks of memory through the caller's allocator, aligned for any vector. */
#ifndef SHEPARD_BASE_MEMORY_H
#define SHEPARD_BASE_MEMORY_H

#include "shepard/shepard.h"

#define SHEPARD_ALIGNMENT 64

/* count * size bytes aligned to SHEPARD_ALIGNMENT; NULL if memory is out or the product overflows.
 * allocator NULL: malloc and free. Zero bytes give a block of one. */
void *shepard_allocate(const struct shepard_allocator *allocator, size_t count, size_t size);

/* A longer copy of a block that holds *room elements, with room for `more` behind the first `used`;
 * sets *room. NULL if memory is out: the old block stays. */
void *shepard_lengthen(const struct shepard_allocator *allocator, void *block, size_t used,
                       size_t more, size_t size, size_t *room);

/* The block, or a longer copy where it has no room for `more` elements; otherwise as
 * shepard_lengthen. block: NULL at first, with *room 0. */
static inline void *shepard_reserve(const struct shepard_allocator *allocator, void *block,
                                    size_t used, size_t more, size_t size, size_t *room)
{
    if (block != NULL && used + more <= *room)
        return block;
    return shepard_lengthen(allocator, block, used, more, size, room);
}

/* Frees a block of shepard_allocate; NULL is allowed. */
void shepard_release(const struct shepard_allocator *allocator, void *block);

#endif
