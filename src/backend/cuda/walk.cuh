/* SPDX-License-Identifier: MIT */
/* A warp's walk down the tree: who is summed how at all targets of a region. Lanes judge as many
 * nodes at once, deepest ones first, so that few wait. */
#ifndef SHEPARD_BACKEND_CUDA_WALK_CUH
#define SHEPARD_BACKEND_CUDA_WALK_CUH

#include "backend/cuda/interactions.cuh"
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
        return most > node_room - 32 || points > points_full || local > local_room - 32;
    }
};

/* Nodes that wait, by rising depth, behind those that a parent's walk left. */
struct waiting {
    std::uint32_t *node;
    int count;
};

/* A region as a walk sees it: its middle, in the frame's unit, and all else in a unit near the
 * spacing of points, a power of two. */
struct region_view {
    double x, y;
    double scale;                 /* 1 over the unit */
    int lift;                     /* log2 of that */
    float half_x, half_y, radius; /* no less than half sides and half diagonal */
    float smoothing2;
    shepard_weight_floor weight_floor;
    std::uint32_t few; /* points of a leaf that cost less than its node */
    const shepard_accuracy *accuracy;
    const shepard_accuracy *local; /* for a local expansion; may be nullptr */
    float local_most;              /* that a node in it may cost */
};

/* Beside the orders and those of core/mac.h: the node is for the local expansion. */
constexpr int order_local = -3;

/* A larger node than this many radii of the region is opened where it is too near for the local
 * expansion: what is below may not be, and costs each target less. */
constexpr float local_opened = 1.5f;

/* Leaves of no more points than that are summed point by point even where their node would do,
 * unless it is for the local expansion. */
constexpr std::uint32_t few_points = 8, few_points_of_plane = 12;

/* Rules as a walk has them: of one part of a range of powers in registers, of several near. */
template <int Orders> struct one_part {
    shepard_accuracy own;

    __device__ __forceinline__ explicit one_part(const shepard_accuracy &from)
    {
        own.orders = from.orders;
        own.power[0] = from.power[0];
        own.power[1] = from.power[1];
        own.absolute = from.absolute;
#pragma unroll
        for (int o = 0; o < Orders; o++) {
            own.relative[0][o] = from.relative[0][o];
            own.limit[0][o] = from.limit[0][o];
            own.factor[0][o] = from.factor[0][o];
        }
    }
    __device__ __forceinline__ const shepard_accuracy *get() const
    {
        return &own;
    }
    __device__ __forceinline__ int parts() const
    {
        return 1;
    }
};

struct several_parts {
    const shepard_accuracy *from;

    __device__ __forceinline__ const shepard_accuracy *get() const { return from; }
    __device__ __forceinline__ int parts() const { return from->parts; }
};

/* A node as lanes judge it. */
template <int Orders> struct judged {
    float x, y; /* from the middle */
    float scale, charge;
    float mean_radius_log2[Orders];
};

template <int Orders>
__device__ __forceinline__ judged<Orders> look_from(const region_view &view, const far_node &node)
{
    judged<Orders> own;
    own.x = (float)((node.x - view.x) * view.scale);
    own.y = (float)((node.y - view.y) * view.scale);
    own.scale = (float)(node.scale * view.scale);
    own.charge = node.charge;
#pragma unroll
    for (int o = 0; o < Orders; o++)
        own.mean_radius_log2[o] = node.mean_radius_log2[o] + (float)view.lift;
    return own;
}

/* Of a place so near or far that float32 does not hold it, the distance is infinite, with one sign
 * or the other. */
__device__ __forceinline__ shepard_node_geometry node_geometry_at(float x, float y,
                                                                  float smoothing2)
{
    constexpr float small = 0x1p-64f;
    shepard_node_geometry geometry = {};
    geometry.d2 = x * x + y * y;
    geometry.smoothing2 = smoothing2;
    float log = __log2f(geometry.d2 + smoothing2);
    if (!(geometry.d2 < INFINITY))
        log = __log2f(x * small * (x * small) + y * small * (y * small)) + 128;
    geometry.distance = log / 2 - SHEPARD_LOG2_ERROR;
    return geometry;
}

__device__ __forceinline__ bool is_seen(const shepard_node_geometry &geometry)
{
    return geometry.distance > -INFINITY && geometry.distance < INFINITY;
}

