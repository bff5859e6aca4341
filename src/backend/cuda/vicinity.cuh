/* SPDX-License-Identifier: MIT */
/* What the k nearest of all points tell of each target of a chunk. */
#ifndef SHEPARD_BACKEND_CUDA_VICINITY_CUH
#define SHEPARD_BACKEND_CUDA_VICINITY_CUH

#include "backend/cuda/cloud.cuh"

extern "C" {
#include "backend/cuda/refusal.h"
#include "core/rules.h"
}

#include <cuda_runtime.h>

namespace shepard
{

/* Each [m], in the targets' order; not set for targets that are not finite. */
struct vicinity {
    double *nearest2; /* squared distance of the nearest point, frame units */
    double *alpha;    /* the power */
    double *weight;   /* sum of q w over the k nearest, w beside that of the very nearest place; 0
                       * where nearest2 + smoothing2 is 0; nullptr: not wanted */
    double *weight2;  /* sum of its square; nullptr: not wanted */
};

/* The most neighbours that the device looks for: more are left to the processor. */
constexpr int neighbours_max = SHEPARD_CUDA_NEIGHBOURS;

/* Fills in what is wanted, for k = rules.adapt.k where rules.adaptive, else 1: asynchronous. */
void find_vicinity(const cloud_view &cloud, const target_view &targets, const shepard_rules &rules,
                   const vicinity &to, cudaStream_t stream);

} // namespace shepard

#endif
