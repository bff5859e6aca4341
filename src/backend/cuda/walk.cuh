/* SPDX-License-Identifier: MIT */
/* A warp's walk down the tree: who is summed how at all targets of a region. Lanes judge as many
 * nodes at once, deepest ones first, so that few wait. */
#ifndef SHEPARD_BACKEND_CUDA_WALK_CUH
#define SHEPARD_BACKEND_CUDA_WALK_CUH

#include "backend/cuda/lists.cuh"
#include "cuda/launch.cuh"

extern "C" {
#include "core/accuracy.h"
}

namespace shepard
{

/* Nodes by the number of their order, points of leaves, and nodes for the local expansion. Each
 * lane keeps the counts. */
template <int Orders> struct listed {
    int nodes[Orders], points, local;
    std::uint32_t *node, *point, *expanded; /* [Orders, node_room], [point_room], [local_room] */

    /* Whether a step of the walk may not find room. */
    __device__ bool full() const
    {
        int most = 0;
#pragma unroll
        for (int o = 0; o < Orders; o++)
            most = max(most, nodes[o]);
        return most > node_room - 32 || points > point_room - 32 * leaf_points ||
               local > local_room - 32;
    }
};

/* Nodes that wait, by rising depth. A step takes a warp of them, the deepest, and all that is left
 * of a depth comes from one step, which found at most two warps: one is left, but of the last. */
__host__ __device__ constexpr int waiting_most(int depth)
{
    return 32 * (depth + 1);
}

struct waiting {
    std::uint32_t *node;
    int count;
};

struct region_view {
    box region;
    double smoothing2;
    shepard_standard standard;
    const shepard_accuracy *accuracy;
    const shepard_accuracy *local; /* for a local expansion; nullptr: there is none */
    double x, y, radius;           /* the region's middle and half diagonal */
};

/* Beside the orders and those of core/acceptance.h: the node is for the local expansion. */
constexpr int order_local = -3;

/* A larger node than this many radii of the region is opened where it is too near for the local
 * expansion: what is below may not be, and costs each target less. */
constexpr double local_opened = 1.5;

/* A node at an offset. */
__device__ inline shepard_sight look_at(const region_view &view, const far_node &node, double dx,
                                        double dy)
{
    shepard_sight sight = {};
    sight.charge = (double)node.charge;
    sight.d2 = dx * dx + dy * dy;
    sight.smoothing2 = view.smoothing2;
    sight.scale = node.scale;
    const double r2 = sight.d2 + view.smoothing2;
    sight.distance =
        r2 >= 0x1p-1000 ? shepard_accuracy_log2(r2) / 2 - SHEPARD_LOG2_ERROR : -INFINITY;
    sight.reach = node.reach;
    return sight;
}

/* Whether the local expansion takes a node in; *takes: as below. From the middle a node looks as if
 * all its points were a region's radius farther from its centre (docs/math.md, Eq. 49). */
__device__ __forceinline__ bool expands(const region_view &view, const far_node &node,
                                        bool shares_left, bool *takes)
{
    constexpr int last = far_orders_single - 1;
    shepard_sight sight = look_at(view, node, node.x - view.x, node.y - view.y);
    const float radius = (float)view.radius; /* its rounding is in the rules' margin */
    float reach[far_orders_single];
    reach[last] = __log2f(exp2f(node.reach[last]) + radius);
    sight.reach = reach;
    const shepard_verdict verdict =
        shepard_accuracy_judge_order(view.local, &sight, &view.standard, last);
    *takes = verdict == SHEPARD_IN_A_SHARE;
    return sight.distance > -INFINITY && shepard_accuracy_is_good(verdict, shares_left);
}

/* As shepard_accuracy_judge, for one lane's node; *takes: it needs an even share. All orders are
 * tried: most lanes would wait for one that does so anyway. */
template <int Orders>
__device__ __forceinline__ int judge(const region_view &view, const far_tree &far,
                                     std::uint32_t node, bool is_leaf, bool shares_left,
                                     bool *takes)
{
    const far_node own = far.nodes[node];
    if (view.local != nullptr) {
        if (expands(view, own, shares_left, takes))
            return order_local;
        *takes = false;
        if (!is_leaf && own.scale > local_opened * view.radius)
            return SHEPARD_ORDER_NONE;
    }
    const shepard_sight sight =
        look_at(view, own, fmax(0.0, fmax(view.region.x_min - own.x, own.x - view.region.x_max)),
                fmax(0.0, fmax(view.region.y_min - own.y, own.y - view.region.y_max)));
    *takes = false;
    if (!(sight.distance > -INFINITY))
        return SHEPARD_ORDER_NONE;
    shepard_verdict verdict = SHEPARD_TOO_LARGE;
    int order = SHEPARD_ORDER_NONE;
    bool on = true;
#pragma unroll
    for (int o = Orders - 1; o >= 0; o--) {
        if (o >= view.accuracy->orders || o >= far.orders)
            continue;
        const shepard_verdict next =
            shepard_accuracy_judge_order(view.accuracy, &sight, &view.standard, o);
        on = on && shepard_accuracy_is_good(next, shares_left);
        verdict = on ? next : verdict;
        order = on ? o : order;
    }
    return shepard_accuracy_judge_rest(view.accuracy, &sight, &view.standard, shares_left, order,
                                       verdict, takes);
}

__device__ __forceinline__ int before_lane(unsigned mask)
{
    return __popc(mask & ((1u << threadIdx.x % 32) - 1));
}

__device__ inline void begin_walk(const far_tree &far, waiting &to)
{
    to.count = far.top->count;
    const int lane = (int)threadIdx.x % 32;
    __syncwarp();
    if (lane < to.count)
        to.node[lane] = far.top->node[lane];
    __syncwarp();
}

/* Lists the points of some lanes' leaves. */
template <int Orders>
__device__ void list_points(const far_tree &far, bool mine, std::uint32_t leaf, listed<Orders> &to)
{
    const far_node &own = far.nodes[leaf];
    const std::uint32_t first = own.below[0];
    const int count = mine ? (int)own.below[1] : 0, lane = (int)threadIdx.x % 32;
    int end = count;
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        const int before = __shfl_up_sync(whole_warp, end, (unsigned)apart);
        end += lane >= apart ? before : 0;
    }
    std::uint32_t *const at = to.point + to.points + (end - count);
    for (int i = 0; i < count; i++)
        at[i] = first + (std::uint32_t)i;
    to.points += __shfl_sync(whole_warp, end, 31);
}

