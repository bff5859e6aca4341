/* SPDX-License-Identifier: MIT */
/* What predictions with sums over all points have prepared in a field, kept for later ones: far
 * fields, each for one demand, and the moments that they share. What no call uses is dropped,
 * oldest first, where all of it is more than the field's limit. */
#ifndef SHEPARD_BACKEND_CPU_CACHE_H
#define SHEPARD_BACKEND_CPU_CACHE_H

#include "backend/cpu/farfield.h"

struct shepard_cpu_cache;

/* Empty; NULL: out of memory. limit: bytes. */
struct shepard_cpu_cache *shepard_cpu_cache_create(const struct shepard_allocator *allocator,
                                                   size_t limit);

/* Nothing of it is in use. NULL is allowed. */
void shepard_cpu_cache_free(struct shepard_cpu_cache *cache);

/* The far field for a demand, new or kept, to be given back; NULL: out of memory. */
struct shepard_cpu_farfield *shepard_cpu_cache_take(struct shepard_cpu_cache *cache,
                                                    const struct shepard_cpu_demand *demand);

/* NULL is allowed. */
void shepard_cpu_cache_give_back(struct shepard_cpu_cache *cache,
                                 struct shepard_cpu_farfield *farfield);

/* The moments of a kind and form, new (not ready) or kept, to be given back; NULL: out of memory.
 */
struct shepard_cpu_moments *shepard_cpu_cache_take_moments(struct shepard_cpu_cache *cache,
                                                           enum shepard_cpu_kind kind,
                                                           const struct shepard_moments_form *form);

/* NULL is allowed. */
void shepard_cpu_cache_give_back_moments(struct shepard_cpu_cache *cache,
                                         struct shepard_cpu_moments *moments);

size_t shepard_cpu_cache_bytes(const struct shepard_cpu_cache *cache);

#endif
