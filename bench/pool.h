/* SPDX-License-Identifier: MIT */
/**
 * An allocator that keeps what is freed for the next block of the same size. Runs after the first
 * then meet memory that was touched before, whatever their size: without it the C library gives
 * large blocks back to the system, which clears them again for the next run, and keeps small ones.
 */
#ifndef SHEPARD_BENCH_POOL_H
#define SHEPARD_BENCH_POOL_H

#include <shepard/shepard.h>

struct shepard_pool;

/** NULL where memory ran out. */
struct shepard_pool *shepard_pool_new(void);

/** Its blocks must all have been released. NULL is allowed. */
void shepard_pool_free(struct shepard_pool *pool);

/** For shepard_options; lives as long as the pool. */
const struct shepard_allocator *shepard_pool_allocator(const struct shepard_pool *pool);

#endif
