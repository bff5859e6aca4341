/* SPDX-License-Identifier: MIT */
/* A call spread over devices, in chunks. */
#ifndef SHEPARD_BACKEND_CUDA_PREDICT_CUH
#define SHEPARD_BACKEND_CUDA_PREDICT_CUH

#include "backend/cuda/chunk.cuh"
#include "backend/cuda/crew.cuh"

namespace shepard
{

/* Runs a call to its end on devices, at least one; what goes wrong is thrown. Returns whether it
 * was cancelled. */
bool run_call(const std::vector<device_call> &devices, const call_view &call,
              const shepard_control *control, crew &helpers);

} // namespace shepard

#endif
