/* SPDX-License-Identifier: MIT */
/* Arithmetic that no compiler fuses or reorders, one name for float and double. */
#ifndef SHEPARD_CUDA_ARITHMETIC_CUH
#define SHEPARD_CUDA_ARITHMETIC_CUH

namespace shepard
{

/* a b + c, rounded once. */
__device__ __forceinline__ float real_fma(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}

__device__ __forceinline__ double real_fma(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

__device__ __forceinline__ float real_product(float a, float b)
{
    return __fmul_rn(a, b);
}

__device__ __forceinline__ double real_product(double a, double b)
{
    return __dmul_rn(a, b);
}

__device__ __forceinline__ float real_sum(float a, float b)
{
    return __fadd_rn(a, b);
}

__device__ __forceinline__ double real_sum(double a, double b)
{
    return __dadd_rn(a, b);
}

} // namespace shepard

#endif
