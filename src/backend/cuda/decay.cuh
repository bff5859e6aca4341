/* SPDX-License-Identifier: MIT */
/* Weights of distances in double, as kernel/decay.h. */
#ifndef SHEPARD_BACKEND_CUDA_DECAY_CUH
#define SHEPARD_BACKEND_CUDA_DECAY_CUH

#include "backend/cuda/ratio_power.cuh"

extern "C" {
#include "kernel/sums.h"
}

namespace shepard
{

/* Eq. 8 of docs/math.md; decay.unit2 > 0. */
__device__ inline double weight_at(const shepard_decay &decay, double d2)
{
    const double r2 = d2 + decay.smoothing2, u = decay.unit2 / r2;
    if (decay.power == 2)
        return u;
    if (decay.power == 1)
        return sqrt(u);
    if (decay.power == 3)
        return u * sqrt(u);
    if (decay.power == 4)
        return u * u;
    return power_of_ratio(decay.power / 2, decay.unit2, r2);
}

} // namespace shepard

#endif
