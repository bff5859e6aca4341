/* SPDX-License-Identifier: MIT */
/* Powers of ratios of doubles by the special units of float32, which leave the units for double to
 * others: for weights of which a tolerance asks less than double (docs/math/gpu.md, Planes). The
 * error does not grow with the ratio. */
#ifndef SHEPARD_BACKEND_CUDA_COARSE_POWER_CUH
#define SHEPARD_BACKEND_CUDA_COARSE_POWER_CUH

#include "cuda/special.cuh"

namespace shepard
{

/* The largest lambda. */
constexpr double coarse_lambda_most = 4;

/* What a power is off by at most, relative. */
constexpr double coarse_power_error(double lambda)
{
    return (9.5 * lambda + 5) * 0x1p-24;
}

/* (a / b)^lambda of one a and lambda. */
class coarse_power
{
  public:
    coarse_power() = default;
    /* a: normal. */
    __device__ coarse_power(double lambda, double a)
    {
        high_ = (float)__hiloint2double(__double2hiint(lambda) & ~0x1ff, 0);
        low_ = (float)(lambda - (double)high_);
        lambda_ = (float)lambda;
        log_ = (float)log2(mantissa_of(a));
        exponent_ = __double2hiint(a) >> 20;
    }

    /* b: normal; 0 where the power is below some 2^-1000. */
    __device__ __forceinline__ double of(double b) const
    {
        const int high = __double2hiint(b);
        const int cut = (high & 0xfffff) << 3 | (int)((unsigned)__double2loint(b) >> 29);
        const float log = log2_approximate(__int_as_float(0x3f800000 | cut));
        const float apart = __fsub_rn(__int_as_float(magic_bits + exponent_ - (high >> 20)), magic);
        const float product = __fmul_rn(high_, apart); /* exact: 12 bits by 11 */
        const float moved = __fadd_rn(product, magic);
        const float whole = __fsub_rn(moved, magic);
        const float rest = __fmaf_rn(
            low_, apart, __fmaf_rn(lambda_, __fsub_rn(log_, log), __fsub_rn(product, whole)));
        const int bits = __float_as_int(exp2_approximate(rest));
        const int lift = __float_as_int(moved) - magic_bits + (1023 - 127);
        return product < -1000 ? 0 : __hiloint2double((bits >> 3) + (lift << 20), bits << 29);
    }

  private:
    /* Added to a number, rounds its fraction off; the integer is then in the last bits. */
    static constexpr float magic = 0x1.8p23f;
    static constexpr int magic_bits = 0x4b400000; /* its own */

    __device__ static double mantissa_of(double a)
    {
        return __hiloint2double((__double2hiint(a) & 0xfffff) | 0x3ff00000, __double2loint(a));
    }

    float high_, low_, lambda_; /* lambda's first 12 bits, and the rest */
    float log_;                 /* log2 of a's mantissa */
    int exponent_;              /* and a's, as it is stored */
};

} // namespace shepard

#endif
