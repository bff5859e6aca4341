/* SPDX-License-Identifier: MIT */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* The pointer from the allocator is stored in front of each aligned block. */
#define HEAD (SHEPARD_ALIGNMENT + sizeof(void *))

#define HUGE_PAGE ((size_t)1 << 21)

/* Elements of a block that grows, at first. */
#define ROOM_FIRST 64

/* malloc; large blocks on huge pages where the system has them: a first touch for each 2 MiB, not
 * each 4 KiB, and fewer misses of the address cache in sorts and gathers. */
static void *allocate_plain(size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    void *block;
    if (bytes < 2 * HUGE_PAGE)
        return malloc(bytes);
    if (posix_memalign(&block, HUGE_PAGE, bytes) != 0)
        return NULL;
    madvise(block, bytes, MADV_HUGEPAGE); /* advice: a refusal does no harm */
    return block;
#else
    return malloc(bytes);
#endif
}

void *shepard_allocate(const struct shepard_allocator *allocator, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - HEAD - 1) / size)
        return NULL;
    size_t bytes = count * size + HEAD + 1;
    char *raw =
        allocator != NULL ? allocator->allocate(bytes, allocator->user) : allocate_plain(bytes);
    if (raw == NULL)
        return NULL;
    uintptr_t start = (uintptr_t)raw + sizeof(void *);
    size_t shift = (SHEPARD_ALIGNMENT - start % SHEPARD_ALIGNMENT) % SHEPARD_ALIGNMENT;
    char *block = raw + sizeof(void *) + shift;
    memcpy(block - sizeof(void *), &raw, sizeof raw);
    return block;
}

void *shepard_lengthen(const struct shepard_allocator *allocator, void *block, size_t used,
                       size_t more, size_t size, size_t *room)
{
    const size_t needed = used + more, twice = *room > 0 ? 2 * *room : ROOM_FIRST;
    const size_t wanted = twice > needed ? twice : needed;
    void *longer = shepard_allocate(allocator, wanted, size);
    if (longer == NULL)
        return NULL;
    if (used > 0)
        memcpy(longer, block, used * size);
    shepard_release(allocator, block);
    *room = wanted;
    return longer;
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
