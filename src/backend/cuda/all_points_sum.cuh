/* SPDX-License-Identifier: MIT */
/* The kernel that sums what is listed for a group of targets, for the sources that instantiate it.
 * A block takes a group: it brings some points or nodes at a time into shared memory, and each lane
 * sums them for its target. Mirrors kernel/sum_single_impl.h and sum_double_impl.h. */
#ifndef SHEPARD_BACKEND_CUDA_ALL_POINTS_SUM_CUH
#define SHEPARD_BACKEND_CUDA_ALL_POINTS_SUM_CUH

#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/groups.cuh"
#include "backend/cuda/local_expansion.cuh"
#include "backend/cuda/pair_sums.cuh"

#include <algorithm>

namespace shepard
{

namespace
{

/* Nodes in shared memory at a time; of one target few are listed. */
template <class Real, int Columns, int Threads> __host__ __device__ constexpr int staged_nodes()
{
    const int most = Threads == threads_of(group_width::one_warp) ? 16 : 32;
    return sizeof(Real) == sizeof(float) && Columns == 1 ? most : 8;
}

template <class Real> struct most_orders;
template <> struct most_orders<float> {
    static constexpr int value = far_orders_single;
};
template <> struct most_orders<double> {
    static constexpr int value = far_orders_max;
};

/* Nodes in shared memory. The lanes of a warp read the same node, every fourth one, or one after
 * the other (sum_of_pieces), a vector of 16 bytes at a time. They do so from different banks, as
 * nodes are an odd number of vectors apart, and one more after each eighth. */
template <class Real, class Stored, int Columns, int Threads> struct node_stage {
    static constexpr int count = staged_nodes<Real, Columns, Threads>();
    static constexpr int terms = moments_apart(SHEPARD_ORDER(most_orders<Real>::value - 1));
    static constexpr int vector_numbers = 16 / (int)sizeof(Stored), banks_vectors = 8;

    /* Where a node's moments begin, in numbers; they stand one charge after the other. */
    __host__ __device__ static constexpr int place_of_moments(int node, int apart)
    {
        const int vectors = (1 + Columns) * apart / vector_numbers;
        return (node * (vectors | 1) + node / banks_vectors) * vector_numbers;
    }
    /* Of its place, which is a vector. */
    __host__ __device__ static constexpr int place_of_spot(int node)
    {
        return node + node / banks_vectors;
    }

    raw_node raw[count]; /* as they are copied: each thread makes ready what it copied itself */
    alignas(16) Stored moments[copies][place_of_moments(count, terms)];
    spot<Real> at[copies][place_of_spot(count)];
    Real radius[copies][count];

    static_assert(sizeof(spot<Real>) == 16, "a place is no vector");
};

template <class Real> constexpr int order_most = SHEPARD_ORDER(most_orders<Real>::value - 1);

template <class Real, class Stored, int Columns, bool Smooth, int Threads> struct workspace {
    using node_stage_type = node_stage<Real, Stored, Columns, Threads>;
    static constexpr int factors = node_stage_type::terms;
    static constexpr int ratios = Smooth ? smooth_ratios(order_most<Real>) : 0;
    union {
        point_stage<Real, Columns> points;
        node_stage_type nodes;
    };
    /* Of a group's power: what is multiplied into moments; with smoothing smooth_ratio. */
    alignas(16) Real factor[factors + ratios];
};

/* A lane's target and sums, and what nodes need. */
template <class Real, int Columns, bool Smooth>
struct node_lane : lane_state<Real, Columns, spot<Real>> {
    Real factors[Smooth ? rising_numbers(order_most<Real>) : order_most<Real> + 1];
};

/* Smooth: with smoothing and nodes. */
template <bool Form2, bool OnePower, bool Leaving, bool Smooth, int Threads, class Real,
          class Stored, int Columns>
struct summing : pair_summing<Form2, Leaving, Threads, all_points_job, Real, Columns, spot<Real>> {
    using pairs = pair_summing<Form2, Leaving, Threads, all_points_job, Real, Columns, spot<Real>>;
    using own_state = node_lane<Real, Columns, Smooth>;
    using pairs::from;
    using pairs::sharing;
    static constexpr int at_once = staged_nodes<Real, Columns, Threads>();

    const sum_job &job;
    const far_view<Stored> &far;
    workspace<Real, Stored, Columns, Smooth, Threads> &space;
    double power, exponent; /* of a group of one; local_exponent */

    /* ---- nodes
     * ----------------------------------------------------------------------------------- */

    /* Some nodes of one order. */
    struct node_run {
        int order; /* its number; past the last: no more work */
        int first, count;
        const std::uint32_t *list;
    };

