/* SPDX-License-Identifier: MIT */
/* Predictions from a neighbourhood, and the k nearest points. */
#ifndef SHEPARD_BACKEND_CUDA_LOCAL_CUH
#define SHEPARD_BACKEND_CUDA_LOCAL_CUH

#include "backend/cuda/cloud.cuh"
#include "backend/cuda/outputs.cuh"

extern "C" {
#include "core/rules.h"
}

#include <cuda_runtime.h>

namespace shepard
{

/* Results of all targets, those that are not finite included: asynchronous. frame_scale: frame
 * units a user's unit. */
void predict_local(const cloud_view &cloud, const target_view &targets, const shepard_rules &rules,
                   double frame_scale, const outputs &out, cudaStream_t stream);

/* indices, distances [m, k] at the targets' places, as shepard_nearest gives them, k >= 1,
 * at most neighbours_max; either may be nullptr. distances are of frame units over frame_scale;
 * where a target is at 2^239 or more (shepard_geometry_distances) the caller corrects them. */
void find_nearest(const cloud_view &cloud, const target_view &targets, int k, double frame_scale,
                  std::uint32_t *indices, double *distances, cudaStream_t stream);

} // namespace shepard

#endif
