/* SPDX-License-Identifier: MIT */
/* Expansions of far nodes made into one about the middle of a group's cell (docs/math.md, Eq. 48
 * and 49), which all members of a group of one power share. Its coefficients stand as the moments
 * of kernel/node.h do, and are summed as those of a node of weight 1, at the place that is counted
 * from the middle. */
#ifndef SHEPARD_BACKEND_CUDA_LOCAL_EXPANSION_CUH
#define SHEPARD_BACKEND_CUDA_LOCAL_EXPANSION_CUH

#include "backend/cuda/interactions.cuh"
#include "backend/cuda/sums.cuh"

namespace shepard
{

/* Degrees of a node's moment and of a coefficient come to at most this together. */
constexpr int local_order = SHEPARD_ORDER(far_orders_single - 1);
static_assert(SHEPARD_TERMS(local_order) == local_coefficients, "lists keep other numbers");

/* What each moment counts in each coefficient, but for angles and distances, in the order of
 * add_node's loops. */
struct local_table {
    static constexpr int count = 170;
    float number[count];
};

local_table local_table_of(double power);

/* As many numbers, of moments or coefficients. */
__device__ __forceinline__ void read_local(const float *from, float *to)
{
#pragma unroll
    for (int i = 0; i < local_coefficients; i += 4)
        read_four(from + i, to + i);
}

/* A node as the middle of a cell sees it. */
struct local_node_geometry {
    seen<float> node; /* lengths over the node's radius; the weight at its centre */
    float re, im, h;  /* X / R^2 and 1 / R^2, lengths in the anchor's unit */
};

/* 2^a, off by 2^-22 of itself. */
__device__ __forceinline__ float exp2_of(double a)
{
    const double whole = rint(fmin(fmax(a, -1000.0), 1000.0));
    return ldexpf(exp2_approximate((float)(a - whole)), (int)whole);
}

/* exponent: log2 of what a distance of 1, in the frame's unit, weighs. */
__device__ __forceinline__ local_node_geometry see_from(const anchor &middle, const far_node &node,
                                                        double lambda, double exponent)
{
    const double dx = middle.x - node.x, dy = middle.y - node.y, r2 = dx * dx + dy * dy;
    const double inverse = 1 / r2, part = node.scale * inverse, unit = inverse / middle.scale;
    return {{(float)(part * dx), (float)(part * dy), (float)(node.scale * part),
             exp2_of(exponent - lambda * log2(r2))},
            (float)(unit * dx),
            (float)(unit * dy),
            (float)(unit / middle.scale)};
}

/* Turns a node's moments so that the middle lies on the real axis, and takes them over R. */
__device__ __forceinline__ void turn_moments(const seen<float> &node, float *moments)
{
    const powers<float, local_order> of = powers_of<float, local_order>(node);
    float h = 1;
#pragma unroll
    for (int k = 0; 2 * k <= local_order; k++) {
#pragma unroll
        for (int m = local_order - 2 * k; m > 0; m--) {
            float *const at = moments + moment_at(m + 2 * k, k);
            const float re = of.re[m] * h, im = of.im[m] * h, own = at[0];
            at[0] = real_fma(own, re, at[1] * im);
            at[1] = real_fma(at[1], re, -(own * im));
        }
        moments[moment_at(2 * k, k)] *= h;
        h *= node.h;
    }
}

/* Adds what a node of these moments gives to the coefficients. */
__device__ __forceinline__ void add_node(const local_table &table,
                                         const local_node_geometry &geometry, float *moments,
                                         float *coefficients)
{
    turn_moments(geometry.node, moments);
    const powers<float, local_order> of =
        powers_of<float, local_order>({geometry.re, geometry.im, geometry.h, 1});
    float weight = geometry.node.weight;
    int next = 0;
#pragma unroll
    for (int q = 0; 2 * q <= local_order; q++) {
#pragma unroll
        for (int m = local_order - 2 * q; m >= 0; m--) {
            float re = 0, im = 0;
#pragma unroll
            for (int degree = local_order - 2 * q - m; degree >= 0; degree--)
#pragma unroll
                for (int b = 0; 2 * b <= degree; b++) {
                    const float *const own = moments + moment_at(degree, b);
                    re = real_fma(table.number[next++], own[0], re);
                    if (m > 0 && 2 * b < degree)
                        im = real_fma(table.number[next++], own[1], im);
                }
            float *const to = coefficients + moment_at(m + 2 * q, q);
            re *= weight;
            im *= weight;
            if (m > 0) {
                to[0] = real_fma(of.re[m], re, real_fma(of.im[m], im, to[0]));
                to[1] = real_fma(of.im[m], re, real_fma(-of.re[m], im, to[1]));
            } else {
                to[0] += re;
            }
        }
        weight *= geometry.h;
    }
}

/* The sum that coefficients make at a place. */
__device__ __forceinline__ float sum_at(const spot<float> &place, const float *coefficients)
{
    const float h = real_fma(place.x, place.x, place.y * place.y);
    return sum_factored<float, local_order>(powers_of<float, local_order>({place.x, place.y, h, 1}),
                                            h, coefficients);
}

/* For groups that have listed nodes for it: asynchronous. */
void expand_locally(const all_points_job &job, const group_list &groups, const list_view &lists,
                    const far_view<float> &far, cudaStream_t stream);

} // namespace shepard

#endif
