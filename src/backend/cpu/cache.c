/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cache.h"

#include "base/memory.h"

#include <string.h>

/* Both lists begin with what was used least lately. */
struct shepard_cpu_cache {
    struct shepard_lock lock;
    struct shepard_cpu_farfield *farfields;
    struct shepard_cpu_moments *moments;
    size_t limit;
    const struct shepard_allocator *allocator;
};

struct shepard_cpu_cache *shepard_cpu_cache_create(const struct shepard_allocator *allocator,
                                                   size_t limit)
{
    struct shepard_cpu_cache *made = shepard_allocate(allocator, 1, sizeof *made);
    if (made != NULL)
        *made = (struct shepard_cpu_cache){.limit = limit, .allocator = allocator};
    return made;
}

/* ---- under the lock -------------------------------------------------------------------------- */

static void drop_moments(struct shepard_cpu_cache *cache, struct shepard_cpu_moments *moments)
{
    struct shepard_cpu_moments **link = &cache->moments;
    while (*link != moments)
        link = &(*link)->next;
    *link = moments->next;
    if (shepard_once_is_ready(&moments->once))
        shepard_moments_free(&moments->of);
    shepard_release(cache->allocator, moments);
}

static void leave_moments(struct shepard_cpu_cache *cache, struct shepard_cpu_moments *moments)
{
    if (moments != NULL && --moments->users == 0)
        drop_moments(cache, moments);
}

static void drop_farfield(struct shepard_cpu_cache *cache, struct shepard_cpu_farfield *farfield)
{
    struct shepard_cpu_farfield **link = &cache->farfields;
    while (*link != farfield)
        link = &(*link)->next;
    *link = farfield->next;
    for (int kind = 0; kind < SHEPARD_CPU_KINDS; kind++)
        leave_moments(cache, farfield->kind[kind].held);
    shepard_release(cache->allocator, farfield);
}

static size_t bytes_of(const struct shepard_cpu_cache *cache)
{
    size_t bytes = sizeof *cache;
    for (const struct shepard_cpu_farfield *f = cache->farfields; f != NULL; f = f->next)
        bytes += sizeof *f;
    for (const struct shepard_cpu_moments *m = cache->moments; m != NULL; m = m->next)
        bytes += sizeof *m + (shepard_once_is_ready(&m->once) ? m->of.bytes : 0);
    return bytes;
}

/* Far fields that are kept at most: their rules take memory too. */
#define FARFIELDS_MAX 64

static size_t count_farfields(const struct shepard_cpu_cache *cache)
{
    size_t count = 0;
    for (const struct shepard_cpu_farfield *f = cache->farfields; f != NULL; f = f->next)
        count++;
    return count;
}

static void trim(struct shepard_cpu_cache *cache, size_t limit)
{
    struct shepard_cpu_farfield *oldest = cache->farfields;
    while (oldest != NULL && (bytes_of(cache) > limit || count_farfields(cache) > FARFIELDS_MAX)) {
        struct shepard_cpu_farfield *next = oldest->next;
        if (oldest->users == 0)
            drop_farfield(cache, oldest);
        oldest = next;
    }
}

static bool same_demand(const struct shepard_cpu_demand *a, const struct shepard_cpu_demand *b)
{
    return a->eps == b->eps && a->power == b->power && a->power_max == b->power_max &&
           a->single == b->single && a->smooth == b->smooth && a->degree == b->degree;
}

/* Takes the far field for a demand out of the list; NULL if it holds none. */
static struct shepard_cpu_farfield *take_out(struct shepard_cpu_cache *cache,
                                             const struct shepard_cpu_demand *demand)
{
    struct shepard_cpu_farfield **link = &cache->farfields;
    while (*link != NULL && !same_demand(&(*link)->demand, demand))
        link = &(*link)->next;
    struct shepard_cpu_farfield *found = *link;
    if (found != NULL)
        *link = found->next;
    return found;
}

static void append(struct shepard_cpu_cache *cache, struct shepard_cpu_farfield *farfield)
{
    struct shepard_cpu_farfield **link = &cache->farfields;
    while (*link != NULL)
        link = &(*link)->next;
    *link = farfield;
    farfield->next = NULL;
}

/* ---- for callers ----------------------------------------------------------------------------- */

void shepard_cpu_cache_free(struct shepard_cpu_cache *cache)
{
    if (cache == NULL)
        return;
    while (cache->farfields != NULL)
        drop_farfield(cache, cache->farfields);
    shepard_release(cache->allocator, cache);
}

struct shepard_cpu_farfield *shepard_cpu_cache_take(struct shepard_cpu_cache *cache,
                                                    const struct shepard_cpu_demand *demand)
{
    shepard_lock_take(&cache->lock);
    struct shepard_cpu_farfield *farfield = take_out(cache, demand);
    if (farfield == NULL) {
        farfield = shepard_allocate(cache->allocator, 1, sizeof *farfield);
        if (farfield != NULL) {
            memset(farfield, 0, sizeof *farfield);
            farfield->demand = *demand;
        }
    }
    if (farfield != NULL) {
        append(cache, farfield);
        farfield->users++;
    }
    shepard_lock_leave(&cache->lock);
    return farfield;
}

void shepard_cpu_cache_give_back(struct shepard_cpu_cache *cache,
                                 struct shepard_cpu_farfield *farfield)
{
    if (farfield == NULL)
        return;
    shepard_lock_take(&cache->lock);
    farfield->users--;
    trim(cache, cache->limit);
    shepard_lock_leave(&cache->lock);
}

static bool same_form(const struct shepard_moments_form *a, const struct shepard_moments_form *b)
{
    return a->order == b->order && a->extra == b->extra && a->single == b->single;
}

struct shepard_cpu_moments *shepard_cpu_cache_take_moments(struct shepard_cpu_cache *cache,
                                                           enum shepard_cpu_kind kind,
                                                           const struct shepard_moments_form *form)
{
    shepard_lock_take(&cache->lock);
    struct shepard_cpu_moments *moments = cache->moments;
    while (moments != NULL && !(moments->kind == kind && same_form(&moments->form, form)))
        moments = moments->next;
    if (moments == NULL) {
        moments = shepard_allocate(cache->allocator, 1, sizeof *moments);
        if (moments != NULL) {
            *moments =
                (struct shepard_cpu_moments){.next = cache->moments, .kind = kind, .form = *form};
            cache->moments = moments;
        }
    }
    if (moments != NULL)
        moments->users++;
    shepard_lock_leave(&cache->lock);
    return moments;
}

void shepard_cpu_cache_give_back_moments(struct shepard_cpu_cache *cache,
                                         struct shepard_cpu_moments *moments)
{
    shepard_lock_take(&cache->lock);
    leave_moments(cache, moments);
    shepard_lock_leave(&cache->lock);
}

size_t shepard_cpu_cache_bytes(const struct shepard_cpu_cache *cache)
{
    struct shepard_lock *lock = &((struct shepard_cpu_cache *)(uintptr_t)cache)->lock;
    shepard_lock_take(lock);
    const size_t bytes = bytes_of(cache);
    shepard_lock_leave(lock);
    return bytes;
}