/* One step: the last nodes that wait are listed, dropped or opened. */
template <int Orders>
__device__ void step_walk(const region_view &view, const far_tree &far, int &shares, waiting &from,
                          listed<Orders> &to)
{
    const int lane = (int)threadIdx.x % 32, taken = min(from.count, 32);
    const bool mine = lane < taken;
    const int base = from.count - taken;
    const std::uint32_t node = mine ? from.node[base + lane] : 0;
    __syncwarp();
    const bool is_leaf = node < far.leaves;
    int order = SHEPARD_ORDER_SKIP;
    bool takes = false, again = mine, shares_left = shares > 0;
    /* A second time for those for whom no share is left. */
    while (__any_sync(whole_warp, again)) {
        if (again)
            order = judge<Orders>(view, far, node, is_leaf, shares_left, &takes);
        again = takes && before_lane(__ballot_sync(whole_warp, takes)) >= shares;
        shares_left = false;
    }
    shares -= __popc(__ballot_sync(whole_warp, takes));
    const bool failed = order == SHEPARD_ORDER_NONE;
    const bool opens = failed && !is_leaf;
    const unsigned opened = __ballot_sync(whole_warp, opens);
#pragma unroll
    for (int o = 0; o < Orders; o++) {
        const unsigned nodes = __ballot_sync(whole_warp, order == o);
        if (order == o)
            to.node[o * node_room + to.nodes[o] + before_lane(nodes)] = node;
        to.nodes[o] += __popc(nodes);
    }
    const unsigned local = __ballot_sync(whole_warp, order == order_local);
    if (order == order_local)
        to.expanded[to.local + before_lane(local)] = node;
    to.local += __popc(local);
    if (__any_sync(whole_warp, failed && is_leaf))
        list_points(far, failed && is_leaf, node, to);
    const int at = base + 2 * before_lane(opened);
    if (opens) {
        from.node[at] = far.nodes[node].below[0];
        from.node[at + 1] = far.nodes[node].below[1];
    }
    __syncwarp();
    from.count = base + 2 * __popc(opened);
}

} // namespace shepard

#endif