/* How far a place is out of an interval round 0, or a little less. */
__device__ __forceinline__ float gap(float a, float half)
{
    return fmaxf(fabsf(a) * (1 - 0x1p-20f) - half, 0);
}

/* The cost of taking a node into the local expansion. From the middle a node looks as if all its
 * points were a region's radius farther from its centre (docs/math.md, Eq. 49). */
template <int Orders, class Rules>
__device__ __forceinline__ shepard_coarse local_cost(const Rules &rules, const region_view &view,
                                                     const judged<Orders> &node)
{
    constexpr int last = (Orders == far_orders_single ? far_orders_single : far_orders_planes) - 1;
    shepard_node_geometry geometry = node_geometry_at(node.x, node.y, view.smoothing2);
    geometry.charge = node.charge;
    float mean_radius_log2[last + 1];
    mean_radius_log2[last] = __log2f(exp2f(node.mean_radius_log2[last]) + view.radius);
    geometry.mean_radius_log2 = mean_radius_log2;
    return is_seen(geometry) ? shepard_mac_order_cost(rules.get(), rules.parts(), &geometry,
                                                      &view.weight_floor, last)
                             : INFINITY;
}

/* As shepard_mac_test, for one lane's node; a leaf of few points that is not for the local
 * expansion has no order. All orders are tried: most lanes would wait for one that does so anyway.
 */
template <int Orders, class Rules>
__device__ __forceinline__ int
judge(const Rules &rules, const Rules &local, const region_view &view, const far_tree &far,
      std::uint32_t node, bool is_leaf, float left, shepard_coarse *spent)
{
    const judged<Orders> own = look_from<Orders>(view, far.nodes[node]);
    *spent = 0;
    if (view.local != nullptr) {
        const shepard_coarse price = shepard_mac_price(local_cost(local, view, own));
        if (price <= fminf(left, view.local_most)) {
            *spent = price;
            return order_local;
        }
        if (!is_leaf && own.scale > local_opened * view.radius)
            return SHEPARD_ORDER_NONE;
    }
    shepard_node_geometry geometry =
        node_geometry_at(gap(own.x, view.half_x), gap(own.y, view.half_y), view.smoothing2);
    geometry.charge = own.charge;
    geometry.scale = own.scale;
    geometry.mean_radius_log2 = own.mean_radius_log2;
    if (!is_seen(geometry))
        return SHEPARD_ORDER_NONE;
    int order = SHEPARD_ORDER_NONE;
    bool on = true;
#pragma unroll
    for (int o = Orders - 1; o >= 0; o--) {
        if (o >= rules.get()->orders || o >= far.orders)
            continue;
        const shepard_coarse price = shepard_mac_price(
            shepard_mac_order_cost(rules.get(), rules.parts(), &geometry, &view.weight_floor, o));
        on = on && price <= left;
        order = on ? o : order;
        *spent = on ? price : *spent;
    }
    order = shepard_mac_test_skip(rules.get(), rules.parts(), &geometry, &view.weight_floor, left,
                                  order, spent);
    if (order >= 0 && is_leaf && far.nodes[node].below[1] <= view.few) {
        *spent = 0;
        return SHEPARD_ORDER_NONE;
    }
    return order;
}

__device__ __forceinline__ int before_lane(unsigned mask)
{
    return __popc(mask & ((1u << threadIdx.x % 32) - 1));
}

/* The sum over the lanes up to one's own. */
template <class Number> __device__ __forceinline__ Number sum_up_to(Number own)
{
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2) {
        const Number before = __shfl_up_sync(whole_warp, own, (unsigned)apart);
        own += (int)threadIdx.x % 32 >= apart ? before : 0;
    }
    return own;
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

/* Lists the nodes of some lanes. */
__device__ __forceinline__ void list_node(std::uint32_t node, bool mine, std::uint32_t *to,
                                          int &count)
{
    const unsigned lanes = __ballot_sync(whole_warp, mine);
    if (mine)
        to[count + before_lane(lanes)] = node;
    count += __popc(lanes);
}

