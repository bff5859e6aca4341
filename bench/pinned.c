/* SPDX-License-Identifier: MIT */
#include "pinned.h"

#include <cuda_runtime_api.h>

static void *allocate(size_t size, void *user)
{
    void *block = NULL;
    (void)user;
    if (cudaHostAlloc(&block, size, cudaHostAllocPortable) == cudaSuccess)
        return block;
    (void)cudaGetLastError(); /* not left to be the error of a later call */
    return NULL;
}

static void release(void *block, void *user)
{
    (void)user;
    (void)cudaFreeHost(block);
}

const struct shepard_allocator *shepard_pinned_allocator(void)
{
    static const struct shepard_allocator allocator = {allocate, release, NULL};
    return &allocator;
}

double *shepard_pinned_numbers(size_t count)
{
    return allocate((count ? count : 1) * sizeof(double), NULL);
}

void shepard_pinned_free(double *numbers)
{
    if (numbers)
        release(numbers, NULL);
}
