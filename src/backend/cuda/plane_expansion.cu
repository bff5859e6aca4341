/* SPDX-License-Identifier: MIT */
#include "backend/cuda/groups.cuh"
#include "backend/cuda/plane_expansion_kernels.cuh"

namespace shepard
{

namespace
{

struct plane_expansion_job {
    sum_job of;
    product_table table;
    int range; /* of powers, for whose groups the table is */
};

__global__ void __launch_bounds__(expansion_threads, 2)
    expand_groups(const __grid_constant__ plane_expansion_job job,
                  const __grid_constant__ far_view<double> far)
{
    extern __shared__ __align__(16) unsigned char shared[];
    const list_view &lists = job.of.lists;
    const list_head &head = lists.head[blockIdx.x];
    const group_record record = job.of.groups.records[blockIdx.x];
    if (head.waiting == list_done || head.local == 0 || range_of_group(record.group) != job.range)
        return;
    const all_points_job &total = job.of.total;
    const item_state state = open_item(total, record.item, record.length, record.points);
    const double power = total.power[job.range];
    expand_nodes(total, job.table, far, lists.local_of(blockIdx.x), head.local,
                 anchor_of(total, state, 0, false), power,
                 local_exponent(weight_floor_of(total, state, record.group), power),
                 reinterpret_cast<expansion_room *>(shared), lists.planes_of[blockIdx.x]);
}

} // namespace

void expand_planes(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    constexpr int bytes = expansion_warps * (int)sizeof(expansion_room);
    check(cudaFuncSetAttribute(expand_groups, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "planning the expansions");
    const double least = job.total.power[0], largest = job.total.power[power_ranges - 1];
    for (const int range : {0, power_ranges - 1}) {
        if (range > 0 && largest == least)
            continue;
        static_assert(sizeof(plane_expansion_job) + sizeof far <= 4096, "more than a kernel takes");
        expand_groups<<<job.groups.count, expansion_threads, bytes, stream>>>(
            {job, table_of(job.total.power[range]), range}, far);
        check_launch("expanding about cells");
    }
}

} // namespace shepard
