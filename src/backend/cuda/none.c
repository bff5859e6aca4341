/* SPDX-License-Identifier: MIT */
/* The cuda backend of a build without CUDA. */
#include "backend/backend.h"
#include "backend/cuda/refusal.h"

static const char *unavailable_reason(void)
{
    return "this build has no CUDA: build it on a machine with nvcc and a GPU, or with nvcc and "
           "-DCMAKE_CUDA_ARCHITECTURES";
}

static const char *isa(void)
{
    return "";
}

const struct shepard_backend_table shepard_backend_cuda = {
    .backend = SHEPARD_BACKEND_CUDA,
    .name = "cuda",
    .unavailable_reason = unavailable_reason,
    .isa = isa,
    .refusal = shepard_cuda_refusal,
};
