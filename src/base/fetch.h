/* SPDX-License-Identifier: MIT */
/* Functions that load what will be needed into the caches. */
#ifndef SHEPARD_BASE_FETCH_H
#define SHEPARD_BASE_FETCH_H

/* GCC 12 treats a function that only prefetches as having no effects and drops calls to it, unless
 * it is inlined early. */
#define SHEPARD_FETCH static inline __attribute__((always_inline))

#endif
