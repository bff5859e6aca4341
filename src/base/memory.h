/* SPDX-License-Identifier: MIT */
/* Blocks of memory through the caller's allocator, aligned for any vector. */
#ifndef SHEPARD_BASE_MEMORY_H
#define SHEPARD_BASE_MEMORY_H

#include "shepard/shepard.h"

#define SHEPARD_ALIGNMENT 64

/* count * size bytes aligned to SHEPARD_ALIGNMENT; NULL if memory is out or the product overflows.
 * allocator NULL: malloc and free. Zero bytes give a block of one. */
void *shepard_allocate(const struct shepard_allocator *allocator, size_t count, size_t size);

/* Frees a block of shepard_allocate; NULL is allowed. */
void shepard_release(const struct shepard_allocator *allocator, void *block);

#endif
