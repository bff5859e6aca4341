/* SPDX-License-Identifier: MIT */
/* Expansions of far nodes made into one about the middle of a group's cell (docs/math.md, Eq. 48
 * to 49), which all members of a group of one power share. Its coefficients stand as the moments
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
 * add_node's loops: without smoothing. */
struct local_table {
    static constexpr int count = 170;
    float number[count];
};

/* With smoothing: numbers as smooth_number, the last of each sum times (l - k)! k!; what moments
 * and coefficients of the expansion count beside that, at pair_number(l, k). */
struct smoothed_table {
    static constexpr int pairs = pair_number(local_order + 1, 0);
    float number[smooth_numbers(local_order)];
    float of_moment[pairs], of_coefficient[pairs];
};

/* Fill a table for a power. */
void fill(double power, local_table *table);
void fill(double power, smoothed_table *table);

/* As many numbers, of moments or coefficients. */
__device__ __forceinline__ void read_local(const float *from, float *to)
{
#pragma unroll
    for (int i = 0; i < local_coefficients; i += 4)
        read_four(from + i, to + i);
}

/* 2^a, off by 2^-22 of itself. */
__device__ __forceinline__ float exp2_of(double a)
{
    const double whole = rint(fmin(fmax(a, -1000.0), 1000.0));
    return ldexpf(exp2_approximate((float)(a - whole)), (int)whole);
}

/* What a cell's nodes are seen from, and how: lengths in the frame's unit. */
struct cell_view {
    anchor middle;
    double lambda, exponent; /* half the power; log2 of what a distance of 1 weighs */
    double smoothing2;
};

/* A node as the middle of a cell sees it, X / R = e^(i phi) S^(1/2). */
struct local_node_geometry {
    seen<float> node; /* rho e^(i phi) / R and (rho / R)^2; the weight at its centre */
    float re, im, h;  /* e^(i phi) / R and 1 / R^2, lengths in the anchor's unit */
};

/* S = 1: what each moment counts is in the table. */
struct plain_node {
    using table_type = local_table;
    const table_type &table;
    local_node_geometry geometry;
    int next = 0;

    __device__ __forceinline__ plain_node(const local_table &from, const cell_view &view,
                                          const far_node &node)
        : table(from)
    {
        const double dx = view.middle.x - node.x, dy = view.middle.y - node.y;
        const double r2 = dx * dx + dy * dy, inverse = 1 / r2;
        const double part = node.scale * inverse, unit = inverse / view.middle.scale;
        geometry = {{(float)(part * dx), (float)(part * dy), (float)(node.scale * part),
                     exp2_of(view.exponent - view.lambda * log2(r2))},
                    (float)(unit * dx),
                    (float)(unit * dy),
                    (float)(unit / view.middle.scale)};
    }
    __device__ __forceinline__ float of_moment(int, int) const { return 1; }
    __device__ __forceinline__ float of_coefficient(int, int) const { return 1; }
    __device__ __forceinline__ float sum(int, int, int, int) { return table.number[next++]; }
    __device__ __forceinline__ float difference(int, int, int, int) { return table.number[next++]; }
};

/* What each moment counts is made from the table, S and 1 - S = sigma^2 / R^2. */
struct smoothed_node {
    using table_type = smoothed_table;
    const table_type &table;
    local_node_geometry geometry;
    float made[smoothed_table::pairs]; /* i! j! S^((i - j) / 2) beta_(i - j) j for i >= j */

