/* SPDX-License-Identifier: MIT */
#include "backend/cuda/plan.cuh"

#include "backend/cuda/groups.cuh"

#include <algorithm>

namespace shepard
{

namespace
{

/* Groups as they are found. */
struct findings {
    std::uint32_t *member;
    group_record *record;
    std::uint8_t *number; /* of a record's class */
    std::uint32_t *found; /* records */
    std::uint32_t *count; /* [group_classes] */
};

__device__ int class_of(const total_job &job, const item_state &state, const group_record &record)
{
    return number_of_class({(record.group & group_precise) != 0,
                            power_of_group(job, state, record.group) > 0,
                            record.members >= narrow_least && record.members <= narrow_most});
}

__device__ void keep(const total_job &job, const item_state &state, const group_record &record,
                     const findings &to)
{
    const std::uint32_t at = atomicAdd(to.found, 1u);
    const int number = class_of(job, state, record);
    atomicAdd(&to.count[number], 1u);
    to.record[at] = record;
    to.number[at] = (std::uint8_t)number;
}

/* Lists the groups of an item's targets. */
__device__ void keep_groups(const total_job &job, std::uint32_t item, std::uint32_t points,
                            const item_state &state, const int *group, const findings &to)
{
    std::uint32_t first = state.first;
    int members, next = -1;
    while ((next = next_group(group, state, next, to.member + first, &members)) != group_done) {
        if (threadIdx.x == 0)
            keep(job, state, {item, points, next, first, (std::uint32_t)members}, to);
        first += (std::uint32_t)members;
    }
}

/* A warp takes an item at a time. */
constexpr unsigned warps_most = 4096;

__global__ void find_groups(const __grid_constant__ total_job job, findings to)
{
    __shared__ int group[item_targets];
    for (std::uint32_t item = blockIdx.x; item < *job.items.count; item += gridDim.x) {
        const std::uint32_t points = points_of_item(job, item);
        const item_state state = open_item(job, item, points);
        __syncwarp();
        for (int i = (int)threadIdx.x; i < state.targets; i += 32)
            group[i] = group_of(job, state, i);
        __syncwarp();
        keep_groups(job, item, points, state, group, to);
    }
}

/* next: [group_classes] where the next of a class goes. */
__global__ void sort_groups(findings from, std::uint32_t *next, group_record *to)
{
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < *from.found;
         i += gridDim.x * blockDim.x)
        to[atomicAdd(&next[from.number[i]], 1u)] = from.record[i];
}

constexpr unsigned sort_threads = 256;

} // namespace

plan::plan(const total_job &job, const stream &in) : member_(job.targets.m, in.get())
{
    const cudaStream_t stream = in.get();
    const std::uint32_t m = job.targets.m;
    const block<group_record> record(m, stream);
    const block<std::uint8_t> number(m, stream);
    const block<std::uint32_t> count(group_classes + 1, stream);
    const findings found = {member_.get(), record.get(), number.get(), count.get() + group_classes,
                            count.get()};
    check(cudaMemsetAsync(count.get(), 0, count.bytes(), stream), "planning the sums");
    find_groups<<<std::min(warps_most, m), 32, 0, stream>>>(job, found);
    check_launch("planning the sums");
    std::uint32_t own[group_classes];
    check(cudaMemcpyAsync(own, count.get(), sizeof own, cudaMemcpyDeviceToHost, stream),
          "planning the sums");
    in.wait("planning the sums");
    for (int i = 0; i < group_classes; i++)
        first_[i + 1] = first_[i] + own[i];
    const std::uint32_t all = first_[group_classes];
    records_ = block<group_record>(all, stream);
    if (all == 0)
        return;
    check(cudaMemcpyAsync(count.get(), first_, sizeof own, cudaMemcpyHostToDevice, stream),
          "planning the sums");
    sort_groups<<<std::min(warps_most, blocks_for(all, sort_threads)), sort_threads, 0, stream>>>(
        found, count.get(), records_.get());
    check_launch("planning the sums");
}

group_list plan::all() const
{
    return {records_.get(), first_[group_classes], member_.get()};
}

} // namespace shepard
