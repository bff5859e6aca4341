/* SPDX-License-Identifier: MIT */
/* What a block does to expand nodes about the middle of a cell, for sums of planes (Eq. 48 of
 * docs/math.md). */
#ifndef SHEPARD_BACKEND_CUDA_PLANE_EXPANSION_KERNELS_CUH
#define SHEPARD_BACKEND_CUDA_PLANE_EXPANSION_KERNELS_CUH

#include "backend/cuda/plane_expansion.cuh"
#include "backend/cuda/plane_moments.cuh"

namespace shepard
{

constexpr int expansion_warps = 4, expansion_threads = 32 * expansion_warps;

/* Nodes of a warp at a time: a lane takes a set of one of them. Of so many the warp finds out first
 * how the cell sees them. */
constexpr int slots = 32 / plane_sets, views_most = 10 * slots;

constexpr int numbers_most = SHEPARD_TERMS(plane_order);
constexpr int moments_most = moments_apart(plane_order + degrees_more);

/* Numbers of a node's sets, and what brings those of the next to other banks. */
constexpr int slot_pitch = numbers_most * plane_sets + 10;
static_assert(slot_pitch % 16 == plane_sets, "nodes follow on each other");

/* ---- what each moment counts in each coefficient --------------------------------------------- */

/* With S(l, i) = (lambda)_i (lambda)_(l - i), the moments times 1 / (a! b!) and the coefficients
 * times p! q!: S(l, p + a) +- S(l, p + b), l = p + q + a + b. S does not change where l - i stands
 * for i, so that few numbers are left, which the constants' cache holds. */
struct product_table {
    static constexpr int count = smooth_numbers(plane_order);
    double sum[count], difference[count]; /* at smooth_at(l, j) + i: of i and j, i <= j <= l / 2 */
};

inline product_table table_of(double power)
{
    product_table table = {};
    for (int l = 0; l <= plane_order; l++)
        for (int j = 0; 2 * j <= l; j++)
            for (int i = 0; i <= j; i++) {
                const auto s = [&](int n) {
                    return rising(power / 2, n) * rising(power / 2, l - n);
                };
                table.sum[smooth_at(l, j) + i] = s(i) + s(j);
                table.difference[smooth_at(l, j) + i] = s(i) - s(j);
            }
    return table;
}

/* What a moment's or a coefficient's numbers are multiplied with beside these. All sums are doubled
 * there: with m > 0 the numbers stand for two terms, with m = 0 S is added to itself, which the
 * half undoes. */
__device__ inline double factor_of_moment(const term_pair &pair)
{
    return 1 / (factorial(pair.m + pair.k) * factorial(pair.k));
}
__device__ inline double factor_of_coefficient(const term_pair &pair)
{
    return (pair.m == 0 ? 0.5 : pair.m % 2 == 0 ? 1 : -1) * factor_of_moment(pair);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A node as the middle of a cell sees it. */
struct node_from_cell {
    double re, im, h;             /* rho X / R^2, (rho / R)^2 */
    double weight;                /* at its centre, over 2^exponent */
    double out_re, out_im, out_h; /* X / R^2 and 1 / R^2, lengths in the anchor's unit */
    offset_of_node offset;        /* from the sums' origin */

    __device__ static node_from_cell of(const far_node &node, const anchor &middle,
                                        const spot<double> &origin, double lambda, double exponent)
    {
        const double dx = middle.x - node.x, dy = middle.y - node.y, r2 = dx * dx + dy * dy;
        const double inverse = 1 / r2, part = node.scale * inverse, unit = inverse / middle.scale;
        return {part * dx,
                part * dy,
                node.scale * part,
                exp2_in_double(-exponent - lambda * log2(r2)),
                unit * dx,
                unit * dy,
                unit / middle.scale,
                {node.x - origin.x, node.y - origin.y, number_length * node.scale}};
    }
};

struct expansion_room {
    node_from_cell view[views_most];
    alignas(16) double moments[slots][2 * moments_most];
    double turned[slots * slot_pitch]; /* [slots, numbers, sets] */
};

/* base^n, n < 2^Bits. */
template <int Bits, class Number, class Times>
__device__ __forceinline__ Number power_of(Number base, int n, Number one, const Times &times)
{
    Number power = n % 2 != 0 ? base : one;
#pragma unroll
    for (int bit = 2; bit < 1 << Bits; bit *= 2) {
        base = times(base, base);
        power = (n & bit) != 0 ? times(power, base) : power;
    }
    return power;
}

/* ---- groups ---------------------------------------------------------------------------------- */

struct plane_expansion {
    const all_points_job &total;
    const product_table &table;
    const far_view<double> &far;
    expansion_room &own;
    const std::uint32_t *nodes;
    int listed;
    term_pair pair; /* that the lane prepares */
    double factor;

    static constexpr int at_once = slots * expansion_warps;

    /* The first of the warp's nodes of a turn. */
    __device__ int first_of(int turn) const
    {
        return turn * at_once + (int)threadIdx.x / 32 * slots;
    }

    __device__ void fetch(int turn) const
    {
        const int first = first_of(turn);
        for (int slot = 0; slot < slots && first + slot < listed; slot++)
            fetch_moments(total, far, nodes[first + slot], moments_most, own.moments[slot]);
        __pipeline_commit();
    }

    /* Looks at the nodes of this turn and some that follow, each lane at one. */
    __device__ void look_at_nodes(int turn, const anchor &middle, double lambda,
                                  double exponent) const
    {
        const int lane = (int)threadIdx.x % 32;
        const int number = first_of(turn + lane / slots) + lane % slots;
        if (lane < views_most && number < listed)
            own.view[lane] = node_from_cell::of(far.nodes[nodes[number]], middle,
                                                origin_of(total.plane, middle), lambda, exponent);
    }

    /* Numbers of a node's sets, turned so that the middle lies on the real axis, times its weight.
     */
    __device__ void turn_numbers(const node_from_cell &view, int slot) const
    {
        if ((int)threadIdx.x % 32 >= pairs_most)
            return;
        term_numbers numbers = numbers_of(own.moments[slot], moments_most, total.columns > 0, pair);
        move_sums(view.offset, numbers.of);
        const auto times = [](double a, double b) { return a * b; };
        const double size = view.weight * factor * power_of<3>(view.h, pair.k, 1.0, times);
        complex_number turn =
            power_of<4>(complex_number{view.re, view.im}, pair.m, complex_number{1, 0}, product);
        turn = {turn.re * size, turn.im * size};
        double *const to =
            own.turned + slot * slot_pitch + moment_at(pair.m + 2 * pair.k, pair.k) * plane_sets;
#pragma unroll
        for (int set = 0; set < plane_sets; set++) {
            const complex_number &one = numbers.of[set];
            to[set] = real_fma(one.re, turn.re, one.im * turn.im);
            if (pair.m > 0)
                to[plane_sets + set] = real_fma(one.im, turn.re, -(one.re * turn.im));
        }
    }

    /* Adds what a lane's set gives to the coefficients of the powers From ... To - 1 of the
     * middle's direction; out: that to the power of From, then To. */
    template <int From, int To>
    __device__ __forceinline__ void add_powers(const node_from_cell &view, const double *turned,
                                               complex_number &out,
                                               double (&sums)[numbers_most]) const
    {
        double re[To - From][plane_order / 2 + 1] = {}, im[To - From][plane_order / 2 + 1] = {};
#pragma unroll
        for (int degree = 0; degree <= plane_order - From; degree++)
#pragma unroll
            for (int b = 0; 2 * b <= degree; b++) {
                const double first = turned[moment_at(degree, b) * plane_sets];
                const double second =
                    2 * b < degree ? turned[(moment_at(degree, b) + 1) * plane_sets] : 0;
#pragma unroll
                for (int m = From; m < To; m++)
#pragma unroll
                    for (int q = 0; m + 2 * q + degree <= plane_order; q++) {
                        const int l = m + 2 * q + degree;
                        const int ahead = min(m + q + degree - b, q + b);
                        const int back = min(m + q + b, q + degree - b);
                        const int at = smooth_at(l, max(ahead, back)) + min(ahead, back);
                        re[m - From][q] = real_fma(table.sum[at], first, re[m - From][q]);
                        if (m > 0 && 2 * b < degree)
                            im[m - From][q] = real_fma(ahead < back ? table.difference[at]
                                                                    : -table.difference[at],
                                                       second, im[m - From][q]);
                    }
            }
#pragma unroll
        for (int m = From; m < To; m++) {
            complex_number scaled = out;
#pragma unroll
            for (int q = 0; m + 2 * q <= plane_order; q++) {
                double *const sum = sums + moment_at(m + 2 * q, q);
                const double a = re[m - From][q], b = im[m - From][q];
                if (m > 0) {
                    sum[0] = real_fma(scaled.re, a, real_fma(scaled.im, b, sum[0]));
                    sum[1] = real_fma(scaled.im, a, real_fma(-scaled.re, b, sum[1]));
                } else {
                    sum[0] = real_fma(scaled.re, a, sum[0]);
                }
                scaled = {scaled.re * view.out_h, scaled.im * view.out_h};
            }
            out = product(out, {view.out_re, view.out_im});
        }
    }

    /* The warp's nodes: lane 9 i + j sums set j of every third. */
    __device__ __forceinline__ void add_nodes(const anchor &middle, double lambda, double exponent,
                                              double (&sums)[numbers_most]) const
    {
        const int lane = (int)threadIdx.x % 32, slot = lane / plane_sets;
        fetch(0);
#pragma unroll 1
        for (int turn = 0; first_of(turn) < listed; turn++) {
            const int there = min(listed - first_of(turn), slots);
            const int viewed = turn % (views_most / slots);
            if (viewed == 0)
                look_at_nodes(turn, middle, lambda, exponent);
            __pipeline_wait_prior(0);
            __syncwarp();
#pragma unroll
            for (int i = 0; i < slots; i++) /* of those that are not there, too */
                turn_numbers(own.view[viewed * slots + i], i);
            __syncwarp();
            fetch(turn + 1);
            if (slot < there) {
                const node_from_cell &view = own.view[viewed * slots + slot];
                const double *const turned = own.turned + slot * slot_pitch + lane % plane_sets;
                complex_number out = {1, 0};
                add_powers<0, 2>(view, turned, out, sums);
                add_powers<2, 4>(view, turned, out, sums);
                add_powers<4, 7>(view, turned, out, sums);
                add_powers<7, plane_order + 1>(view, turned, out, sums);
            }
            __syncwarp();
        }
    }

    /* Sums of the warp's slots, in its first lanes; to its room: [numbers, sets]. */
    __device__ __forceinline__ void gather(const double (&sums)[numbers_most]) const
    {
        const int lane = (int)threadIdx.x % 32;
        static_assert(slots == 3, "sums of other slots");
#pragma unroll
        for (int i = 0; i < numbers_most; i++) {
            const double second = __shfl_down_sync(whole_warp, sums[i], plane_sets);
            const double third = __shfl_down_sync(whole_warp, sums[i], 2 * plane_sets);
            if (lane < plane_sets)
                own.turned[i * plane_sets + lane] = real_sum(real_sum(sums[i], second), third);
        }
    }
};

/* The sums of all warps. */
__device__ inline void keep_coefficients(const expansion_room *room, plane_terms &to)
{
    for (int i = (int)threadIdx.x; i < pairs_most * plane_sets; i += expansion_threads) {
        const term_pair pair = pair_of(i / plane_sets);
        const int set = i % plane_sets, first = moment_at(pair.m + 2 * pair.k, pair.k);
        const double factor = factor_of_coefficient(pair);
        double *const at = to.at(set, pair.m, pair.k);
        for (int part = 0; part < 2; part++) {
            double sum = 0;
            for (int warp = 0; (pair.m > 0 || part == 0) && warp < expansion_warps; warp++)
                sum += room[warp].turned[(first + part) * plane_sets + set];
            at[part] = factor * sum;
        }
    }
}

/* What a group's nodes make, by a block; exponent: log2 of what weights are over, of a unit of 1.
 * Room for each of its warps. */
__device__ __forceinline__ void
expand_nodes(const all_points_job &total, const product_table &table, const far_view<double> &far,
             const std::uint32_t *nodes, int listed, const anchor &middle, double power,
             double exponent, expansion_room *room, plane_terms &to)
{
    const term_pair pair = pair_of(min((int)threadIdx.x % 32, pairs_most - 1));
    const double twice = number_factor * (pair.m > 0 ? 2 : 1);
    const plane_expansion work = {total, table,  far,  room[threadIdx.x / 32],
                                  nodes, listed, pair, twice * factor_of_moment(pair)};
    double sums[numbers_most] = {};
    work.add_nodes(middle, power / 2, exponent, sums);
    work.gather(sums);
    __syncthreads();
    keep_coefficients(room, to);
}

} // namespace shepard

#endif