/* Lists the points of some lanes' leaves. */
template <int Orders>
__device__ void list_points(const far_tree &far, bool mine, std::uint32_t leaf, listed<Orders> &to)
{
    const far_node &own = far.nodes[leaf];
    const std::uint32_t first = own.below[0];
    const int count = mine ? (int)own.below[1] : 0;
    const int end = sum_up_to(count);
    std::uint32_t *const at = to.point + to.points + (end - count);
    for (int i = 0; i < count; i++)
        at[i] = first + (std::uint32_t)i;
    to.points += __shfl_sync(whole_warp, end, 31);
}

/* Lanes pay for what judge(available) decides for their nodes, its result; a second time, with
 * nothing to spend, for those for whom too little is left. */
template <class Judge>
__device__ __forceinline__ void spend(float &left, bool mine, const Judge &judge)
{
    shepard_coarse spent = 0;
    float available = left, together = 0;
    bool again = mine;
    while (__any_sync(whole_warp, again)) {
        if (again)
            spent = judge(available);
        together = sum_up_to((float)spent);
        again = spent > 0 && together > left;
        available = 0;
    }
    /* The last lane's sum may be more than that of the last who spends, by rounding. */
    left = fmaxf(left - __shfl_sync(whole_warp, together, 31), 0);
}

/* A lane's node of those taken from the end of what waits; *mine: there is one. */
__device__ __forceinline__ std::uint32_t take_node(waiting &from, bool *mine)
{
    const int lane = (int)threadIdx.x % 32, taken = min(from.count, 32);
    *mine = lane < taken;
    from.count -= taken;
    const std::uint32_t node = *mine ? from.node[from.count + lane] : 0;
    __syncwarp();
    return node;
}

/* Puts the children of some lanes' nodes at the end of what waits. */
__device__ __forceinline__ void open_nodes(const far_tree &far, std::uint32_t node, bool opens,
                                           waiting &to)
{
    const unsigned opened = __ballot_sync(whole_warp, opens);
    const int at = to.count + 2 * before_lane(opened);
    if (opens) {
        to.node[at] = far.nodes[node].below[0];
        to.node[at + 1] = far.nodes[node].below[1];
    }
    __syncwarp();
    to.count += 2 * __popc(opened);
}

/* One step: the last nodes that wait are listed, dropped or opened. */
template <int Orders, class Rules>
__device__ __forceinline__ void step_walk(const Rules &rules, const Rules &local,
                                          const region_view &view, const far_tree &far, float &left,
                                          waiting &from, listed<Orders> &to)
{
    bool mine;
    const std::uint32_t node = take_node(from, &mine);
    const bool is_leaf = node < far.leaves;
    int order = SHEPARD_ORDER_SKIP;
    spend(left, mine, [&](float available) {
        shepard_coarse spent;
        order = judge<Orders>(rules, local, view, far, node, is_leaf, available, &spent);
        return spent;
    });
    const bool failed = order == SHEPARD_ORDER_NONE;
#pragma unroll
    for (int o = 0; o < Orders; o++) {
        list_node(node, order == o, to.node + o * node_room, to.nodes[o]);
    }
    list_node(node, order == order_local, to.expanded, to.local);
    if (__any_sync(whole_warp, failed && is_leaf))
        list_points(far, failed && is_leaf, node, to);
    open_nodes(far, node, failed && !is_leaf, from);
}

/* A larger node than this many radii of a parent cell is opened by its walk; the others that are
 * too near for its local expansion are left to its groups. */
constexpr float parent_opened = 1.5f;

/* One step of a parent group's walk: of the last nodes that wait, those that its local expansion
 * may have are listed; larger ones are opened, the others left. */
template <int Orders, class Rules>
__device__ __forceinline__ void step_parent(const Rules &local, const region_view &view,
                                            const far_tree &far, float &left, waiting &from,
                                            waiting &rest, std::uint32_t *expanded, int &count)
{
    bool mine;
    const std::uint32_t node = take_node(from, &mine);
    const judged<Orders> own = look_from<Orders>(view, far.nodes[node]);
    const shepard_coarse price = shepard_mac_price(local_cost(local, view, own));
    bool listed = false;
    spend(left, mine, [&](float available) {
        listed = price <= fminf(available, view.local_most);
        return listed ? price : 0;
    });
    const bool opens =
        mine && !listed && node >= far.leaves && own.scale > parent_opened * view.radius;
    list_node(node, listed, expanded, count);
    list_node(node, mine && !listed && !opens, rest.node, rest.count);
    __syncwarp();
    open_nodes(far, node, opens, from);
}

} // namespace shepard

#endif
