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
    parent_view parents;
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
                       int parent, std::uint32_t members)
{
    list_head head = {};
    head.parent = parent;
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

__device__ std::uint32_t *queue_of(const list_view &lists, int group)
{
    return lists.queue + (std::size_t)group * (unsigned)lists.queue_room;
}

/* Both begin a walk, at the top or with the nodes that another left, and say what is left of the
 * budget. */
__device__ float begin(const far_tree &tree, const region_view &view, waiting &queue)
{
    begin_walk(tree, queue);
    return (float)shepard_mac_budget(view.accuracy);
}

__device__ float go_on(const list_head &head, const std::uint32_t *kept, waiting &queue)
{
    queue.count = head.waiting;
    for (int i = (int)threadIdx.x; i < queue.count; i += 32)
        queue.node[i] = kept[i];
    __syncwarp();
    return head.left;
}

/* The parent group that a group shares with: of one whose weight floor is no higher. */
__device__ int parent_of_group(const walk_job &job, const item_state &state, int group,
                               std::uint32_t item)
{
    const parent_list &list = job.parents.list;
    const int range =
        list.of_first != nullptr ? parent_range_of(job.total, state, group) : range_between;
    if (range == range_between)
        return no_parent;
    const int parent = list.of_first[parent_slot_of(list.first[item], range)];
    if (job.parents.lists.head[parent].waiting == list_done)
        return no_parent;
    const double own =
        local_exponent(weight_floor_of(job.total, state, group), job.total.power[range]);
    return job.parents.place[parent].exponent <= own ? parent : no_parent;
}

/* Parts of the budget that a node may cost in a parent group's local expansion, and in that of a
 * group that has a parent: what is spent there, nodes near by do not have. Measured one by one. */
constexpr float cost_in_parent = 0x1p-8f, cost_beside_parent = 0x1p-8f;

template <int Orders> __global__ void walk_parents(const __grid_constant__ walk_job job)
{
    __shared__ std::uint32_t node[2][parent_room];
    __shared__ shepard_accuracy local;
    const group_record record = job.records[blockIdx.x];
    const item_state state = open_item(job.total, record.item, record.length, record.points);
    region_view view = view_of(job.total, state, record.group);
    waiting queue = {node[0], 0}, rest = {node[1], 0};
    list_head head = {};
    head.waiting = list_done;
    if (view.local != nullptr) {
        bring(view.local, local);
        const float budget = (float)shepard_mac_budget(view.accuracy);
        head.left = budget;
        view.local_most = cost_in_parent * budget;
        begin_walk(job.total.tree, queue);
        const one_part<Orders> rules(local);
        /* Of 32 nodes taken at most 64 are put back, here or there. */
        while (queue.count > 0 && queue.count + rest.count <= parent_room - 32 &&
               head.local <= local_room - 32)
            step_parent<Orders>(rules, view, job.total.tree, head.left, queue, rest,
                                job.to.local_of(blockIdx.x), head.local);
        head.waiting = rest.count + queue.count;
    }
    std::uint32_t *const kept = queue_of(job.to, blockIdx.x);
    for (int i = (int)threadIdx.x; i < head.waiting; i += 32)
        kept[i] = i < queue.count ? queue.node[i] : rest.node[i - queue.count];
    if (threadIdx.x != 0)
        return;
    const double power = job.total.power[range_of_group(record.group)];
    if (job.total.work != nullptr)
        atomicAdd(&job.total.work->nodes, (unsigned long long)head.local);
    job.to.head[blockIdx.x] = head;
    job.parents.place[blockIdx.x] = {
        anchor_of(job.total, state, 0, false),
        local_exponent(weight_floor_of(job.total, state, record.group), power)};
}

/* A warp walks for a group. */
template <int Orders> __global__ void walk_groups(const __grid_constant__ walk_job job)
{
    extern __shared__ std::uint32_t shared[];
    __shared__ shepard_accuracy rules, local;
    const group_record record = job.records[blockIdx.x];
    list_head &head = job.to.head[blockIdx.x];
    waiting queue = {shared, 0};
    std::uint32_t *const kept = queue_of(job.to, blockIdx.x);
    if ((job.to.before != nullptr && *job.to.before > 0) || (job.round > 0 && head.waiting <= 0)) {
        __syncwarp();
        head.waiting = list_done;
        return;
    }
    const item_state state = open_item(job.total, record.item, record.length, record.points);
    region_view view = view_of(job.total, state, record.group);
    bring(view.accuracy, rules);
    bring(view.local, local);
    const int parent =
        job.round > 0 ? head.parent : parent_of_group(job, state, record.group, record.item);
    float left = 0;
    if (job.round > 0)
        left = go_on(head, kept, queue);
    else if (parent != no_parent)
        left = go_on(job.parents.lists.head[parent], queue_of(job.parents.lists, parent), queue);
    else
        left = begin(job.total.tree, view, queue);
    if (parent != no_parent)
        view.local_most = cost_beside_parent * (float)shepard_mac_budget(view.accuracy);
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
        finish(job, lists, queue.count, left, parent, record.members);
}

} // namespace

lists::lists(const list_shape &shape, std::uint32_t groups, std::uint32_t *entry,
             cudaStream_t stream)
    : head_{{groups, stream}, {groups, stream}},
      queue_((std::size_t)groups * (unsigned)shape.queue_room, stream),
      coefficients_((std::size_t)groups * (unsigned)(shape.charges * local_coefficients), stream),
      planes_(shape.planes ? groups : 0, stream), left_(2, stream)
{
    static_cast<list_shape &>(view_) = shape;
    view_.entry = entry;
    view_.queue = queue_.get();
    view_.coefficients = coefficients_.get();
    view_.planes_of = planes_.get();
}

list_view lists::view(int turn, bool ahead) const
{
    list_view view = view_;
    view.head = head_[turn].get();
    view.left = left_.get() + turn;
    view.before = ahead ? left_.get() + (turn ^ 1) : nullptr;
    return view;
}

void lists::begin_round(int turn, cudaStream_t stream)
{
    check(cudaMemsetAsync(left_.get() + turn, 0, sizeof(int), stream), "walking the tree");
}

bool lists::go_on(int turn, const stream &in) const
{
    int left = 0;
    check(cudaMemcpyAsync(&left, left_.get() + turn, sizeof left, cudaMemcpyDeviceToHost, in.get()),
          "walking the tree");
    in.wait("walking the tree");
    return left > 0;
}

void list_parents(const all_points_job &job, const parent_view &to, cudaStream_t stream)
{
    if (to.list.count == 0)
        return;
    const walk_job work = {job, to.list.records, to, to.lists, 0};
    if (job.tree.orders <= far_orders_single)
        walk_parents<far_orders_single><<<to.list.count, 32, 0, stream>>>(work);
    else
        walk_parents<far_orders_max><<<to.list.count, 32, 0, stream>>>(work);
    check_launch("walking the tree");
}

void list_groups(const all_points_job &job, const group_list &groups, const parent_view &parents,
                 const list_view &to, int round, cudaStream_t stream)
{
    const walk_job work = {job, groups.records, parents, to, round};
    const std::size_t shared = (std::size_t)to.queue_room * sizeof(std::uint32_t);
    if (to.orders <= far_orders_single)
        walk_groups<far_orders_single><<<groups.count, 32, shared, stream>>>(work);
    else
        walk_groups<far_orders_max><<<groups.count, 32, shared, stream>>>(work);
    check_launch("walking the tree");
}

} // namespace shepard
