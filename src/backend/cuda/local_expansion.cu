/* SPDX-License-Identifier: MIT */
#include "backend/cuda/local_expansion.cuh"

#include "backend/cuda/groups.cuh"

#include <algorithm>

namespace shepard
{

namespace
{

template <class Node> struct expansion_job {
    all_points_job total;
    const group_record *records;
    list_view lists;
    typename Node::table_type least, largest; /* of the two powers */
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
template <class Node>
__device__ __forceinline__ void expand(const expansion_job<Node> &job,
                                       const typename Node::table_type &table,
                                       const far_view<float> &far, const cell_view &view)
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
            Node own(table, view, far.nodes[node]);
            add_node(own, moments, sums);
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
template <class Node>
__global__ void __launch_bounds__(32 * charges_at_once)
    expand_groups(const __grid_constant__ expansion_job<Node> job,
                  const __grid_constant__ far_view<float> far)
{
    const list_head &head = job.lists.head[blockIdx.x];
    if (head.waiting == list_done || head.local == 0)
        return;
    const group_record record = job.records[blockIdx.x];
    const item_state state = open_item(job.total, record.item, record.length, record.points);
    const double power = job.total.power[range_of_group(record.group)];
    const cell_view view = {anchor_of(job.total, state, 0, false), power / 2,
                            -local_exponent(weight_floor_of(job.total, state, record.group), power),
                            job.total.smoothing2};
    if (range_of_group(record.group) == 0)
        expand<Node>(job, job.least, far, view);
    else
        expand<Node>(job, job.largest, far, view);
}

template <class Node>
void launch(const all_points_job &job, const group_list &groups, const list_view &lists,
            const far_view<float> &far, cudaStream_t stream)
{
    expansion_job<Node> work = {job, groups.records, lists, {}, {}};
    fill(job.power[0], &work.least);
    fill(job.power[power_ranges - 1], &work.largest);
    expand_groups<Node><<<groups.count, dim3(32, charges_at_once), 0, stream>>>(work, far);
    check_launch("expanding about cells");
}

} // namespace

void fill(double power, local_table *table)
{
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
                    table->number[next++] = (float)(part * (ahead + back));
                    if (m > 0 && 2 * b < degree)
                        table->number[next++] = (float)(part * (ahead - back));
                }
}

void fill(double power, smoothed_table *table)
{
    for (int degree = 0; degree <= local_order; degree++)
        for (int k = 0; 2 * k <= degree; k++) {
            const double product = factorial(degree - k) * factorial(k);
            const double sign = degree % 2 == 0 ? 1 : -1, twice = (2 * k < degree ? 2 : 1) / 2.0;
            table->of_moment[pair_number(degree, k)] = (float)(1 / product);
            table->of_coefficient[pair_number(degree, k)] = (float)(sign * twice / product);
            for (int j = 0; j <= k; j++) {
                const int at = smooth_at(degree, k) + j;
                table->number[at] = (float)(smooth_number(at, power / 2) * (j == k ? product : 1));
            }
        }
}

void expand_locally(const all_points_job &job, const group_list &groups, const list_view &lists,
                    const far_view<float> &far, cudaStream_t stream)
{
    if (job.smoothing2 > 0)
        launch<smoothed_node>(job, groups, lists, far, stream);
    else
        launch<plain_node>(job, groups, lists, far, stream);
}

} // namespace shepard
