/* SPDX-License-Identifier: MIT */
/* What CUDA knows of an address. */
#ifndef SHEPARD_BACKEND_CUDA_ADDRESS_CUH
#define SHEPARD_BACKEND_CUDA_ADDRESS_CUH

#include "cuda/check.cuh"

namespace shepard
{

inline cudaPointerAttributes attributes_of(const void *address)
{
    cudaPointerAttributes attributes = {};
    check(cudaPointerGetAttributes(&attributes, address), "looking at an array");
    return attributes;
}

} // namespace shepard

#endif
