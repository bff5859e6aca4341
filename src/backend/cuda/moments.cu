/* SPDX-License-Identifier: MIT */
/* Mirrors core/moments.c. Leaves come first, a lane each; then level after level of nodes, a lane
 * for each child: two neighbours add up what they moved to their parent, or, of a leaf, collected
 * about its centre, which reads less than a leaf's moments are. Those of the other nodes are
 * written down in double for the next level, of as many charges at a time as there is room for. */
#include "backend/cuda/moments.cuh"
#include "backend/cuda/reals.cuh"
#include "cuda/launch.cuh"

extern "C" {
#include "core/circle.h"
#include "core/complex_table.h"
#include "kernel/batch.h"
}

#include <algorithm>
#include <cmath>

namespace shepard
{
namespace
{

constexpr int place_threads = 128;

constexpr std::size_t terms_of(int degree)
{
    return (std::size_t)SHEPARD_TERMS(degree);
}

constexpr int stride_of(int orders)
{
    return ((int)terms_of(2 * orders - 1) + 3) / 4 * 4;
}

/* Numbers of core/complex_table.h up to a degree. */
constexpr std::size_t table_size(int degree)
{
    std::size_t size = 0;
    for (int l = 0; l <= degree; l++) {
        const std::size_t even = (std::size_t)l / 2 + 1, odd = ((std::size_t)l + 1) / 2;
        size += even * even + odd * odd;
    }
    return size;
}

/* Real moments in the making, of a lane's node and one charge: of one degree more than the largest
 * order, for the last reach. */
template <int orders> struct real_moments {
    static constexpr int degree = 2 * orders;
    static constexpr int count = (int)terms_of(degree);

    double number[count]; /* by shepard_batch_at */

    __device__ double &at(int a, int b) { return number[shepard_batch_at(degree, a, b)]; }
    __device__ double at(int a, int b) const { return number[shepard_batch_at(degree, a, b)]; }
};

/* What is made, and all that a kernel needs for it. */
template <int orders, class Real> struct making {
    points_view points;
    cell_tree_view tree;
    charge_kind kind;
    far_view<Real> far;
    far_node *nodes;
    Real *moments;
    box *boxes;                               /* [nodes] */
    double *numbers;                          /* [charges at a time, numbers, count] */
    std::uint32_t count;                      /* of nodes that are no leaves */
    int charge;                               /* the first of those at a time */
    std::uint32_t first, end;                 /* a level's nodes */
    double table[table_size(2 * orders - 1)]; /* core/complex_table.h */

    __device__ double *numbers_of(std::uint32_t node) const
    {
        return numbers + (std::size_t)blockIdx.y * real_moments<orders>::count * count +
               (node - tree.leaves);
    }
};

/* ---- places ---------------------------------------------------------------------------------- */

__device__ box box_round(const box &a, const box &b)
{
    return {fmin(a.x_min, b.x_min), fmax(a.x_max, b.x_max), fmin(a.y_min, b.y_min),
            fmax(a.y_max, b.y_max)};
}

/* Centre and radius; the rest is 0. */
__device__ far_node place(const box &of, std::uint32_t below0, std::uint32_t below1)
{
    const shepard_circle circle = shepard_circle_round(of.x_min, of.x_max, of.y_min, of.y_max);
    far_node placed = {};
    placed.x = circle.x;
    placed.y = circle.y;
    placed.scale = circle.scale;
    placed.below[0] = below0;
    placed.below[1] = below1;
    return placed;
}

/* ---- from points ----------------------------------------------------------------------------- */

/* The points of a warp's leaves, one after the other, and one charge of them. */
struct staged {
    double x[fan * leaf_points], y[fan * leaf_points], charge[fan * leaf_points];

    __device__ double x_of(std::uint32_t i) const { return x[i]; }
    __device__ double y_of(std::uint32_t i) const { return y[i]; }
    __device__ double charge_of(std::uint32_t i) const { return charge[i]; }
};

__device__ double charge_of(const points_view &points, charge_kind kind, int charge,
                            std::size_t point)
{
    const double q = points.weights != nullptr ? points.weights[point] : 1;
    if (kind == charge_kind::squares)
        return q * q;
    if (charge == 0)
        return q;
    const int column = charge - 1;
    const double scale = points.scale[column];
    const double z = scale * points.values[(std::size_t)column * points.n + point] -
                     scale * points.middle[column];
    return kind == charge_kind::spread ? q * (z * z) : q * z;
}

/* One charge of the points where they are. */
struct charged {
    const points_view &points;
    charge_kind kind;
    int charge;

