/* SPDX-License-Identifier: MIT */
/* The least and largest of many numbers, found in two launches: a part for each block, then all. */
#ifndef SHEPARD_BACKEND_CUDA_RANGES_CUH
#define SHEPARD_BACKEND_CUDA_RANGES_CUH

#include <cub/block/block_reduce.cuh>

namespace shepard
{

constexpr int range_threads = 256;
constexpr unsigned reduce_blocks = 528;

struct range {
    double low, high;
};

struct wider {
    __device__ range operator()(const range &a, const range &b) const
    {
        return {fmin(a.low, b.low), fmax(a.high, b.high)};
    }
};

/* Puts the range of a block's lanes in its place of parts [rows, gridDim.x]; all lanes wait. */
static __device__ __forceinline__ void put_part(const range &own, unsigned row, range *parts)
{
    using reduce = cub::BlockReduce<range, range_threads>;
    __shared__ typename reduce::TempStorage scratch;
    const range all = reduce(scratch).Reduce(own, wider());
    if (threadIdx.x == 0)
        parts[row * gridDim.x + blockIdx.x] = all;
    __syncthreads();
}

/* A block for each row: the range of its parts. */
static __global__ void gather_parts(const range *parts, unsigned count, range *ranges)
{
    range own = {INFINITY, -INFINITY};
    for (unsigned i = threadIdx.x; i < count; i += range_threads)
        own = wider()(own, parts[blockIdx.x * count + i]);
    using reduce = cub::BlockReduce<range, range_threads>;
    __shared__ typename reduce::TempStorage scratch;
    const range all = reduce(scratch).Reduce(own, wider());
    if (threadIdx.x == 0)
        ranges[blockIdx.x] = all;
}

} // namespace shepard

#endif
