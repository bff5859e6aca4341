/* SPDX-License-Identifier: MIT */
/* Predictions from a neighbourhood, and the k nearest points. Mirrors backend/cpu/neighbourhood.c.
 */
#ifndef SHEPARD_BACKEND_CUDA_NEIGHBOURHOOD_CUH
#define SHEPARD_BACKEND_CUDA_NEIGHBOURHOOD_CUH

#include "backend/cuda/output.cuh"
#include "backend/cuda/points_view.cuh"

extern "C" {
#include "core/rules.h"
}

#include <cuda_runtime.h>

namespace shepard
{

/* Results of all targets, those that are not finite included: asynchronous. frame_scale: frame
 * units a user's unit. */
void predict_local(const points_view &points, const target_view &targets,
                   const shepard_rules &rules, double frame_scale, const outputs &out,
                   cudaStream_t stream);

/* The same in space, or on a sphere; planes only there. */
void predict_local(const space_points_view &points, const space_target_view &targets,
                   const shepard_rules &rules, double frame_scale, const outputs &out,
                   cudaStream_t stream);

/* indices, distances [m, k] at the targets' places, as shepard_nearest gives them, k >= 1,
 * at most neighbours_max; either may be nullptr. distances are of frame units over frame_scale;
 * where a target is at 2^239 or more (shepard_geometry_distances) the caller corrects them. */
void find_nearest(const points_view &points, const target_view &targets, int k, double frame_scale,
                  std::uint32_t *indices, double *distances, cudaStream_t stream);
void find_nearest(const space_points_view &points, const space_target_view &targets, int k,
                  double frame_scale, std::uint32_t *indices, double *distances,
                  cudaStream_t stream);

} // namespace shepard

#endif
