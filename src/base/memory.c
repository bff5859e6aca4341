/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* In front of each aligned block stands the pointer that the allocator gave. */
#define HEAD (SHEPARD_ALIGNMENT + sizeof(void *))

void *shepard_allocate(const struct shepard_allocator *allocator, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - HEAD - 1) / size)
        return NULL;
    size_t bytes = count * size + HEAD + 1;
    char *raw = allocator != NULL ? allocator->allocate(bytes, allocator->user) : malloc(bytes);
    if (raw == NULL)
        return NULL;
    uintptr_t start = (uintptr_t)raw + sizeof(void *);
    size_t shift = (SHEPARD_ALIGNMENT - start % SHEPARD_ALIGNMENT) % SHEPARD_ALIGNMENT;
    char *block = raw + sizeof(void *) + shift;
    memcpy(block - sizeof(void *), &raw, sizeof raw);
    return block;
}

void shepard_release(const struct shepard_allocator *allocator, void *block)
{
    if (block == NULL)
        return;
    void *raw;
    memcpy(&raw, (char *)block - sizeof(void *), sizeof raw);
    if (allocator != NULL)
        allocator->release(raw, allocator->user);
    else
        free(raw);
}
