/* SPDX-License-Identifier: MIT */
/* The special units' functions in float32, with the errors that NVIDIA's PTX manual states. */
#ifndef SHEPARD_CUDA_SPECIAL_CUH
#define SHEPARD_CUDA_SPECIAL_CUH

namespace shepard
{

/* 2^-22 absolute in (0.5, 2), relative elsewhere; -inf at 0. */
__device__ inline float log2_approximate(float a)
{
    float result;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
    return result;
}

/* 2^-22 relative; 0 below 2^-126. */
__device__ inline float exp2_approximate(float a)
{
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
    return result;
}

/* One unit in the last place; inf at 0. */
__device__ inline float reciprocal(float a)
{
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
    return result;
}

} // namespace shepard

#endif
