/* SPDX-License-Identifier: MIT */
/** Memory of the host that a GPU reads and writes by itself, without a copy in between. */
#ifndef SHEPARD_PAPERS_PINNED_MEMORY_H
#define SHEPARD_PAPERS_PINNED_MEMORY_H

#include "shepard/shepard.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An allocator of pinned memory; NULL where the build has no CUDA. */
const struct shepard_allocator *shepard_pinned_memory(void);

#ifdef __cplusplus
}
#endif

#endif