    /* The next from a place of an order's list on. */
    __device__ node_run run_from(int order, int first) const
    {
        const list_head &head = job.lists.head[blockIdx.x];
        while (order < job.lists.orders && first >= head.nodes[order]) {
            order++;
            first = 0;
        }
        if (order >= job.lists.orders)
            return {order, 0, 0, nullptr};
        return {order, first, min(at_once, head.nodes[order] - first),
                job.lists.nodes_of(blockIdx.x, order) + first};
    }

    /* So many lanes take a node. */
    static constexpr int team = Threads / at_once;

    /* Begins to copy so many times 16 bytes. */
    __device__ __forceinline__ static void copy_vectors(void *to, const void *from, int count)
    {
#pragma unroll
        for (int i = 0; i < count; i++)
            __pipeline_memcpy_async(static_cast<char *>(to) + 16 * i,
                                    static_cast<const char *>(from) + 16 * i, 16);
    }

    /* Begins to copy nodes and their moments into shared memory. */
    __device__ void fetch_nodes(const node_run &run, int turn)
    {
        const int node = (int)threadIdx.x / team, mate = (int)threadIdx.x % team;
        if (node < run.count) {
            const int apart = moments_apart(SHEPARD_ORDER(run.order));
            const std::size_t number = run.list[node];
            const Stored *const all = far.moments + number * (unsigned)(far.charges * far.stride);
            auto &to = space.nodes;
            if (mate == 0)
                copy_vectors(&to.raw[node], &far.nodes[number], raw_bytes / 16);
            Stored *const place = to.moments[turn] + to.place_of_moments(node, apart);
#pragma unroll 1
            for (int charge = 0; charge <= job.total.columns; charge++) {
                const int column = charge == 0 ? 0 : job.total.column + charge;
#pragma unroll 1
                for (int i = 4 * mate; i < apart; i += 4 * team)
                    copy_vectors(place + charge * apart + i, all + column * far.stride + i,
                                 4 * (int)sizeof(Stored) / 16);
            }
        }
        __pipeline_commit();
    }

    /* Makes ready what was copied: places, and moments with the factors of the power in them. */
    __device__ void prepare_nodes(const node_run &run, int turn)
    {
        const int node = (int)threadIdx.x / team, mate = (int)threadIdx.x % team;
        if (node >= run.count)
            return;
        auto &nodes = space.nodes;
        if (mate == 0) {
            const raw_node &raw = nodes.raw[node];
            nodes.at[turn][nodes.place_of_spot(node)] = spot<Real>::at(from, raw.x, raw.y);
            nodes.radius[turn][node] = (Real)(raw.scale * from.scale);
        }
        if constexpr (OnePower) {
            const int apart = moments_apart(SHEPARD_ORDER(run.order));
            Stored *const place = nodes.moments[turn] + nodes.place_of_moments(node, apart);
#pragma unroll 1
            for (int i = 4 * mate; i < apart; i += 4 * team) {
                Real by[4];
                read_four(space.factor + i, by);
#pragma unroll
                for (int charge = 0; charge <= Columns; charge++) {
                    Real own[4];
                    read_four(place + charge * apart + i, own);
#pragma unroll
                    for (int j = 0; j < 4; j++)
                        own[j] *= by[j];
                    write_four(own, place + charge * apart + i);
                }
            }
        }
    }

    __device__ __forceinline__ auto factors_of(const own_state &own) const
    {
        if constexpr (Smooth)
            return factors_smoothed<OnePower, OnePower, Real, order_most<Real>>{
                OnePower ? space.factor + space.factors : own.factors};
        else if constexpr (OnePower)
            return factors_inside{};
        else
            return factors_of_lane<Real>{own.factors};
    }

    /* Where a node's numbers are: from node to node of a part at equal distances. */
    struct node_place {
        int node, spot, moments;
    };

    template <int Order>
    __device__ __forceinline__ void add_staged_nodes(own_state &own, int count, int turn)
    {
        constexpr int apart = moments_apart(Order);
        const auto &nodes = space.nodes;
        const Real smoothing2 = pairs::scaled_smoothing2();
        const auto place_of = [&](int part, int piece) {
            const int node = part * part_pieces, moments = nodes.place_of_moments(node, apart);
            return node_place{node + piece, nodes.place_of_spot(node) + piece,
                              moments + piece * nodes.place_of_moments(1, apart)};
        };
        own.sums.add(pairs::template sum_of_pieces<at_once / part_pieces>(
            count, place_of, [&](node_place &at) {
                const seen<Real> node = see<Smooth>(
                    own.seen_as.at, nodes.at[turn][at.spot], nodes.radius[turn][at.node],
                    smoothing2, [&](Real r2) { return weight_at<Form2>(own.seen_as, r2); });
                const auto sums = sum_of_node<Order, Real, Stored, Columns>(
                    node, nodes.moments[turn] + at.moments, job.total.columns, factors_of(own));
                at = {at.node + 1, at.spot + 1, at.moments + nodes.place_of_moments(1, apart)};
                return sums;
            }));
    }

