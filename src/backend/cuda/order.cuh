/* SPDX-License-Identifier: MIT */
/* Numbers put in the order of their keys. */
#ifndef SHEPARD_BACKEND_CUDA_ORDER_CUH
#define SHEPARD_BACKEND_CUDA_ORDER_CUH

#include "cuda/pool.cuh"

namespace shepard
{

/* Keys along the curve, and what stands at each. */
struct ordered {
    block<std::uint64_t> key;
    block<std::uint32_t> number;
};

/* Sorts by the lowest `bits` bits of the keys, above which none but those of the last key
 * (hilbert_end) are set; equal ones keep their order. Waits for the stream where there are more
 * bits than n needs. */
ordered sort_by_key(ordered unsorted, int bits, cudaStream_t stream);

} // namespace shepard

#endif
