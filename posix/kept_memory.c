/* SPDX-License-Identifier: MIT */
#include "kept_memory.h"

#include <limits.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void shepard_memory_keep(void)
{
#ifdef __GLIBC__
    /* Arrays come from the heap, whatever their size, and its free end is kept. */
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}