    __device__ __forceinline__ void add_ready_nodes(own_state &own, const node_run &run, int turn)
    {
        switch (run.order) {
        case 0:
            return add_staged_nodes<1>(own, run.count, turn);
        case 1:
            return add_staged_nodes<3>(own, run.count, turn);
        case 2:
            return add_staged_nodes<5>(own, run.count, turn);
        case 3:
            return add_staged_nodes<7>(own, run.count, turn);
        default:
            break;
        }
        if constexpr (most_orders<Real>::value > 4) {
            if (run.order == 4)
                add_staged_nodes<9>(own, run.count, turn);
            else
                add_staged_nodes<11>(own, run.count, turn);
        }
    }

    /* As add_points. */
    __device__ __forceinline__ void add_listed_nodes(own_state &own)
    {
        node_run run = run_from(0, 0);
        fetch_nodes(run, 0);
#pragma unroll 1
        for (int turn = 0; run.count > 0; turn ^= 1) {
            __pipeline_wait_prior(0);
            prepare_nodes(run, turn);
            __syncthreads();
            const node_run next = run_from(run.order, run.first + at_once);
            fetch_nodes(next, turn ^ 1);
            if (!own.idle)
                add_ready_nodes(own, run, turn);
            run = next;
        }
        __syncthreads();
    }

    /* ---- the local expansion
     * --------------------------------------------------------------------- */

    /* That of a group of some lists; unit_log2: local_exponent. */
    __device__ __forceinline__ void add_local(own_state &own, const list_view &lists,
                                              std::uint32_t group, const spot<Real> &at,
                                              double unit_log2) const
    {
        const double over = unit_log2 - power * ilogb(from.scale); /* for 1 in the anchor's unit */
        const Real unit =
            Form2 ? own.seen_as.unit * exp2_of(over) : exp2_of((double)own.seen_as.unit + over);
#pragma unroll 1
        for (int charge = 0; charge <= job.total.columns; charge++) {
            const int column = charge == 0 ? 0 : job.total.column + charge;
            float numbers[local_coefficients];
            read_local(lists.coefficients_of(group, column), numbers);
            const Real sum = real_product(unit, sum_at(at, numbers));
            if (charge == 0)
                own.sums.w.add(sum);
#pragma unroll
            for (int c = 0; c < Columns; c++)
                if (charge == c + 1)
                    own.sums.z[c].add(sum);
        }
    }

    /* The group's own, of this round, and its parent's. */
    __device__ __forceinline__ void add_locals(own_state &own) const
    {
        if (job.lists.head[blockIdx.x].local > 0)
            add_local(own, job.lists, blockIdx.x, own.seen_as.at, exponent);
        const int parent = job.parent_to_add();
        if (parent == no_parent)
            return;
        const parent_place &place = job.parents.place[parent];
        const target_view &targets = job.total.targets;
        add_local(own, job.parents.lists, (std::uint32_t)parent,
                  spot<Real>::at(place.middle, targets.x[own.target], targets.y[own.target]),
                  place.exponent);
    }

    /* ---- targets
     * --------------------------------------------------------------------------------- */

    __device__ void open(std::uint32_t target, own_state &own) const
    {
        pairs::open_lane(target, own);
        if constexpr (!OnePower && Smooth)
            fill_rising<Real, order_most<Real>>(power_of_target(job.total, target) / 2,
                                                own.factors);
        else if constexpr (!OnePower)
            fill_steps<Real, order_most<Real>>(own.seen_as.lambda, own.factors);
    }

    /* The lists, for as many members as there are lanes; the number of those. */
    __device__ int add_batch(const group_record &record, int first, bool last)
    {
        const int members = (int)record.members - first;
        own_state own;
        sharing = job.total.centre != nullptr ? 1 : sharing_of((unsigned)members, Threads);
        const int lane = (int)threadIdx.x, at = lane / sharing;
        open(job.groups.member[record.first + (unsigned)(first + min(at, members - 1))], own);
        own.idle = lane / 32 * 32 / sharing >= members;
        const bool listed = job.total.accuracy != nullptr;
        if constexpr (OnePower && sizeof(Real) == sizeof(float))
            if (listed && job.total.local != nullptr)
                add_locals(own);
        pairs::add_points(own, listed ? job.lists.points_of(blockIdx.x) : nullptr,
                          listed ? (std::uint32_t)job.lists.head[blockIdx.x].points
                                 : job.total.points.n);
        if (listed)
            add_listed_nodes(own);
        if (at < members && lane % sharing == 0)
            pairs::answer(own, job.round > 0, last);
        return Threads / sharing;
    }