    __device__ double x_of(std::uint32_t i) const { return points.x[i]; }
    __device__ double y_of(std::uint32_t i) const { return points.y[i]; }
    __device__ double charge_of(std::uint32_t i) const
    {
        return shepard::charge_of(points, kind, charge, i);
    }
};

/* Points [first, end). */
__device__ void stage(const points_view &points, charge_kind kind, int charge, std::uint32_t first,
                      std::uint32_t end, staged *to)
{
    for (std::uint32_t i = threadIdx.x; i < end - first; i += fan) {
        to->x[i] = points.x[first + i];
        to->y[i] = points.y[first + i];
        to->charge[i] = charge_of(points, kind, charge, first + i);
    }
}

__device__ box box_of(const staged &points, std::uint32_t first, std::uint32_t count)
{
    box all = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (std::uint32_t i = first; i < first + count; i++)
        all = box_round(all, {points.x[i], points.x[i], points.y[i], points.y[i]});
    return all;
}

/* sum q (x / rho)^a (y / rho)^b of points [first, first + count), for the lane's node. */
template <int orders, class Points>
__device__ void collect(const Points &points, std::uint32_t first, std::uint32_t count,
                        const far_node &node, real_moments<orders> *sums)
{
    constexpr int degree = real_moments<orders>::degree;
    const double inverse = node.scale > 0 ? 1 / node.scale : 0;
#pragma unroll
    for (int t = 0; t < real_moments<orders>::count; t++)
        sums->number[t] = 0;
#pragma unroll 1
    for (std::uint32_t i = first; i < first + count; i++) {
        const double x = (points.x_of(i) - node.x) * inverse;
        const double y = (points.y_of(i) - node.y) * inverse;
        double power[degree + 1], along = points.charge_of(i); /* y^b, q x^a */
        power[0] = 1;
#pragma unroll
        for (int b = 1; b <= degree; b++)
            power[b] = power[b - 1] * y;
#pragma unroll
        for (int a = 0; a <= degree; a++) {
#pragma unroll
            for (int b = 0; b <= degree - a; b++)
                sums->at(a, b) += along * power[b];
            along *= x;
        }
    }
}

/* ---- from nodes to their parents ------------------------------------------------------------- */

/* Offset of a node's centre and its radius, over its parent's radius. */
struct step {
    double x, y, scale;
};

/* In a parent without extent: all 0. */
__device__ step step_of(const far_node &node, const far_node &parent)
{
    if (!(parent.scale > 0))
        return {0, 0, 0};
    const double inverse = 1 / parent.scale;
    return {(node.x - parent.x) * inverse, (node.y - parent.y) * inverse, node.scale * inverse};
}

/* Sums of (x / rho)^a (y / rho)^b become those of (d + s x / rho)^a ...: multiplied by powers of s,
 * then shifted along x, then along y. j passes add d times the number one power below to that of
 * power j, which makes the binomial sum; a number of degree l rounds l times for s and its powers,
 * 3 l times at most with offsets and ratios, and once a pass: l times (Eq. 33c has 6 l + 3). */
template <int orders> __device__ void translate(const step &by, real_moments<orders> *sums)
{
    constexpr int degree = real_moments<orders>::degree;
    double power = 1;
#pragma unroll
    for (int l = 1; l <= degree; l++) {
        power *= by.scale;
#pragma unroll
        for (int b = 0; b <= l; b++)
            sums->at(l - b, b) *= power;
    }
#pragma unroll
    for (int b = 0; b <= degree; b++)
#pragma unroll
        for (int pass = 1; pass <= degree - b; pass++)
#pragma unroll
            for (int a = degree - b; a >= pass; a--)
                sums->at(a, b) += by.x * sums->at(a - 1, b);
#pragma unroll
    for (int a = 0; a <= degree; a++)
#pragma unroll
        for (int pass = 1; pass <= degree - a; pass++)
#pragma unroll
            for (int b = degree - a; b >= pass; b--)
                sums->at(a, b) += by.y * sums->at(a, b - 1);
}

/* ---- to complex moments ---------------------------------------------------------------------- */

template <int orders, class Real>
__device__ void express(const real_moments<orders> &sums, const double *table, Real *to)
{
    constexpr int order = 2 * orders - 1;
    Real four[4];
    int row_at = 0, t = 0;
#pragma unroll
    for (int l = 0; l <= order; l++)
#pragma unroll
        for (int row = 0; row <= l; row++) {
            double sum = 0;
#pragma unroll
            for (int b = row % 2; b <= l; b += 2)
                sum += table[row_at++] * sums.at(l - b, b);
            four[t % 4] = (Real)sum;
            if (t % 4 == 3)
                write_four(four, to + (t - 3));
            t++;
        }
    if (t % 4 == 0)
        return;
#pragma unroll
    for (int i = 0; i < 4; i++)
        four[i] = i < t % 4 ? four[i] : 0;
    write_four(four, to + t / 4 * 4);
}

/* ---- reaches --------------------------------------------------------------------------------- */

/* M_0k: sum_i binomial(k, i) x^2(k - i) y^2i. */
template <int orders> __device__ double even_moment(const real_moments<orders> &sums, int k)
{
    double sum = sums.at(2 * k, 0), binomial = 1;
#pragma unroll
    for (int i = 1; i <= k; i++) {
        binomial = binomial * (k - i + 1) / i;
        sum += binomial * sums.at(2 * (k - i), 2 * i);
    }
    return sum;
}

/* whole: no mean radius but the radius itself. */
template <int orders>
__device__ void measure(const real_moments<orders> &sums, bool whole, far_node *node)
{
    const double scale = node->scale, total = fmax(sums.number[0], 0x1p-1022);
    const double rho = log2(fmax(scale, 0x1p-1022)), one = 1 / total;
    const float least = scale > 0 ? shepard_circle_least_mean_radius(scale) : 0;
    node->charge = (float)log2(total);
#pragma unroll
    for (int k = 1; k <= orders; k++) {
        const double part = whole ? 1 : fmax(even_moment(sums, k) * one, 0.0) + SHEPARD_BATCH_ERROR;
        const float mean_radius_log2 =
            (float)(rho + log2(part) * (0.5 / k) + SHEPARD_MEAN_RADIUS_MARGIN);
        node->mean_radius_log2[k - 1] =
            scale > 0 ? fmaxf(mean_radius_log2, least) : (float)SHEPARD_MEAN_RADIUS_NONE;
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A node with the moments of one charge; charge 0 tells the rest of it. */
template <int orders, class Real>
__device__ void keep(const making<orders, Real> &task, std::uint32_t number, far_node node,
                     const box &of, const real_moments<orders> &sums)
{
    const int charge = task.charge + (int)blockIdx.y;
    const std::size_t i = (std::size_t)number * (unsigned)task.far.charges + (unsigned)charge;
    express(sums, task.table, task.moments + i * (unsigned)task.far.stride);
    if (charge > 0)
        return;
    measure(sums, task.kind == charge_kind::planes, &node);
    task.nodes[number] = node;
    task.boxes[number] = of;
}

/* Block (i, c) makes leaves 32 i ... for the c-th charge of those at a time. */
template <int orders, class Real>
__global__ void __launch_bounds__(fan)
    make_leaves(const __grid_constant__ making<orders, Real> task)
{
    __shared__ staged points;
    const std::uint32_t first = blockIdx.x * fan, end = min(first + fan, task.tree.leaves);
    const std::uint32_t start = task.tree.first[first];
    stage(task.points, task.kind, task.charge + (int)blockIdx.y, start, task.tree.first[end],
          &points);
    __syncwarp();
    const std::uint32_t own = first + threadIdx.x;
    if (own >= end)
        return;
    const std::uint32_t begin = task.tree.first[own], count = task.tree.first[own + 1] - begin;
    const box of = box_of(points, begin - start, count);
    const far_node leaf = place(of, begin, count);
    real_moments<orders> sums;
    collect(points, begin - start, count, leaf, &sums);
    keep(task, own, leaf, of, sums);
}

/* For the next level. */
template <int orders, class Real>
__device__ void write_down(const making<orders, Real> &task, std::uint32_t node,
                           const real_moments<orders> &sums)
{
    double *const to = task.numbers_of(node);
#pragma unroll
    for (int t = 0; t < real_moments<orders>::count; t++)
        to[(std::size_t)t * task.count] = sums.number[t];
}

template <int orders, class Real>
__device__ void load(const making<orders, Real> &task, std::uint32_t node,
                     real_moments<orders> *sums)
{
    const double *const from = task.numbers_of(node);
#pragma unroll
    for (int t = 0; t < real_moments<orders>::count; t++)
        sums->number[t] = from[(std::size_t)t * task.count];
}

/* Nodes whose children are made, a lane for each child. */
template <int orders, class Real>
__global__ void __launch_bounds__(place_threads)
    make_nodes(const __grid_constant__ making<orders, Real> task)
{
    const std::uint32_t lane = blockIdx.x * place_threads + threadIdx.x;
    const std::uint32_t number = task.first + lane / 2;
    const bool mine = number < task.end;
    const uint2 below = task.tree.below[(mine ? number : task.first) - task.tree.leaves];
    const std::uint32_t own = lane % 2 == 0 ? below.x : below.y;
    const box of = box_round(task.boxes[below.x], task.boxes[below.y]);
    const far_node parent = place(of, below.x, below.y);
    real_moments<orders> sums;
    if (own < task.tree.leaves) {
        const std::uint32_t begin = task.tree.first[own];
        collect(charged{task.points, task.kind, task.charge + (int)blockIdx.y}, begin,
                task.tree.first[own + 1] - begin, parent, &sums);
    } else {
        load(task, own, &sums);
        translate(step_of(task.nodes[own], parent), &sums);
    }
#pragma unroll
    for (int t = 0; t < real_moments<orders>::count; t++)
        sums.number[t] += __shfl_xor_sync(whole_warp, sums.number[t], 1);
    if (!mine || lane % 2 != 0)
        return;
    keep(task, number, parent, of, sums);
    write_down(task, number, sums);
}

/* ---- on the host ----------------------------------------------------------------------------- */

/* Numbers that are written down for the next level: 256 MiB, or one charge's. A device's pool can
 * take a millisecond to put 700 together from pieces. */
constexpr std::size_t numbers_most = std::size_t{1} << 25;

/* What a far field is made of. */
template <class Real> struct plan {
    const points_view &points;
    const cell_tree &tree;
    charge_kind kind;
    const far_view<Real> &far;
    far_node *nodes;
    Real *moments;
    cudaStream_t stream;
};

template <int orders, class Real>
void make_charges(making<orders, Real> task, const cell_tree &tree, int charges,
                  cudaStream_t stream)
{
    const auto rows = (unsigned)charges;
    make_leaves<<<dim3(blocks_for(task.tree.leaves, fan), rows), fan, 0, stream>>>(task);
    for (int level = 1; level < tree.levels(); level++) {
        task.first = tree.level_end(level - 1);
        task.end = tree.level_end(level);
        const std::size_t lanes = 2 * (std::size_t)(task.end - task.first);
        make_nodes<<<dim3(blocks_for(lanes, place_threads), rows), place_threads, 0, stream>>>(
            task);
    }
    check_launch("moments of nodes");
}

template <class Real, int orders> void build(const plan<Real> &plan)
{
    const far_view<Real> &far = plan.far;
    const std::size_t count = plan.tree.nodes() - far.leaves;
    const std::size_t each = count * real_moments<orders>::count;
    const std::size_t room = numbers_most / std::max(each, std::size_t{1});
    const int charges = (int)std::min((std::size_t)far.charges, std::max(room, std::size_t{1}));
    const block<box> boxes(plan.tree.nodes(), plan.stream);
    const block<double> numbers(each * (unsigned)charges, plan.stream);
    making<orders, Real> task = {};
    task.points = plan.points;
    task.tree = plan.tree.view();
    task.kind = plan.kind;
    task.far = far;
    task.nodes = plan.nodes;
    task.moments = plan.moments;
    task.boxes = boxes.get();
    task.numbers = numbers.get();
    task.count = (std::uint32_t)count;
    shepard_complex_table(2 * orders - 1, task.table);
    for (; task.charge < far.charges; task.charge += charges)
        make_charges(task, plan.tree, std::min(charges, far.charges - task.charge), plan.stream);
}

} // namespace

template <class Real>
far_field<Real>::far_field(const points_view &points, const cell_tree &tree, charge_kind kind,
                           int orders, cudaStream_t stream)
    : kind_(kind), nodes_(tree.nodes(), stream)
{
    using builder = void (*)(const plan<Real> &);
    static constexpr builder builders[far_orders_max] = {build<Real, 1>, build<Real, 2>,
                                                         build<Real, 3>, build<Real, 4>,
                                                         build<Real, 5>, build<Real, 6>};
    view_.depth = tree.levels();
    view_.orders = orders;
    view_.leaves = tree.view().leaves;
    view_.nodes = nodes_.get();
    view_.top = tree.view().top;
    view_.charges = kind == charge_kind::squares ? 1 : 1 + points.columns;
    view_.stride = stride_of(orders);
    moments_ =
        block<Real>((std::size_t)tree.nodes() * (unsigned)(view_.charges * view_.stride), stream);
    view_.moments = moments_.get();
    builders[orders - 1]({points, tree, kind, view_, nodes_.get(), moments_.get(), stream});
}

template class far_field<float>;
template class far_field<double>;

} // namespace shepard