    __device__ __forceinline__ smoothed_node(const smoothed_table &from, const cell_view &view,
                                             const far_node &node)
        : table(from)
    {
        const double dx = view.middle.x - node.x, dy = view.middle.y - node.y;
        const double d2 = dx * dx + dy * dy, r2 = d2 + view.smoothing2, inverse = rsqrt(r2);
        const bool is_apart = d2 > 0x1p-960; /* else S is 0, and any direction will do */
        const double turn = is_apart ? rsqrt(d2) : 0, size = node.scale * inverse;
        const double unit = inverse / view.middle.scale, re = is_apart ? dx * turn : 1;
        geometry = {{(float)(size * re), (float)(size * dy * turn), (float)(size * size),
                     exp2_of(view.exponent - view.lambda * log2(r2))},
                    (float)(unit * re),
                    (float)(unit * dy * turn),
                    (float)(unit * unit)};
        make((float)(d2 * turn * inverse), (float)(view.smoothing2 * inverse * inverse));
    }
    __device__ __forceinline__ float of_moment(int a, int b) const
    {
        return table.of_moment[pair_number(a + b, b)];
    }
    __device__ __forceinline__ float of_coefficient(int p, int q) const
    {
        return table.of_coefficient[pair_number(p + q, q)];
    }
    __device__ __forceinline__ float sum(int p, int q, int a, int b) const
    {
        return factor(p + a, q + b) + factor(p + b, q + a);
    }
    __device__ __forceinline__ float difference(int p, int q, int a, int b) const
    {
        return factor(p + a, q + b) - factor(p + b, q + a);
    }

  private:
    __device__ __forceinline__ float factor(int i, int j) const
    {
        return made[pair_number(i + j, min(i, j))];
    }
    __device__ __forceinline__ void make(float root, float smooth)
    {
        factors_smoothed<true, false, float, local_order> factors = {table.number, {}};
        factors.make<local_order>({root, 0, 1, 1, -smooth});
        float power = 1;
#pragma unroll
        for (int m = 0; m <= local_order; m++) {
#pragma unroll
            for (int k = 0; m + 2 * k <= local_order; k++)
                made[pair_number(m + 2 * k, k)] = power * factors.made[pair_number(m + 2 * k, k)];
            power *= root;
        }
    }
};

/* Turns a node's moments so that the middle lies on the real axis, and takes them over R. */
template <class Node> __device__ __forceinline__ void turn_moments(const Node &node, float *moments)
{
    const seen<float> &as = node.geometry.node;
    const powers<float, local_order> of = powers_of<float, local_order>(as);
    float h = 1;
#pragma unroll
    for (int k = 0; 2 * k <= local_order; k++) {
#pragma unroll
        for (int m = local_order - 2 * k; m > 0; m--) {
            float *const at = moments + moment_at(m + 2 * k, k);
            const float size = h * node.of_moment(m + k, k);
            const float re = of.re[m] * size, im = of.im[m] * size, own = at[0];
            at[0] = real_fma(own, re, at[1] * im);
            at[1] = real_fma(at[1], re, -(own * im));
        }
        moments[moment_at(2 * k, k)] *= h * node.of_moment(k, k);
        h *= as.h;
    }
}

/* Adds what a node of these moments gives to the coefficients. */
template <class Node>
__device__ __forceinline__ void add_node(Node &node, float *moments, float *coefficients)
{
    turn_moments(node, moments);
    const local_node_geometry &geometry = node.geometry;
    const powers<float, local_order> of =
        powers_of<float, local_order>({geometry.re, geometry.im, geometry.h, 1});
    float weight = geometry.node.weight;
#pragma unroll
    for (int q = 0; 2 * q <= local_order; q++) {
#pragma unroll
        for (int m = local_order - 2 * q; m >= 0; m--) {
            const int p = m + q;
            float re = 0, im = 0;
#pragma unroll
            for (int degree = local_order - 2 * q - m; degree >= 0; degree--)
#pragma unroll
                for (int b = 0; 2 * b <= degree; b++) {
                    const float *const own = moments + moment_at(degree, b);
                    re = real_fma(node.sum(p, q, degree - b, b), own[0], re);
                    if (m > 0 && 2 * b < degree)
                        im = real_fma(node.difference(p, q, degree - b, b), own[1], im);
                }
            float *const to = coefficients + moment_at(m + 2 * q, q);
            const float size = weight * node.of_coefficient(p, q);
            re *= size;
            im *= size;
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
