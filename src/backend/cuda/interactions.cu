/* SPDX-License-Identifier: MIT */
#include "backend/cuda/interactions.cuh"

#include "backend/cuda/groups.cuh"
#include "backend/cuda/walk.cuh"

namespace shepard
{

namespace
{

struct walk_job {
    all_points_job total;
    const group_record *records;
    list_view to;
    int round;
};

template <int Orders>
__device__ void count_work(const walk_job &job, const listed<Orders> &lists, std::uint32_t members)
{
    int nodes = 0;
#pragma unroll
    for (int o = 0; o < Orders; o++)
        nodes += lists.nodes[o];
    atomicAdd(&job.total.work->pairs, (unsigned long long)lists.points * members);
    atomicAdd(&job.total.work->nodes,
              (unsigned long long)nodes * members + (unsigned long long)lists.local);
}

template <int Orders>
__device__ void finish(const walk_job &job, const listed<Orders> &lists, int waiting, float left,
                       std::uint32_t members)
{
    list_head head = {};
    head.points = lists.points;
#pragma unroll
    for (int o = 0; o < Orders; o++)
        head.nodes[o] = lists.nodes[o];
    head.local = lists.local;
    head.waiting = waiting;
    head.left = left;
    job.to.head[blockIdx.x] = head;
    if (waiting > 0)
        atomicAdd(job.to.left, 1);
    if (job.total.work != nullptr)
        count_work(job, lists, members);
}

/* Brings the rules of a walk near. */
__device__ void bring(const shepard_accuracy *from, shepard_accuracy &to)
{
    constexpr int words = (int)(sizeof(shepard_accuracy) / sizeof(float));
    static_assert(words * sizeof(float) == sizeof(shepard_accuracy), "rules are not whole words");
    const float *const source = reinterpret_cast<const float *>(from);
    for (int i = (int)threadIdx.x; from != nullptr && i < words; i += 32)
        reinterpret_cast<float *>(&to)[i] = source[i];
}

template <int Orders, class Rules>
__device__ __forceinline__ void walk(const Rules &rules, const Rules &local,
                                     const region_view &view, const far_tree &far, float &left,
                                     waiting &queue, listed<Orders> &lists)
{
    while (queue.count > 0 && !lists.full())
        step_walk(rules, local, view, far, left, queue, lists);
}

/* A warp walks for a group. */
template <int Orders> __global__ void walk_groups(const __grid_constant__ walk_job job)
{
    extern __shared__ std::uint32_t shared[];
    __shared__ shepard_accuracy rules, local;
    const group_record record = job.records[blockIdx.x];
    list_head &head = job.to.head[blockIdx.x];
    waiting queue = {shared, 0};
    std::uint32_t *const kept =
        job.to.queue + (std::size_t)blockIdx.x * (unsigned)job.to.queue_room;
    float left = 0;
    if (job.round == 0) {
        begin_walk(job.total.tree, queue);
    } else {
        queue.count = head.waiting;
        left = head.left;
        __syncwarp();
        if (queue.count <= 0) {
            head.waiting = list_done;
            return;
        }
        for (int i = (int)threadIdx.x; i < queue.count; i += 32)
            queue.node[i] = kept[i];
        __syncwarp();
    }
    const item_state state = open_item(job.total, record.item, record.length, record.points);
    const region_view view = view_of(job.total, state, record.group);
    bring(view.accuracy, rules);
    bring(view.local, local);
    __syncwarp();
    if (job.round == 0)
        left = (float)shepard_mac_budget(view.accuracy);
    listed<Orders> lists = {{},
                            0,
                            0,
                            job.to.nodes_of(blockIdx.x, 0),
                            job.to.points_of(blockIdx.x),
                            job.to.local_of(blockIdx.x)};
    if (rules.parts == 1)
        walk(one_part<Orders>(rules), one_part<Orders>(local), view, job.total.tree, left, queue,
             lists);
    else
        walk(several_parts{&rules}, several_parts{&local}, view, job.total.tree, left, queue,
             lists);
    for (int i = (int)threadIdx.x; i < queue.count; i += 32)
        kept[i] = queue.node[i];
    if (threadIdx.x == 0)
        finish(job, lists, queue.count, left, record.members);
}

} // namespace

lists::lists(const far_tree &tree, std::uint32_t groups, int charges, bool planes, list_room &room,
             cudaStream_t stream)
    : head_(groups, stream),
      queue_((std::size_t)groups * (unsigned)waiting_most(tree.depth), stream),
      coefficients_((std::size_t)groups * (unsigned)(charges * local_coefficients), stream),
      planes_(planes ? groups : 0, stream), left_(1, stream)
{
    view_ = {head_.get(),   nullptr,     queue_.get(), coefficients_.get(),
             planes_.get(), left_.get(), tree.orders,  waiting_most(tree.depth),
             charges};
    const std::size_t entries = (std::size_t)groups * view_.entries();
    if (room.size() < entries) {
        room = list_room();
        room = list_room(entries, stream);
    }
    view_.entry = room.get();
}

void lists::begin_round(cudaStream_t stream)
{
    check(cudaMemsetAsync(left_.get(), 0, left_.bytes(), stream), "walking the tree");
}

bool lists::go_on(const stream &in) const
{
    int left = 0;
    check(cudaMemcpyAsync(&left, left_.get(), sizeof left, cudaMemcpyDeviceToHost, in.get()),
          "walking the tree");
    in.wait("walking the tree");
    return left > 0;
}

void list_groups(const all_points_job &job, const group_list &groups, const list_view &to,
                 int round, cudaStream_t stream)
{
    const walk_job work = {job, groups.records, to, round};
    const std::size_t shared = (std::size_t)to.queue_room * sizeof(std::uint32_t);
    if (to.orders <= far_orders_single)
        walk_groups<far_orders_single><<<groups.count, 32, shared, stream>>>(work);
    else
        walk_groups<far_orders_max><<<groups.count, 32, shared, stream>>>(work);
    check_launch("walking the tree");
}

} // namespace shepard
