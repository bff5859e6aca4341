/* SPDX-License-Identifier: MIT */
/* Mirrors core/moments.c. A warp starts from 32 neighbouring nodes, a lane each, and climbs five
 * levels: the lanes of one node all hold its moments, in registers, and get its sibling's by an
 * exchange. Lanes so do the same work up to 32 times; in return nothing is written down and read
 * again between levels: 360 bytes a node and charge for order 7. */
#include "backend/cuda/far.cuh"
#include "backend/cuda/reals.cuh"

extern "C" {
#include "core/circle.h"
#include "core/complex_table.h"
#include "kernel/batch.h"
}

#include <cmath>
#include <utility>

namespace shepard
{
namespace
{

constexpr unsigned all_lanes = 0xffffffffu;
constexpr int place_threads = 128;
constexpr unsigned grid_rows_max = 65535;

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

/* The nodes of a level and all that a kernel needs to climb from them. */
template <int orders, class Real> struct ascent {
    cloud_view cloud;
    charge_kind kind;
    far_view<Real> far;
    far_node *nodes;
    Real *moments;
    int level; /* of the lanes' nodes */
    /* [charges, numbers, nodes] of that level; nullptr: these are leaves */
    const double *from;
    /* The same five levels above; not used where there is none */
    double *to;
    double table[table_size(2 * orders - 1)]; /* core/complex_table.h */
};

/* ---- places ---------------------------------------------------------------------------------- */

/* The box of a node of the binary tree: that of at most fan siblings. */
__device__ box box_of(const cloud_view &cloud, int level, std::uint32_t i)
{
    const int at = min(level / fan_height, cloud.box_levels - 1);
    const std::uint32_t span = 1u << (level - at * fan_height);
    const box *boxes = cloud.boxes[at] + (std::size_t)i * span;
    box all = boxes[0];
    for (std::uint32_t j = 1; j < span; j++) {
        const box other = boxes[j];
        all.x_min = fmin(all.x_min, other.x_min);
        all.x_max = fmax(all.x_max, other.x_max);
        all.y_min = fmin(all.y_min, other.y_min);
        all.y_max = fmax(all.y_max, other.y_max);
    }
    return all;
}

/* Centre and radius of every node; the rest is 0. */
template <class Real>
__global__ void __launch_bounds__(place_threads)
    place_nodes(const __grid_constant__ cloud_view cloud,
                const __grid_constant__ far_view<Real> far, far_node *nodes)
{
    const std::uint32_t node = blockIdx.x * place_threads + threadIdx.x;
    int level = far.levels - 1;
    if (node > far.first[level])
        return;
    while (node < far.first[level])
        level--;
    const box of = box_of(cloud, level, node - far.first[level]);
    const shepard_circle circle = shepard_circle_round(of.x_min, of.x_max, of.y_min, of.y_max);
    far_node placed = {};
    placed.x = circle.x;
    placed.y = circle.y;
    placed.scale = circle.scale;
    nodes[node] = placed;
}

/* ---- from points ----------------------------------------------------------------------------- */

/* The points of a warp's leaves, and one charge of them; an odd distance from leaf to leaf keeps
 * lanes out of each other's banks. */
struct staged {
    double x[fan][leaf_points + 1], y[fan][leaf_points + 1], charge[fan][leaf_points + 1];
};

__device__ double charge_of(const cloud_view &cloud, charge_kind kind, int charge,
                            std::size_t point)
{
    const double q = cloud.weights != nullptr ? cloud.weights[point] : 1;
    if (kind == charge_kind::squares)
        return q * q;
    if (charge == 0)
        return q;
    const int column = charge - 1;
    const double scale = cloud.scale[column];
    const double z =
        scale * cloud.values[(std::size_t)column * cloud.n + point] - scale * cloud.middle[column];
    return kind == charge_kind::spread ? q * (z * z) : q * z;
}

/* Past the last point stands the last without charge: a place far from a tiny leaf might overflow.
 */
__device__ void stage(const cloud_view &cloud, charge_kind kind, int charge, staged *to)
{
    const std::size_t first = (std::size_t)blockIdx.x * (fan * leaf_points);
#pragma unroll 4
    for (int i = (int)threadIdx.x; i < fan * leaf_points; i += fan) {
        const int leaf = i / leaf_points, slot = i % leaf_points;
        const std::size_t at = min(first + i, (std::size_t)cloud.n - 1);
        to->x[leaf][slot] = cloud.x[at];
        to->y[leaf][slot] = cloud.y[at];
        to->charge[leaf][slot] = first + i < cloud.n ? charge_of(cloud, kind, charge, at) : 0;
    }
}

/* sum q (x / rho)^a (y / rho)^b of the lane's leaf. */
template <int orders>
__device__ void collect(const staged &points, const far_node *leaf, real_moments<orders> *sums)
{
    constexpr int degree = real_moments<orders>::degree;
    const int lane = (int)threadIdx.x;
    const double centre_x = leaf != nullptr ? leaf->x : 0, centre_y = leaf != nullptr ? leaf->y : 0;
    const double inverse = leaf != nullptr && leaf->scale > 0 ? 1 / leaf->scale : 0;
#pragma unroll
    for (int t = 0; t < real_moments<orders>::count; t++)
        sums->number[t] = 0;
#pragma unroll 1
    for (int i = 0; i < leaf_points; i++) {
        const double x = (points.x[lane][i] - centre_x) * inverse;
        const double y = (points.y[lane][i] - centre_y) * inverse;
        double power[degree + 1], along = points.charge[lane][i]; /* y^b, q x^a */
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

/* Of no node: all 0. */
__device__ step step_of(const far_node *node, const far_node *parent)
{
    if (node == nullptr || !(parent->scale > 0))
        return {0, 0, 0};
    const double inverse = 1 / parent->scale;
    return {(node->x - parent->x) * inverse, (node->y - parent->y) * inverse,
            node->scale * inverse};
}

/* Sums of (x / rho)^a (y / rho)^b become those of (d + s x / rho)^a ...: multiplied by powers of s,
 * then shifted along x, then along y. j passes add d times the number one power below to that of
 * power j, which makes the binomial sum; a number of degree l rounds l times for s and its powers,
 * 3 l times at most with offsets and ratios, and once a pass: l times (Eq. 33b has 6 l + 3). */
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

template <int orders> __device__ void measure(const real_moments<orders> &sums, far_node *node)
{
    const double scale = node->scale, total = fmax(sums.number[0], 0x1p-1022);
    const double rho = log2(fmax(scale, 0x1p-1022)), one = 1 / total;
    const float least = scale > 0 ? shepard_circle_least_reach(scale) : 0;
    node->charge = (float)log2(total);
#pragma unroll
    for (int k = 1; k <= orders; k++) {
        const double part = fmax(even_moment(sums, k) * one, 0.0) + SHEPARD_BATCH_ERROR;
        const float reach = (float)(rho + log2(part) * (0.5 / k) + SHEPARD_REACH_MARGIN);
        node->reach[k - 1] = scale > 0 ? fmaxf(reach, least) : (float)SHEPARD_REACH_NONE;
    }
}

/* ---- the climb ------------------------------------------------------------------------------- */

/* The node of a level above which a lane climbs, nullptr where there is none. */
template <int orders, class Real>
__device__ far_node *node_of(const ascent<orders, Real> &task, int level, std::uint32_t i)
{
    return i < task.far.count[level] ? task.nodes + task.far.first[level] + i : nullptr;
}

/* What is kept of a node. */
template <int orders, class Real>
__device__ void keep(const ascent<orders, Real> &task, const real_moments<orders> &sums,
                     far_node *node, int charge)
{
    const std::size_t i = (std::size_t)(node - task.nodes) * task.far.charges + charge;
    express(sums, task.table, task.moments + i * task.far.stride);
    if (charge == 0)
        measure(sums, node);
}

/* Lanes without a node hold zeros. */
template <int orders, class Real>
__device__ void load(const ascent<orders, Real> &task, int charge, bool here,
                     real_moments<orders> *sums)
{
    const std::size_t count = task.far.count[task.level];
    const std::size_t first = (std::size_t)charge * real_moments<orders>::count * count;
    const double *numbers = task.from + first + (std::size_t)blockIdx.x * fan + threadIdx.x;
#pragma unroll
    for (int t = 0; t < real_moments<orders>::count; t++)
        sums->number[t] = here ? numbers[t * count] : 0;
}

/* Of the node five levels above, by one lane. */
template <int orders, class Real>
__device__ void hand_on(const ascent<orders, Real> &task, int charge,
                        const real_moments<orders> &sums)
{
    const std::size_t count = task.far.count[task.level + fan_height];
    const std::size_t first = (std::size_t)charge * real_moments<orders>::count * count;
    double *numbers = task.to + first + blockIdx.x;
#pragma unroll
    for (int t = 0; t < real_moments<orders>::count; t++)
        numbers[t * count] = sums.number[t];
}

/* From the lanes' nodes up; those are kept where they are leaves, for others were already. */
template <int orders, class Real>
__device__ void climb(const ascent<orders, Real> &task, int charge, real_moments<orders> *sums)
{
    const std::uint32_t lane = threadIdx.x;
#pragma unroll 1
    for (int height = 0;; height++) {
        const int level = task.level + height;
        const std::uint32_t i = (blockIdx.x << (fan_height - height)) + (lane >> height);
        far_node *node = node_of(task, level, i);
        const bool leads = (lane & ((1u << height) - 1)) == 0;
        if (node != nullptr && leads && (height > 0 || task.from == nullptr))
            keep(task, *sums, node, charge);
        if (level + 1 == task.far.levels)
            return;
        if (height == fan_height)
            break;
        translate(step_of(node, node_of(task, level + 1, i / 2)), sums);
#pragma unroll
        for (int t = 0; t < real_moments<orders>::count; t++)
            sums->number[t] += __shfl_xor_sync(all_lanes, sums->number[t], 1 << height);
    }
    if (lane == 0)
        hand_on(task, charge, *sums);
}

/* Block (i, c) does what stands over the nodes 32 i ... of a level, charges c, c + gridDim.y ... */
template <int orders, class Real>
__global__ void __launch_bounds__(fan) ascend(const __grid_constant__ ascent<orders, Real> task)
{
    __shared__ staged points;
    const far_node *node = node_of(task, task.level, blockIdx.x * fan + threadIdx.x);
    for (int charge = (int)blockIdx.y; charge < task.far.charges; charge += (int)gridDim.y) {
        real_moments<orders> sums;
        if (task.from == nullptr) {
            stage(task.cloud, task.kind, charge, &points);
            __syncwarp();
            collect(points, node, &sums);
            __syncwarp();
        } else {
            load(task, charge, node != nullptr, &sums);
        }
        climb(task, charge, &sums);
    }
}

/* ---- on the host ----------------------------------------------------------------------------- */

template <class Real>
void place(const cloud_view &cloud, const far_view<Real> &far, far_node *nodes, cudaStream_t stream)
{
    const std::size_t all = (std::size_t)far.first[far.levels - 1] + 1;
    const unsigned grid = (unsigned)((all + place_threads - 1) / place_threads);
    place_nodes<<<grid, place_threads, 0, stream>>>(cloud, far, nodes);
    check_launch("places of nodes");
}

/* What a far field is made of. */
template <class Real> struct plan {
    const cloud_view &cloud;
    charge_kind kind;
    const far_view<Real> &far;
    far_node *nodes;
    Real *moments;
    cudaStream_t stream;
};

template <class Real, int orders> void build(const plan<Real> &plan)
{
    const far_view<Real> &far = plan.far;
    block<double> numbers[2]; /* of the level to climb from, and of that five above */
    ascent<orders, Real> task = {plan.cloud, plan.kind, far,     plan.nodes, plan.moments,
                                 0,          nullptr,   nullptr, {}};
    shepard_complex_table(2 * orders - 1, task.table);
    const dim3 threads(fan);
    for (; task.level == 0 || task.level + 1 < far.levels; task.level += fan_height) {
        const int above = task.level + fan_height;
        numbers[1] = block<double>();
        if (above < far.levels)
            numbers[1] = block<double>((std::size_t)far.charges * real_moments<orders>::count *
                                           far.count[above],
                                       plan.stream);
        task.to = numbers[1].get();
        const unsigned rows =
            far.charges < (int)grid_rows_max ? (unsigned)far.charges : grid_rows_max;
        ascend<<<dim3((far.count[task.level] - 1) / fan + 1, rows), threads, 0, plan.stream>>>(
            task);
        check_launch("moments of nodes");
        numbers[0] = std::move(numbers[1]);
        task.from = numbers[0].get();
    }
}

/* Levels and counts. */
template <class Real> void shape(const cloud_view &cloud, far_view<Real> *far)
{
    std::uint32_t count = (cloud.n - 1) / leaf_points + 1, all = 0;
    for (far->levels = 0;; count = (count - 1) / 2 + 1) {
        far->first[far->levels] = all;
        far->count[far->levels++] = count;
        all += count;
        if (count == 1)
            return;
    }
}

} // namespace

template <class Real>
far_field<Real>::far_field(const cloud_view &cloud, charge_kind kind, int orders,
                           cudaStream_t stream)
{
    using builder = void (*)(const plan<Real> &);
    static constexpr builder builders[far_orders_max] = {build<Real, 1>, build<Real, 2>,
                                                         build<Real, 3>, build<Real, 4>,
                                                         build<Real, 5>, build<Real, 6>};
    shape(cloud, &view_);
    view_.orders = orders;
    view_.charges = kind == charge_kind::squares ? 1 : 1 + cloud.columns;
    view_.stride = stride_of(orders);
    const std::size_t nodes = (std::size_t)view_.first[view_.levels - 1] + 1;
    nodes_ = block<far_node>(nodes, stream);
    moments_ = block<Real>(nodes * view_.charges * (std::size_t)view_.stride, stream);
    view_.nodes = nodes_.get();
    view_.moments = moments_.get();
    place(cloud, view_, nodes_.get(), stream);
    builders[orders - 1]({cloud, kind, view_, nodes_.get(), moments_.get(), stream});
}

template class far_field<float>;
template class far_field<double>;

} // namespace shepard
