/* SPDX-License-Identifier: MIT */
/* Kriging on a GPU: a thread solves the system of a target in double; those that double does not
 * solve well are solved one by one by the host. Mirrors backend/cpu/kriging.h. */
#ifndef SHEPARD_BACKEND_CUDA_KRIGING_CUH
#define SHEPARD_BACKEND_CUDA_KRIGING_CUH

#include "backend/cuda/output.cuh"
#include "backend/cuda/points_view.cuh"
#include "backend/cuda/stage_timer.cuh"

extern "C" {
#include "core/rules.h"
}

namespace shepard
{

/* Results of all targets, those that are not finite included, from neighbourhoods that are not all
 * points: waits for the stream. facts: of the points. */
void krige(const points_view &points, const target_view &targets, const shepard_rules &rules,
           const shepard_geometry &facts, const outputs &out, const stream &in, stage_timer &clock);

/* The same in space, or on a sphere: covariances go by straight lines. Not universal. */
void krige(const space_points_view &points, const space_target_view &targets,
           const shepard_rules &rules, const shepard_geometry &facts, const outputs &out,
           const stream &in, stage_timer &clock);

} // namespace shepard

#endif
