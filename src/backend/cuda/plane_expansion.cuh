/* SPDX-License-Identifier: MIT */
/* Expansions of far nodes made into one about the middle of a group's cell, as local_expansion.cuh
 * has them, for the nine sums of planes. Offsets in them are counted from one place for all targets
 * of the group; they are summed as a node is, by a product of matrices. */
#ifndef SHEPARD_BACKEND_CUDA_PLANE_EXPANSION_CUH
#define SHEPARD_BACKEND_CUDA_PLANE_EXPANSION_CUH

#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/reals.cuh"

extern "C" {
#include "base/arithmetic.h"
}

namespace shepard
{

/* What offsets are counted from: the data's nearest place to a cell's middle. */
__device__ inline spot<double> origin_of(const plane_pass &plane, const anchor &middle)
{
    return {shepard_clamp(middle.x, plane.box.x_min, plane.box.x_max),
            shepard_clamp(middle.y, plane.box.y_min, plane.box.y_max)};
}

/* For groups of one power that have listed nodes for it, of a column at most: asynchronous. */
void expand_planes(const sum_job &job, const far_view<double> &far, cudaStream_t stream);

} // namespace shepard

#endif
