/* SPDX-License-Identifier: MIT */
/* Sums of planes as products of matrices: which are summed, of which terms, and where the numbers
 * of terms stand. */
#ifndef SHEPARD_BACKEND_CUDA_PLANE_TERMS_CUH
#define SHEPARD_BACKEND_CUDA_PLANE_TERMS_CUH

#include "backend/cuda/all_points.cuh"

namespace shepard
{

/* w, x, y, xx, xy, yy, z, zx, zy. The last does not fit in a product's eight columns. */
constexpr int plane_sets = plane_of_weights + plane_of_column;
constexpr int last_set = 8;
static_assert(last_set == plane_sets - 1, "a product has eight columns");

/* Of sums; two degrees more of the moments serve for x, y and their products (Eq. 35). */
constexpr int plane_order = SHEPARD_ORDER(far_orders_planes - 1);
constexpr int degrees_more = 2;

/* Pairs m, k of an order are those up to its degree, by degree. */
__host__ __device__ constexpr int pair_at(int m, int k)
{
    return pair_number(m + 2 * k, k);
}
constexpr int pairs_most = pair_number(plane_order + 1, 0);
static_assert(pairs_most <= 32, "a lane prepares a pair");

/* A product takes the terms m, k and m + 1, k of an even m, real and imaginary parts: its number.
 */
__host__ __device__ constexpr int step_at(int m, int k)
{
    return m / 2 * ((plane_order + 2) - m / 2) / 2 + k;
}
constexpr int steps_most = pairs_most / 2;

/* The numbers of terms as lanes take them, and what brings those of the next step to other banks.
 * The imaginary part of m = 0 is 0. */
constexpr int step_pitch = 33;

struct plane_terms {
    double step[steps_most * step_pitch]; /* [steps, sets, columns of a] of eight sets */
    double last[steps_most * 4];          /* [steps, columns of a] of the last set */

    /* Of a set's term m, k: the real part, before the imaginary part. */
    __device__ __forceinline__ double *at(int set, int m, int k)
    {
        const int step = step_at(m, k), column = m % 2 * 2;
        return set == last_set ? last + 4 * step + column
                               : this->step + step_pitch * step + 4 * set + column;
    }
    /* Sets what no term has. */
    __device__ void clear()
    {
        for (int i = 0; i < steps_most; i++) {
            for (int set = 0; set < last_set; set++)
                step[step_pitch * i + 4 * set + 1] = 0;
            last[4 * i + 1] = 0;
        }
    }
};

} // namespace shepard

#endif
