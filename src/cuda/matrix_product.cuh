/* SPDX-License-Identifier: MIT */
/* Products of small matrices in double, spread over the lanes of a warp: what the tensor units of
 * compute capability 8.0 compute, with the bits of fused multiply-adds one after the other
 * (tests/cuda/test_products.cu). */
#ifndef SHEPARD_CUDA_MATRIX_PRODUCT_CUH
#define SHEPARD_CUDA_MATRIX_PRODUCT_CUH

namespace shepard
{

/* c += a b. Lane l has a number of a, 8 x 4, in row l / 4 and column l % 4; one of b, 4 x 8, in row
 * l % 4 and column l / 4; and two of c, 8 x 8, in row l / 4 from column 2 (l % 4) on. */
__device__ __forceinline__ void add_product(double a, double b, double (&c)[2])
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a), "d"(b));
}

/* Two of one b: in the time of one from compute capability 9.0 on. */
__device__ __forceinline__ void add_two_products(double first_a, double second_a, double b,
                                                 double (&first_c)[2], double (&second_c)[2])
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(first_c[0]), "+d"(first_c[1]), "+d"(second_c[0]), "+d"(second_c[1])
                 : "d"(first_a), "d"(second_a), "d"(b));
#else
    add_product(first_a, b, first_c);
    add_product(second_a, b, second_c);
#endif
}

} // namespace shepard

#endif
