/* SPDX-License-Identifier: MIT */
/* The kernel of sums over all points, for the sources that instantiate it. One warp takes an item:
 * it walks the tree for the targets that can be treated alike and sums over what the walk lists, a
 * target a lane. Nothing that a target's sums depend on tells which other targets there are. */
#ifndef SHEPARD_BACKEND_CUDA_ITEMS_CUH
#define SHEPARD_BACKEND_CUDA_ITEMS_CUH

#include "backend/cuda/sums.cuh"
#include "backend/cuda/walk.cuh"

#include <cuda_pipeline.h>

#include <algorithm>
#include <cmath>

namespace shepard
{

namespace
{

/* A target's group: its range of powers, and how far the least its weights can come to is below the
 * cell's standard, in steps of 2^tier_step. Beyond: targets that are groups by themselves. */
constexpr int tier_step = 4;
constexpr int tier_most = 1000000;
constexpr int group_alone = 1 << 24;
constexpr int group_done = INT32_MAX;

/* What rounding may have added to the nearest points' weights: log2 of a part. */
constexpr double weight_margin = 1e-6;
/* The standard is, for each of the points known, this much (log2) below the weight at the mean
 * spacing, of a cell that is three quarters full. */
constexpr double standard_slack = 3;
constexpr double cell_fill = 0.75 * cell_points;
constexpr double nearest_most = 16;

/* Within these bounds of the unit, in the anchor's, float32 tells all distances that matter well
 * enough: the nearest point is not below 2^-20 of the cell's size. */
constexpr double plain_near2 = 0x1p-34, plain_far2 = 0x1p60;
constexpr double plain_side = 0x1p30;

/* A sum takes so many nodes before it is added to the one in double; their moments are in shared
 * memory together. */
template <class Real, int Columns> __device__ constexpr int node_stretch()
{
    return sizeof(Real) == sizeof(float) && Columns == 1 ? 8 : 2;
}

template <class Real> struct most_orders;
template <> struct most_orders<float> {
    static constexpr int value = far_orders_single;
};
template <> struct most_orders<double> {
    static constexpr int value = far_orders_max;
};

template <class Real, class Stored, int Columns> struct workspace {
    static constexpr int orders = most_orders<Real>::value;
    static constexpr int terms = (SHEPARD_TERMS(SHEPARD_ORDER(orders - 1)) + 3) / 4 * 4;
    staged<Real, Columns> stage;
    __align__(16) Stored moments[2][node_stretch<Real, Columns>() * (1 + Columns) * terms];
    std::uint32_t node[orders * node_room], leaf[leaf_room];
    double w[item_targets], z[Columns][item_targets];
    int group[item_targets];
    std::uint8_t member[item_targets];
};

/* What a warp knows of its item. */
struct item_state {
    std::uint32_t first;
    int targets;
    box region;
    double spacing;
    shepard_standard standard;
};

template <class Stored>
__device__ item_state open_item(const total_job &job, const far_view<Stored> &far,
                                std::uint32_t item)
{
    item_state state;
    const std::uint32_t first = job.items.first[item];
    std::uint32_t end = min((first / item_targets + 1) * item_targets, job.targets.m);
    if (item + 1 < *job.items.count)
        end = min(end, job.items.first[item + 1]);
    const int length = job.items.length[first];
    state.first = first;
    state.targets = (int)(end - first);
    state.region = curve_region(
        job.along, curve_place_of(job.along, job.targets.x[first], job.targets.y[first]),
        job.key[first], length);
    const double area =
        (state.region.x_max - state.region.x_min) * (state.region.y_max - state.region.y_min);
    const double spacing2 = fmax(area / cell_fill, 0x1p-1000);
    state.spacing = sqrt(spacing2);
    if (job.accuracy == nullptr)
        return state;
    const double all = (double)far.nodes[far.first[far.levels - 1]].charge;
    state.standard.all = all;
    state.standard.charge =
        all - log2((double)job.cloud.n) + log2(fmin(job.nearest, nearest_most)) - standard_slack;
    state.standard.distance = log2(spacing2 + job.smoothing2) / 2;
    return state;
}

__device__ double unit2_of(const total_job &job, std::uint32_t t)
{
    return job.around.nearest2[t] + job.smoothing2;
}

__device__ double alpha_of(const total_job &job, std::uint32_t t)
{
    return job.squares ? 2 * job.around.alpha[t] : job.around.alpha[t];
}

/* A power of two near 1 / a, a > 0. */
__device__ double unit_scale(double a)
{
    return ldexp(1.0, -ilogb(a));
}

__device__ bool is_outside(const total_job &job, std::uint32_t t)
{
    return !curve_holds(job.along, job.targets.x[t], job.targets.y[t]);
}

/* Alone: a target outside the square of the curve counts from itself. */
__device__ anchor anchor_of(const total_job &job, const item_state &state, std::uint32_t t,
                            bool alone)
{
    if (alone)
        return {job.targets.x[t], job.targets.y[t], unit_scale(sqrt(unit2_of(job, t)))};
    return {state.region.x_min + (state.region.x_max - state.region.x_min) / 2,
            state.region.y_min + (state.region.y_max - state.region.y_min) / 2,
            unit_scale(state.spacing)};
}

__device__ bool is_plain(const total_job &job, const item_state &state, std::uint32_t t, bool alone)
{
    if (job.all_precise)
        return false;
    if (alone)
        return true;
    const double scale = unit_scale(state.spacing);
    const double unit2 = unit2_of(job, t) * scale * scale;
    return unit2 >= plain_near2 && unit2 <= plain_far2 && job.along.side * scale <= plain_side;
}

/* log2 of what the nearest points are sure to weigh, for a unit of 1. */
__device__ double sure_charge(const total_job &job, std::uint32_t t)
{
    return log2(job.squares ? job.around.weight2[t] : job.around.weight[t]) - weight_margin;
}

__device__ int range_of(const total_job &job, std::uint32_t t)
{
    const double alpha = alpha_of(job, t);
    int range = 0;
    while (range + 1 < power_ranges && alpha > job.accuracy[range].power[job.accuracy[range].parts])
        range++;
    return range;
}

__device__ int group_of(const total_job &job, const item_state &state, int own)
{
    const std::uint32_t t = state.first + (std::uint32_t)own;
    if (isnan(job.targets.x[t]) || unit2_of(job, t) == 0)
        return group_done;
    const bool alone = is_outside(job, t);
    if (is_plain(job, state, t, alone) != (job.which == target_class::plain))
        return group_done;
    if (job.accuracy == nullptr)
        return 0;
    if (alone)
        return group_alone + own;
    const double alpha = alpha_of(job, t);
    const double sure = sure_charge(job, t) - alpha * log2(unit2_of(job, t)) / 2;
    const double missing = state.standard.charge - alpha * state.standard.distance - sure;
    const int tier = missing <= 0 ? 0 : (int)fmin(ceil(missing / tier_step), (double)tier_most);
    return tier * power_ranges + range_of(job, t);
}

/* The least group above one, group_done if there is none; lists its members. */
template <class Space> __device__ int next_group(Space &space, int targets, int last, int *members)
{
    int next = group_done;
    for (int i = (int)threadIdx.x; i < targets; i += 32)
        if (space.group[i] > last)
            next = min(next, space.group[i]);
    next = __reduce_min_sync(whole_warp, next);
    *members = 0;
    for (int i = (int)threadIdx.x; next != group_done && i - (int)threadIdx.x < targets; i += 32) {
        const bool in = i < targets && space.group[i] == next;
        const unsigned mask = __ballot_sync(whole_warp, in);
        if (in)
            space.member[*members + before_lane(mask)] = (std::uint8_t)i;
        *members += __popc(mask);
    }
    __syncwarp();
    return next;
}

__device__ region_view view_of(const total_job &job, const item_state &state, int group)
{
    region_view view = {state.region, job.smoothing2, state.standard, nullptr};
    if (job.accuracy == nullptr)
        return view;
    if (group < group_alone) {
        view.accuracy = &job.accuracy[group % power_ranges];
        view.standard.charge -= tier_step * (group / power_ranges);
        return view;
    }
    const std::uint32_t t = state.first + (std::uint32_t)(group - group_alone);
    const double x = job.targets.x[t], y = job.targets.y[t];
    view.region = {x, x, y, y};
    view.accuracy = &job.accuracy[range_of(job, t)];
    view.standard.charge = sure_charge(job, t);
    view.standard.distance = log2(unit2_of(job, t)) / 2;
    return view;
}

template <bool Form2, class Real>
__device__ lane_target<Real> target_of(const total_job &job, std::uint32_t t, const anchor &from)
{
    const double lambda = alpha_of(job, t) / 2;
    const double unit2 = unit2_of(job, t) * from.scale * from.scale;
    return {spot<Real>::at(from, job.targets.x[t], job.targets.y[t]), (Real)lambda,
            (Real)(Form2 || sizeof(Real) == sizeof(double) ? unit2 : lambda * log2(unit2))};
}

/* A lane's target and sums. */
template <class Real, int Columns, int Most> struct lane_state {
    lane_target<Real> target;
    Real factors[Most + 1];
    lane_sums<Real, Columns> sums;
    double centre[Columns];
};

template <bool Form2, class Real, class Stored, int Columns> struct summing {
    static constexpr int orders = most_orders<Real>::value;
    static constexpr int order_most = SHEPARD_ORDER(orders - 1);
    static constexpr int stretch = node_stretch<Real, Columns>();
    using state_of_lane = lane_state<Real, Columns, order_most>;

    const total_job &job;
    const far_view<Stored> &far;
    workspace<Real, Stored, Columns> &space;
    listed<orders> lists;
    anchor from;

    __device__ __forceinline__ void add_leaves(state_of_lane &own)
    {
        const Real smoothing2 = (Real)(job.smoothing2 * from.scale * from.scale);
#pragma unroll 1
        for (int i = 0; i < lists.leaves; i += staged_leaves) {
            const int leaves = min(staged_leaves, lists.leaves - i);
            __syncwarp();
            for (int k = 0; k < staged_leaves; k += 2)
                stage_points(job, from, lists.leaf + i, leaves, k * leaf_points, space.stage);
            __syncwarp();
#pragma unroll 1
            for (int k = 0; k < leaves; k++) {
                if constexpr (sizeof(Real) == sizeof(double))
                    if (job.centre != nullptr) {
                        add_centred<Form2>(own.target, smoothing2, space.stage, k * leaf_points,
                                           own.centre, own.sums);
                        continue;
                    }
                add_points<Form2>(own.target, smoothing2, space.stage, k * leaf_points, own.sums);
            }
        }
    }

    __device__ void stage_nodes(const std::uint32_t *list, int count)
    {
        const int lane = (int)threadIdx.x;
        __syncwarp();
        if (lane < count) {
            const far_node &node = far.nodes[list[lane]];
            space.stage.at[lane] = spot<Real>::at(from, node.x, node.y);
            space.stage.charge[lane][0] = (Real)(node.scale * from.scale);
        }
        __syncwarp();
    }

    /* Begins to copy the moments of some nodes into shared memory. */
    template <int Order> __device__ void fetch(const std::uint32_t *list, int count, Stored *to)
    {
        constexpr int apart = (SHEPARD_TERMS(Order) + 3) / 4 * 4;
        constexpr int pieces = apart * (int)sizeof(Stored) / 16, step = 16 / (int)sizeof(Stored);
#pragma unroll 1
        for (int charge = 0; charge <= job.columns; charge++) {
            const unsigned column = charge == 0 ? 0u : (unsigned)(job.column + charge);
            const Stored *source = far.moments + (std::size_t)column * (unsigned)far.stride;
            const std::size_t node = (std::size_t)far.charges * (unsigned)far.stride;
#pragma unroll 1
            for (int i = (int)threadIdx.x; i < count * pieces; i += 32)
                __pipeline_memcpy_async(to + (i / pieces * (1 + Columns) + charge) * apart +
                                            i % pieces * step,
                                        source + list[i / pieces] * node + i % pieces * step, 16);
        }
        __pipeline_commit();
    }

    template <int Order>
    __device__ __forceinline__ void add_stretch(state_of_lane &own, int staged_first, int count,
                                                const Stored *moments)
    {
        constexpr int apart = (SHEPARD_TERMS(Order) + 3) / 4 * 4;
        node_sums<Real, Columns> sum = {};
#pragma unroll 1
        for (int j = 0; j < count; j++) {
            const seen<Real> node = see<Form2>(own.target, space.stage.at[staged_first + j],
                                               space.stage.charge[staged_first + j][0]);
            add_expansion<Order>(node, own.factors, moments + j * (1 + Columns) * apart,
                                 job.columns, sum);
        }
        own.sums.w.add(sum.w);
        for (int c = 0; c < Columns; c++)
            own.sums.z[c].add(sum.z[c]);
    }

    /* While some nodes are summed the moments of the next are on their way. */
    template <int Order> __device__ __forceinline__ void add_nodes(state_of_lane &own)
    {
        constexpr int o = (Order - 1) / 2;
        const std::uint32_t *list = lists.node + o * node_room;
        const int count = lists.nodes[o];
        if (count == 0)
            return;
        fetch<Order>(list, min(stretch, count), space.moments[0]);
#pragma unroll 1
        for (int first = 0, turn = 0; first < count; first += stretch, turn ^= 1) {
            const int next = first + stretch;
            if (first % 32 == 0)
                stage_nodes(list + first, min(32, count - first));
            if (next < count)
                fetch<Order>(list + next, min(stretch, count - next), space.moments[turn ^ 1]);
            else
                __pipeline_commit();
            __pipeline_wait_prior(1);
            __syncwarp();
            add_stretch<Order>(own, first % 32, min(stretch, count - first), space.moments[turn]);
            __syncwarp();
        }
    }

    __device__ __forceinline__ void add_all_nodes(state_of_lane &own)
    {
        add_nodes<1>(own);
        add_nodes<3>(own);
        add_nodes<5>(own);
        if constexpr (orders > 3)
            add_nodes<7>(own);
        if constexpr (orders > 4) {
            add_nodes<9>(own);
            add_nodes<11>(own);
        }
    }

    __device__ __forceinline__ void open(const item_state &state, int member, state_of_lane &own)
    {
        const std::uint32_t t = state.first + (std::uint32_t)space.member[member];
        own.target = target_of<Form2, Real>(job, t, from);
        fill_factors<Real, order_most>(own.target.lambda, own.factors);
        for (int c = 0; job.centre != nullptr && c < job.columns; c++)
            own.centre[c] =
                job.centre[(std::size_t)(job.column + c) * job.targets.m + job.targets.index[t]];
    }

    /* Adds what is listed to the sums of up to a warp's members. */
    __device__ __forceinline__ void add_batch(const item_state &state, int first, int members)
    {
        state_of_lane own;
        const int at = first + (int)threadIdx.x;
        open(state, min(at, members - 1), own);
        add_leaves(own);
        add_all_nodes(own);
        if (at >= members)
            return;
        const int member = space.member[at];
        space.w[member] += own.sums.w.total();
        for (int c = 0; c < Columns; c++)
            space.z[c][member] += own.sums.z[c].total();
    }

    __device__ void count_work(int members) const
    {
        int nodes = 0;
#pragma unroll
        for (int o = 0; o < orders; o++)
            nodes += lists.nodes[o];
        if (threadIdx.x != 0 || job.work == nullptr)
            return;
        atomicAdd(&job.work->pairs,
                  (unsigned long long)lists.leaves * leaf_points * (unsigned)members);
        atomicAdd(&job.work->nodes, (unsigned long long)nodes * (unsigned)members);
    }

    /* Adds what is listed to the members' sums. */
    __device__ void add_listed(const item_state &state, int members)
    {
        __syncwarp();
#pragma unroll 1
        for (int first = 0; first < members; first += 32)
            add_batch(state, first, members);
        __syncwarp();
        count_work(members);
        lists.clear();
    }

    __device__ void clear_members(int members)
    {
        for (int i = (int)threadIdx.x; i < members; i += 32) {
            const int own = space.member[i];
            space.w[own] = 0;
            for (int c = 0; c < Columns; c++)
                space.z[c][own] = 0;
        }
        __syncwarp();
    }

    __device__ void answer_members(const item_state &state, int members)
    {
        for (int i = (int)threadIdx.x; i < members; i += 32) {
            const int own = space.member[i];
            const std::size_t index = job.targets.index[state.first + (std::uint32_t)own];
            const double w = space.w[own];
            if (job.weight != nullptr)
                job.weight[index] = w;
            for (int c = 0; c < job.columns; c++)
                job.sums[(std::size_t)(job.column + c) * job.targets.m + index] =
                    space.z[c][own] / w;
        }
        __syncwarp();
    }

    /* Lists the next leaves of all; those before `next` have been summed. */
    __device__ std::uint32_t list_some(std::uint32_t next)
    {
        const std::uint32_t leaves = (job.cloud.n + leaf_points - 1) / leaf_points;
        const int count = (int)min((std::uint32_t)leaf_room, leaves - next);
        for (int i = (int)threadIdx.x; i < count; i += 32)
            space.leaf[i] = next + (std::uint32_t)i;
        lists.leaves = count;
        __syncwarp();
        return count == 0 || next + (unsigned)count == leaves ? UINT32_MAX : next + (unsigned)count;
    }

    /* Sums by the walk or, without rules, over all leaves. */
    __device__ void sum(const item_state &state, const region_view &view, waiting queue,
                        int members)
    {
        int shares = SHEPARD_ACCURACY_SHARES;
        std::uint32_t next = 0;
        const bool exact = view.accuracy == nullptr;
        if (!exact)
            begin_walk(far, queue);
        do {
            if (exact)
                next = list_some(next);
            while (queue.count > 0 && !lists.full())
                step_walk(view, far, shares, queue, lists);
            add_listed(state, members);
        } while (exact ? next != UINT32_MAX : queue.count > 0);
    }
};

/* Warps of a multiprocessor: more would leave each too few registers. */
constexpr int warps_least = 16;

template <bool Form2, class Real, class Stored, int Columns>
__global__ void __launch_bounds__(32, warps_least) sum_items(total_job job, far_view<Stored> far)
{
    extern __shared__ __align__(16) unsigned char shared[];
    auto &space = *reinterpret_cast<workspace<Real, Stored, Columns> *>(shared);
    waiting queue;
    queue.index = reinterpret_cast<std::uint32_t *>(
        shared + (sizeof(workspace<Real, Stored, Columns>) + 15) / 16 * 16);
    queue.level =
        reinterpret_cast<std::uint8_t *>(queue.index + waiting_of_level * max(far.levels, 1));
    queue.count = 0;
    for (;;) {
        unsigned item = 0;
        if (threadIdx.x == 0)
            item = atomicAdd(job.next, 1u);
        item = __shfl_sync(whole_warp, item, 0);
        if (item >= *job.items.count)
            return;
        const item_state state = open_item(job, far, item);
        for (int i = (int)threadIdx.x; i < state.targets; i += 32)
            space.group[i] = group_of(job, state, i);
        __syncwarp();
        int members, group = -1;
        while ((group = next_group(space, state.targets, group, &members)) != group_done) {
            summing<Form2, Real, Stored, Columns> work = {
                job, far, space, {{}, 0, space.node, space.leaf}, {}};
            const bool alone = group >= group_alone;
            work.from = sizeof(Real) == sizeof(float)
                            ? anchor_of(job, state, state.first + space.member[0], alone)
                            : anchor{0, 0, 1};
            work.clear_members(members);
            work.sum(state, view_of(job, state, group), queue, members);
            work.answer_members(state, members);
        }
    }
}

template <bool Form2, class Real, class Stored, int Columns>
void launch(const total_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    const auto kernel = sum_items<Form2, Real, Stored, Columns>;
    const std::size_t shared = (sizeof(workspace<Real, Stored, Columns>) + 15) / 16 * 16 +
                               waiting_of_level * (std::size_t)std::max(far.levels, 1) *
                                   (sizeof(std::uint32_t) + sizeof(std::uint8_t));
    int device = 0, processors = 0, blocks = 0;
    check(cudaGetDevice(&device), "asking for the device");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "asking for the device");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, shared),
          "planning the sums");
    check(cudaMemsetAsync(job.next, 0, sizeof *job.next, stream), "planning the sums");
    kernel<<<(unsigned)(processors * std::max(blocks, 1)), 32, shared, stream>>>(job, far);
    check_launch("summing");
}

} // namespace

} // namespace shepard

#endif
