/* SPDX-License-Identifier: MIT */
#include "pinned_memory.h"

#include <cuda_runtime_api.h>

static void *allocate(size_t size, void *)
{
    void *block = nullptr;
    if (cudaHostAlloc(&block, size, cudaHostAllocPortable) == cudaSuccess)
        return block;
    (void)cudaGetLastError(); /* not left to be the error of a later call */
    return nullptr;
}

static void release(void *block, void *)
{
    (void)cudaFreeHost(block);
}

const struct shepard_allocator *shepard_pinned_memory(void)
{
    static const struct shepard_allocator pinned = {allocate, release, nullptr};
    return &pinned;
}
