/* SPDX-License-Identifier: MIT */
/* Arithmetic of sums in float32 and in double, one name for both. */
#ifndef SHEPARD_BACKEND_CUDA_REALS_CUH
#define SHEPARD_BACKEND_CUDA_REALS_CUH

#include "cuda/arithmetic.cuh"
#include "cuda/special.cuh"

namespace shepard
{

__device__ __forceinline__ float real_inverse(float a)
{
    return reciprocal(a);
}

/* Of a normal number with a normal inverse: off by 1.1 v, v = 2^-53, as its last step is fused. */
__device__ __forceinline__ double real_inverse(double a)
{
    double inverse;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(a)); /* off by 2^-20 */
    const double off = fma(-a, inverse, 1.0);
    return fma(inverse, fma(off, off, off), inverse);
}

/* Where a cell's places are counted from, and in what unit. */
struct anchor {
    double x, y;
    double scale; /* a power of two */
};

/* A place seen from the anchor. In float32 two numbers for each coordinate, the second the
 * rounding error of the first: the difference of two places is as exact as its own rounding. */
template <class Real> struct spot;

template <> struct __align__(16) spot<float>
{
    float x, y, x_low, y_low;

    __device__ static spot at(const anchor &from, double x, double y)
    {
        const double dx = (x - from.x) * from.scale, dy = (y - from.y) * from.scale;
        const float fx = (float)dx, fy = (float)dy;
        return {fx, fy, (float)(dx - (double)fx), (float)(dy - (double)fy)};
    }
};

template <> struct __align__(16) spot<double>
{
    double x, y;

    __device__ static spot at(const anchor &from, double x, double y)
    {
        return {(x - from.x) * from.scale, (y - from.y) * from.scale};
    }
};

__device__ __forceinline__ float across(const spot<float> &a, const spot<float> &b)
{
    return __fadd_rn(__fsub_rn(a.x, b.x), __fsub_rn(a.x_low, b.x_low));
}

__device__ __forceinline__ float along(const spot<float> &a, const spot<float> &b)
{
    return __fadd_rn(__fsub_rn(a.y, b.y), __fsub_rn(a.y_low, b.y_low));
}

__device__ __forceinline__ double across(const spot<double> &a, const spot<double> &b)
{
    return a.x - b.x;
}

__device__ __forceinline__ double along(const spot<double> &a, const spot<double> &b)
{
    return a.y - b.y;
}

/* Four numbers of an array that is aligned to them. */
__device__ __forceinline__ void read_four(const float *from, float *to)
{
    const float4 four = *reinterpret_cast<const float4 *>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

__device__ __forceinline__ void read_four(const float *from, double *to)
{
    float four[4];
    read_four(from, four);
#pragma unroll
    for (int i = 0; i < 4; i++)
        to[i] = (double)four[i];
}

__device__ __forceinline__ void read_four(const double *from, double *to)
{
    const double2 low = *reinterpret_cast<const double2 *>(from);
    const double2 high = *(reinterpret_cast<const double2 *>(from) + 1);
    to[0] = low.x;
    to[1] = low.y;
    to[2] = high.x;
    to[3] = high.y;
}

__device__ __forceinline__ void write_four(const float *from, float *to)
{
    *reinterpret_cast<float4 *>(to) = make_float4(from[0], from[1], from[2], from[3]);
}

__device__ __forceinline__ void write_four(const double *from, float *to)
{
    *reinterpret_cast<float4 *>(to) =
        make_float4((float)from[0], (float)from[1], (float)from[2], (float)from[3]);
}

__device__ __forceinline__ void write_four(const double *from, double *to)
{
    reinterpret_cast<double2 *>(to)[0] = make_double2(from[0], from[1]);
    reinterpret_cast<double2 *>(to)[1] = make_double2(from[2], from[3]);
}

} // namespace shepard

#endif