    __device__ void run(const group_record &record, const item_state &state, bool last)
    {
        if constexpr (OnePower) {
            power = power_of_group(job.total, state, record.group);
            const double lambda = power / 2;
            if (job.total.local != nullptr)
                exponent = local_exponent(weight_floor_of(job.total, state, record.group), power);
#pragma unroll 1
            for (int i = (int)threadIdx.x; i < space.factors + space.ratios; i += Threads)
                space.factor[i] =
                    (Real)(i < space.factors ? factor_of<Smooth>(i, lambda)
                                             : smooth_ratio(i - space.factors, lambda));
            __syncthreads();
        }
#pragma unroll 1
        for (int first = 0; first < (int)record.members;)
            first += add_batch(record, first, last);
    }
};

/* Blocks of a multiprocessor: more would leave each lane too few registers. */
template <bool OnePower, bool Smooth, int Threads, class Real, int Columns>
constexpr int sum_blocks_least()
{
    const bool simplest = sizeof(Real) == sizeof(float) && Columns == 1 && !Smooth;
    const int warps = !simplest ? 16 : OnePower ? 24 : 20;
    return warps * 32 / Threads;
}

template <bool Form2, bool OnePower, bool Leaving, bool Smooth, int Threads, class Real,
          class Stored, int Columns>
__global__ void __launch_bounds__(Threads,
                                  (sum_blocks_least<OnePower, Smooth, Threads, Real, Columns>()))
    sum_groups(const __grid_constant__ sum_job job, const __grid_constant__ far_view<Stored> far)
{
    extern __shared__ __align__(16) unsigned char shared[];
    auto &space = *reinterpret_cast<workspace<Real, Stored, Columns, Smooth, Threads> *>(shared);
    const bool listed = job.total.accuracy != nullptr;
    const int waiting = listed ? job.lists.head[blockIdx.x].waiting : 0;
    if (waiting == list_done)
        return;
    const group_record record = job.groups.records[blockIdx.x];
    const item_state state = open_item(job.total, record.item, record.length, record.points);
    summing<Form2, OnePower, Leaving, Smooth, Threads, Real, Stored, Columns> work = {
        {job.total, space.points, {0, 0, 1}, 1}, job, far, space, 0, 0};
    if constexpr (sizeof(Real) == sizeof(float))
        work.from =
            anchor_of(job.total, state, job.groups.member[record.first], is_alone(record.group));
    work.run(record, state, waiting == 0);
}

template <bool Form2, bool OnePower, bool Leaving, bool Smooth, int Threads, class Real,
          class Stored, int Columns>
void launch(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    const auto kernel =
        sum_groups<Form2, OnePower, Leaving, Smooth, Threads, Real, Stored, Columns>;
    const int bytes = (int)sizeof(workspace<Real, Stored, Columns, Smooth, Threads>);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "planning the sums");
    kernel<<<job.groups.count, Threads, (std::size_t)bytes, stream>>>(job, far);
    check_launch("summing");
}

/* By the form of the weights. */
template <bool Leaving, bool Smooth, int Threads, int Columns, class Real, class Stored>
void launch_form(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    if (job.total.form2 && !job.total.squares)
        launch<true, true, Leaving, Smooth, Threads, Real, Stored, Columns>(job, far, stream);
    else if (job.of.one_power)
        launch<false, true, Leaving, Smooth, Threads, Real, Stored, Columns>(job, far, stream);
    else
        launch<false, false, Leaving, Smooth, Threads, Real, Stored, Columns>(job, far, stream);
}

template <bool Leaving, bool Smooth, int Threads>
void launch_single(const sum_job &job, const far_view<float> &far, cudaStream_t stream)
{
    if (job.total.columns <= 1)
        launch_form<Leaving, Smooth, Threads, 1, float>(job, far, stream);
    else
        launch_form<Leaving, Smooth, Threads, columns_single, float>(job, far, stream);
}

template <bool Leaving, bool Smooth, int Threads, class Stored>
void launch_double(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    launch_form<Leaving, Smooth, Threads, columns_double, double>(job, far, stream);
}

} // namespace

} // namespace shepard

#endif
