/* SPDX-License-Identifier: MIT */
#include "backend/cuda/local_expansion.cuh"

#include "backend/cuda/groups.cuh"

#include <algorithm>

namespace shepard
{

namespace
{

struct expansion_job {
    all_points_job total;
    const group_record *records;
    list_view lists;
    local_table least, largest; /* of the two powers */
};

/* Warps of a block: each takes a charge at a time. */
constexpr int charges_at_once = 2;

/* The sums of a warp's lanes. */
__device__ void add_lanes(float *sums)
{
#pragma unroll
    for (int i = 0; i < local_coefficients; i++)
#pragma unroll
        for (int apart = 16; apart > 0; apart /= 2)
            sums[i] = real_sum(sums[i], __shfl_xor_sync(whole_warp, sums[i], apart));
}

/* Lanes take nodes in turn. */
__device__ __forceinline__ void expand(const expansion_job &job, const local_table &table,
                                       const far_view<float> &far, const anchor &middle,
                                       double power, double exponent)
{
    const std::uint32_t group = blockIdx.x;
    const int count = job.lists.head[group].local;
    const std::uint32_t *const nodes = job.lists.local_of(group);
    for (int charge = (int)threadIdx.y; charge < far.charges; charge += charges_at_once) {
        float sums[local_coefficients] = {};
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < count; i += 32) {
            const std::size_t node = nodes[i];
            float moments[local_coefficients];
            read_local(far.moments +
                           (node * (unsigned)far.charges + (unsigned)charge) * (unsigned)far.stride,
                       moments);
            add_node(table, see_from(middle, far.nodes[node], power / 2, exponent), moments, sums);
        }
        __syncwarp();
        add_lanes(sums);
        float *const to = job.lists.coefficients_of(group, charge);
        if (threadIdx.x == 0)
#pragma unroll
            for (int i = 0; i < local_coefficients; i += 4)
                write_four(sums + i, to + i);
    }
}

/* The two calls are two copies of the code: tables are operands of its instructions. */
__global__ void __launch_bounds__(32 * charges_at_once)
    expand_groups(const __grid_constant__ expansion_job job,
                  const __grid_constant__ far_view<float> far)
{
    const list_head &head = job.lists.head[blockIdx.x];
    if (head.waiting == list_done || head.local == 0)
        return;
    const group_record record = job.records[blockIdx.x];
    const item_state state = open_item(job.total, record.item, record.length, record.points);
    const anchor middle = anchor_of(job.total, state, 0, false);
    const double power = job.total.power[range_of_group(record.group)];
    const double exponent = -local_exponent(weight_floor_of(job.total, state, record.group), power);
    if (range_of_group(record.group) == 0)
        expand(job, job.least, far, middle, power, exponent);
    else
        expand(job, job.largest, far, middle, power, exponent);
}

} // namespace

local_table local_table_of(double power)
{
    local_table table = {};
    const double lambda = power / 2;
    int next = 0;
    for (int q = 0; 2 * q <= local_order; q++)
        for (int m = local_order - 2 * q; m >= 0; m--)
            for (int degree = local_order - 2 * q - m; degree >= 0; degree--)
                for (int b = 0; 2 * b <= degree; b++) {
                    const int p = m + q, a = degree - b;
                    const double sign = m % 2 == 0 ? 1 : -1, twice = (m > 0 ? 2 : 1) / 2.0;
                    const double part =
                        sign * twice / (factorial(p) * factorial(q) * factorial(a) * factorial(b));
                    const double ahead = rising(lambda, p + a) * rising(lambda, q + b);
                    const double back = rising(lambda, p + b) * rising(lambda, q + a);
                    table.number[next++] = (float)(part * (ahead + back));
                    if (m > 0 && 2 * b < degree)
                        table.number[next++] = (float)(part * (ahead - back));
                }
    return table;
}

void expand_locally(const all_points_job &job, const group_list &groups, const list_view &lists,
                    const far_view<float> &far, cudaStream_t stream)
{
    const expansion_job work = {job, groups.records, lists, local_table_of(job.power[0]),
                                local_table_of(job.power[power_ranges - 1])};
    expand_groups<<<groups.count, dim3(32, charges_at_once), 0, stream>>>(work, far);
    check_launch("expanding about cells");
}

} // namespace shepard
