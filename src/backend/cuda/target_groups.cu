/* SPDX-License-Identifier: MIT */
#include "backend/cuda/target_groups.cuh"

#include "backend/cuda/groups.cuh"

#include <algorithm>

namespace shepard
{

namespace
{

/* Groups as they are found. */
struct findings {
    std::uint32_t *member; /* [2 m]: of items, then of the cells where powers between are grouped */
    std::uint8_t *between; /* [m] of each item: bits that name the cell where its targets of powers
                              between are grouped, or no_cell_between; nullptr: nowhere */
    std::uint8_t *between_count; /* [m] how many of the item's these are: at the second of its
                                    places */
    group_record *record;
    std::uint8_t *number;  /* of a record's class */
    std::uint32_t *count;  /* [group_classes] */
    std::uint32_t *sorted; /* [group_classes] of them */
    std::uint32_t *found;  /* records */
    group_record *parent_record;
    std::uint32_t *parent_first; /* parent_list::first; nullptr: no group has a parent */
    int *parent_of_first;
    std::uint32_t *parents; /* how many there are */
};

__device__ int class_of(const all_points_job &job, const item_state &state,
                        const group_record &record)
{
    return number_of_class({(record.group & group_precise) != 0,
                            width_of(is_alone(record.group), record.members),
                            power_of_group(job, state, record.group) > 0});
}

__device__ void keep(const all_points_job &job, const item_state &state, const group_record &record,
                     const findings &to)
{
    const std::uint32_t at = atomicAdd(to.found, 1u);
    const int number = class_of(job, state, record);
    atomicAdd(&to.count[number], 1u);
    to.record[at] = record;
    to.number[at] = (std::uint8_t)number;
}

/* Targets and their groups, for a warp. */
template <std::uint32_t Most> struct assigned {
    std::uint32_t target[Most];
    int group[Most];

    /* The least group above one, group_done if there is none; lists its members. */
    __device__ int next(int count, int last, std::uint32_t *member, int *members) const
    {
        const int lane = (int)threadIdx.x % 32;
        int next = group_done;
        for (int i = lane; i < count; i += 32)
            if (group[i] > last)
                next = min(next, group[i]);
        next = __reduce_min_sync(whole_warp, next);
        *members = 0;
        for (int i = lane; next != group_done && i - lane < count; i += 32) {
            const bool in = i < count && group[i] == next;
            const unsigned mask = __ballot_sync(whole_warp, in);
            if (in)
                member[*members + before_lane(mask)] = target[i];
            *members += __popc(mask);
        }
        return next;
    }
};

__device__ bool is_in_cell(const all_points_job &job, std::uint32_t item, std::uint64_t name,
                           int rest)
{
    return job.key[job.items.first[item]] >> rest == name;
}

/* The first item whose key is not below one. */
__device__ std::uint32_t item_rank(const all_points_job &job, std::uint64_t key)
{
    std::uint32_t low = 0, high = *job.items.count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (job.key[job.items.first[middle]] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many items of a cell of a name so long come before one, which is in it: mostly few. */
__device__ std::uint32_t before_in_cell(const all_points_job &job, std::uint32_t item, int length)
{
    const int rest = hilbert_bits - length;
    const std::uint64_t name = job.key[job.items.first[item]] >> rest;
    const std::uint32_t back = threadIdx.x % 32 + 1;
    const unsigned outside =
        __ballot_sync(whole_warp, back > item || !is_in_cell(job, item - back, name, rest));
    if (outside != 0)
        return (unsigned)__ffs((int)outside) - 1;
    return item - item_rank(job, name << rest);
}

/* A parent cell and its first item. */
struct parent_cell {
    named_cell cell;
    std::uint32_t first;
};

/* A parent group's number is on its way. */
constexpr int parent_claimed = no_parent - 1;

/* Sees to it that there is a parent group for a group that may have one: a lane. */
__device__ void keep_parent(const all_points_job &job, const item_state &state, int group,
                            const parent_cell &of, const findings &to)
{
    const int range =
        to.parent_first != nullptr ? parent_range_of(job, state, group) : range_between;
    if (range == range_between)
        return;
    int *const number = &to.parent_of_first[parent_slot_of(of.first, range)];
    if (*number != no_parent || atomicCAS(number, no_parent, parent_claimed) != no_parent)
        return;
    const std::uint32_t at = atomicAdd(to.parents, 1u);
    to.parent_record[at] = {of.first, of.cell.length, of.cell.points, group_parent + range, 0, 0};
    *number = (int)at;
}

/* Keeps the groups of some targets, members from a place on. */
template <std::uint32_t Most>
__device__ void keep_groups(const all_points_job &job, std::uint32_t item, const named_cell &cell,
                            const parent_cell &parent, const item_state &state,
                            const assigned<Most> &all, int count, std::uint32_t first,
                            const findings &to)
{
    int members, next = -1;
    while ((next = all.next(count, next, to.member + first, &members)) != group_done) {
        if (threadIdx.x % 32 == 0) {
            keep(job, state, {item, cell.length, cell.points, next, first, (std::uint32_t)members},
                 to);
            keep_parent(job, state, next, parent, to);
        }
        first += (std::uint32_t)members;
    }
}

/* Keeps the groups of targets that stand alone, those of some lanes, members from first.first on;
 * how many. */
__device__ int keep_alone(const all_points_job &job, group_record first, const item_state &state,
                          const parent_cell &parent, std::uint32_t target, bool mine,
                          const findings &to)
{
    const unsigned mask = __ballot_sync(whole_warp, mine);
    if (mine) {
        first.first += (unsigned)before_lane(mask);
        to.member[first.first] = target;
        keep(job, state, first, to);
        keep_parent(job, state, first.group, parent, to);
    }
    return __popc(mask);
}

constexpr std::uint8_t no_cell_between = 255;

/* Whether a group's members may be grouped by a larger cell. */
__device__ bool has_powers_between(int group)
{
    return group != group_done && !is_alone(group) && range_of_group(group) == range_between;
}

/* A warp takes an item at a time. */
constexpr unsigned warps_most = 4096;
static_assert(item_targets < 256, "counts of an item's targets are bytes");

constexpr int find_warps = 4;

__global__ void __launch_bounds__(32 * find_warps)
    find_groups(const __grid_constant__ all_points_job job, findings to)
{
    __shared__ assigned<item_targets> of_warp[find_warps];
    assigned<item_targets> &all = of_warp[threadIdx.x / 32];
    const int lane = (int)threadIdx.x % 32;
    for (std::uint32_t item = blockIdx.x * find_warps + threadIdx.x / 32; item < *job.items.count;
         item += gridDim.x * find_warps) {
        const item_cells cells = cells_of_item(job, item);
        const item_state state = open_item(job, item, cells.own.length, cells.own.points);
        const bool shares = to.parent_first != nullptr;
        const parent_cell parent = {
            cells.parent, item - (shares ? before_in_cell(job, item, cells.parent.length) : 0)};
        const bool uniform = to.between != nullptr && has_uniform_power(job, cells.between);
        int between = 0, alone = 0;
        __syncwarp();
        for (int i = lane; i - lane < state.targets; i += 32) {
            const std::uint32_t t = state.first + (std::uint32_t)i;
            const int own = i < state.targets ? group_of(job, state, t) : group_done;
            const bool elsewhere = uniform && has_powers_between(own);
            const unsigned mask = __ballot_sync(whole_warp, elsewhere);
            if (elsewhere)
                to.member[job.targets.m + state.first + (unsigned)(between + before_lane(mask))] =
                    t;
            between += __popc(mask);
            const bool kept = own != group_done && is_alone(own);
            alone += keep_alone(
                job,
                {item, cells.own.length, cells.own.points, own, state.first + (unsigned)alone, 1},
                state, parent, t, kept, to);
            if (i < state.targets) {
                all.target[i] = t;
                all.group[i] = elsewhere || kept ? group_done : own;
            }
        }
        __syncwarp();
        if (to.between != nullptr && lane == 0) {
            to.between[item] = uniform ? (std::uint8_t)cells.between.length : no_cell_between;
            to.between_count[item] = (std::uint8_t)between;
        }
        if (shares && lane == 0)
            to.parent_first[item] = parent.first;
        keep_groups(job, item, cells.own, parent, state, all, state.targets,
                    state.first + (unsigned)alone, to);
    }
}

/* Items of a larger cell that a warp takes; a lane looks at one. */
constexpr std::uint32_t between_items = 16;

/* How many of its cell of a name so long there are from an item on, between_items at most. */
__device__ std::uint32_t in_cell_from(const all_points_job &job, std::uint32_t item, int length)
{
    const int rest = hilbert_bits - length;
    const std::uint64_t name = job.key[job.items.first[item]] >> rest;
    const std::uint32_t own = item + threadIdx.x;
    const unsigned outside =
        __ballot_sync(whole_warp, threadIdx.x >= between_items || own >= *job.items.count ||
                                      !is_in_cell(job, own, name, rest));
    return (unsigned)__ffs((int)outside) - 1;
}

constexpr std::uint32_t between_targets_most = 512; /* at a time */

/* Takes what items left, a lane for each item, as long as there is room; how many targets. *next:
 * the first item that is not taken. */
template <std::uint32_t Most>
__device__ int take_items(const all_points_job &job, const findings &from, std::uint32_t end,
                          assigned<Most> &to, std::uint32_t *next)
{
    static_assert(Most >= item_targets, "no item fits");
    const std::uint32_t item = *next + threadIdx.x;
    const int own = item < end ? from.between_count[item] : 0;
    const int up_to = sum_up_to(own);
    const bool fits = item < end && up_to <= (int)Most;
    const std::uint32_t *const left =
        from.member + job.targets.m + (fits ? job.items.first[item] : 0);
    for (int i = 0; fits && i < own; i++)
        to.target[up_to - own + i] = left[i];
    const int taken = __popc(__ballot_sync(whole_warp, fits));
    *next += (unsigned)taken;
    return __shfl_sync(whole_warp, up_to, taken - 1);
}

/* The warp of every between_items-th item of a larger cell takes what all up to the next such left.
 */
__global__ void find_groups_between(const __grid_constant__ all_points_job job, findings to)
{
    __shared__ assigned<between_targets_most> all;
    for (std::uint32_t item = blockIdx.x; item < *job.items.count; item += gridDim.x) {
        const int length = to.between[item];
        if (length == no_cell_between)
            continue;
        const std::uint32_t before = before_in_cell(job, item, length);
        if (before % between_items != 0)
            continue;
        const std::uint64_t key = job.key[job.items.first[item]];
        const std::uint32_t end = item + in_cell_from(job, item, length);
        const named_cell cell = named(job, key, length);
        const item_state state = open_item(job, item, cell.length, cell.points);
        std::uint32_t place = job.targets.m + state.first;
        for (std::uint32_t next = item; next < end;) {
            __syncwarp();
            const int count = take_items(job, to, end, all, &next);
            __syncwarp();
            for (int i = (int)threadIdx.x; i < count; i += 32)
                all.group[i] = group_of(job, state, all.target[i]);
            __syncwarp();
            /* Groups of powers between have no parent. */
            keep_groups(job, item, cell, {cell, item - before}, state, all, count, place, to);
            place += (unsigned)count;
        }
    }
}

__device__ std::uint32_t first_of_class(const findings &from, int number)
{
    std::uint32_t first = 0;
    for (int i = 0; i < number; i++)
        first += from.count[i];
    return first;
}

__global__ void sort_groups(findings from, group_record *to)
{
    const std::uint32_t lane = threadIdx.x % 32, found = *from.found;
    for (std::uint32_t first = blockIdx.x * blockDim.x + threadIdx.x - lane; first < found;
         first += gridDim.x * blockDim.x) {
        const std::uint32_t i = first + lane;
        const int number = i < found ? from.number[i] : group_classes;
        const unsigned alike = __match_any_sync(whole_warp, number);
        const int leader = __ffs((int)alike) - 1;
        std::uint32_t at = 0;
        if ((int)lane == leader && i < found)
            at = first_of_class(from, number) +
                 atomicAdd(&from.sorted[number], (unsigned)__popc(alike));
        at = __shfl_sync(whole_warp, at, leader);
        if (i < found)
            to[at + (unsigned)before_lane(alike)] = from.record[i];
    }
}

constexpr unsigned sort_threads = 256;

} // namespace

target_groups::target_groups(const all_points_job &job, const stream &in)
{
    const bool between =
        job.accuracy != nullptr && job.rule.adaptive && job.power[0] < job.power[power_ranges - 1];
    const cudaStream_t stream = in.get();
    const std::uint32_t m = job.targets.m;
    const block<group_record> record(m, stream);
    const block<std::uint8_t> number(m, stream);
    const block<std::uint32_t> count(2 * group_classes + 2, stream);
    const block<std::uint8_t> cell(between ? m : 0, stream), cell_count(between ? m : 0, stream);
    member_ = block<std::uint32_t>((between ? 2 : 1) * (std::size_t)m, stream);
    if (job.local != nullptr)
        make_room_for_parents(m, stream);
    const findings found = {member_.get(),
                            cell.get(),
                            cell_count.get(),
                            record.get(),
                            number.get(),
                            count.get() + 2,
                            count.get() + 2 + group_classes,
                            count.get() + 1,
                            parent_records_.get(),
                            parent_first_.get(),
                            parent_of_first_.get(),
                            count.get()};
    check(cudaMemsetAsync(count.get(), 0, count.bytes(), stream), "planning the sums");
    find_groups<<<std::min(warps_most, m), 32 * find_warps, 0, stream>>>(job, found);
    if (between)
        find_groups_between<<<std::min(warps_most, m), 32, 0, stream>>>(job, found);
    check_launch("planning the sums");
    std::uint32_t own[2 + group_classes];
    check(cudaMemcpyAsync(own, count.get(), sizeof own, cudaMemcpyDeviceToHost, stream),
          "planning the sums");
    in.wait("planning the sums");
    parent_count_ = own[0];
    for (int i = 0; i < group_classes; i++)
        first_[i + 1] = first_[i] + own[2 + i];
    const std::uint32_t all = first_[group_classes];
    records_ = block<group_record>(all, stream);
    if (all == 0)
        return;
    sort_groups<<<std::min(warps_most, blocks_for(all, sort_threads)), sort_threads, 0, stream>>>(
        found, records_.get());
    check_launch("planning the sums");
}

void target_groups::make_room_for_parents(std::uint32_t m, cudaStream_t stream)
{
    parent_records_ = block<group_record>(m, stream);
    parent_first_ = block<std::uint32_t>(m, stream);
    parent_of_first_ = block<int>(2 * (std::size_t)m, stream);
    check(cudaMemsetAsync(parent_of_first_.get(), no_parent, parent_of_first_.bytes(), stream),
          "planning the sums");
}

group_list target_groups::all() const
{
    return {records_.get(), first_[group_classes], member_.get()};
}

} // namespace shepard
