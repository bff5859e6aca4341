/* SPDX-License-Identifier: MIT */
/* A call spread over a model's devices, in chunks. */
#ifndef SHEPARD_BACKEND_CUDA_PREDICT_CUH
#define SHEPARD_BACKEND_CUDA_PREDICT_CUH

#include "backend/cuda/chunk.cuh"

namespace shepard
{

/* Runs a call to its end; what goes wrong is thrown. Returns whether it was cancelled. */
bool run_call(const shepard_engine &engine, const call_view &call, const shepard_control *control);

} // namespace shepard

#endif
