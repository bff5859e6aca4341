/* SPDX-License-Identifier: MIT */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Blocks start on huge pages, and large ones lie on them, as the library's own do. */
#define HUGE_PAGE ((size_t)1 << 21)
#define HEAD 64

struct block {
    size_t size;
    struct block *next;
};

struct shepard_pool {
    struct shepard_allocator allocator;
    atomic_flag busy;
    struct block *kept;
};

static void lock(struct shepard_pool *pool)
{
    while (atomic_flag_test_and_set(&pool->busy))
        ;
}

static void unlock(struct shepard_pool *pool)
{
    atomic_flag_clear(&pool->busy);
}

static struct block *take(struct shepard_pool *pool, size_t size)
{
    lock(pool);
    struct block **at = &pool->kept;
    while (*at != NULL && (*at)->size != size)
        at = &(*at)->next;
    struct block *found = *at;
    if (found != NULL)
        *at = found->next;
    unlock(pool);
    return found;
}

static struct block *make(size_t size)
{
    void *memory;
    const size_t bytes = size + HEAD, alignment = bytes < 2 * HUGE_PAGE ? HEAD : HUGE_PAGE;
    if (posix_memalign(&memory, alignment, bytes) != 0)
        return NULL;
#if defined(MADV_HUGEPAGE)
    if (alignment == HUGE_PAGE)
        madvise(memory, bytes, MADV_HUGEPAGE); /* advice: a refusal does no harm */
#endif
    struct block *block = memory;
    block->size = size;
    return block;
}

static void *allocate(size_t size, void *user)
{
    struct block *block = take(user, size);
    if (block == NULL)
        block = make(size);
    return block == NULL ? NULL : (char *)block + HEAD;
}

static void release(void *memory, void *user)
{
    struct shepard_pool *pool = user;
    struct block *block = (void *)((char *)memory - HEAD);
    lock(pool);
    block->next = pool->kept;
    pool->kept = block;
    unlock(pool);
}

struct shepard_pool *shepard_pool_new(void)
{
    struct shepard_pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    atomic_flag_clear(&pool->busy);
    pool->allocator = (struct shepard_allocator){allocate, release, pool};
    return pool;
}

void shepard_pool_free(struct shepard_pool *pool)
{
    while (pool != NULL && pool->kept != NULL) {
        struct block *next = pool->kept->next;
        free(pool->kept);
        pool->kept = next;
    }
    free(pool);
}

const struct shepard_allocator *shepard_pool_allocator(const struct shepard_pool *pool)
{
    return &pool->allocator;
}
