/* SPDX-License-Identifier: MIT */
/* The kernel that sums what is listed for a group of targets, for the sources that instantiate it.
 * A block takes a group: it brings some points or nodes at a time into shared memory, and each lane
 * sums them for its target. Mirrors kernel/sum_single_impl.h and sum_double_impl.h. */
#ifndef SHEPARD_BACKEND_CUDA_ALL_POINTS_SUM_CUH
#define SHEPARD_BACKEND_CUDA_ALL_POINTS_SUM_CUH

#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/groups.cuh"
#include "backend/cuda/local_expansion.cuh"
#include "backend/cuda/sums.cuh"

#include <algorithm>

namespace shepard
{

/* Threads of a block: a group of three warps has no fourth one that waits. */
__host__ __device__ constexpr int sum_threads(bool three_warps)
{
    return three_warps ? three_warps_most : 128;
}
/* Lanes that share a target: 1, 2, 4, 8 or this many. */
constexpr int sharing_most = 32;

namespace
{

/* Nodes in shared memory at a time. */
template <class Real, int Columns> __host__ __device__ constexpr int staged_nodes()
{
    return sizeof(Real) == sizeof(float) && Columns == 1 ? 32 : 8;
}

template <class Real> struct most_orders;
template <> struct most_orders<float> {
    static constexpr int value = far_orders_single;
};
template <> struct most_orders<double> {
    static constexpr int value = far_orders_max;
};

/* The part of far_node that sums need, as it is copied. */
constexpr int raw_bytes = 32;
struct alignas(16) raw_node {
    double x, y, scale, rest;
};
static_assert(sizeof(raw_node) == raw_bytes &&
                  offsetof(far_node, scale) == offsetof(raw_node, scale),
              "nodes begin otherwise");

template <class Real, class Stored, int Columns> struct node_stage {
    static constexpr int count = staged_nodes<Real, Columns>();
    static constexpr int terms = moments_apart(SHEPARD_ORDER(most_orders<Real>::value - 1));
    raw_node raw[copies][count];
    alignas(16) Stored moments[copies][count * ((1 + Columns) * terms + 16 / sizeof(Stored))];
    spot<Real> at[count];
    Real radius[count];
};

template <class Real, class Stored, int Columns> struct workspace {
    union {
        point_stage<Real, Columns> points;
        node_stage<Real, Stored, Columns> nodes;
    };
    alignas(16) Real factor[node_stage<Real, Stored, Columns>::terms]; /* of a group's power */
};

/* A lane's target and sums. */
template <class Real, int Columns> struct lane_state {
    std::uint32_t target;
    lane_target<Real> seen_as;
    Real factors[SHEPARD_ORDER(most_orders<Real>::value - 1) + 1];
    lane_sums<Real, Columns> sums;
    bool idle; /* of a warp without targets */
};

/* Leaving: targets may leave points out; an argument of the template: the branch takes registers
 * from all sums. */
template <bool Form2, bool OnePower, bool Leaving, int Threads, class Real, class Stored,
          int Columns>
struct summing {
    using own_state = lane_state<Real, Columns>;
    static constexpr int at_once = staged_nodes<Real, Columns>();

    const sum_job &job;
    const far_view<Stored> &far;
    workspace<Real, Stored, Columns> &space;
    anchor from;
    int sharing;       /* neighbouring lanes that share a target and sum parts of the lists: 2^k */
    double local_unit; /* local_exponent for a unit of 1 in the anchor's */

    __device__ __forceinline__ bool leaves_out() const
    {
        return Leaving && job.total.targets.left_out != nullptr;
    }

    /* Adds the first `count` of up to Parts * part_pieces pieces. */
    template <int Parts, class Piece>
    __device__ __forceinline__ void add_pieces(own_state &own, int count, const Piece &piece) const
    {
        constexpr int most = Parts * part_pieces;
        const int share = (int)threadIdx.x % sharing;
        const int each = sharing == sharing_most ? 1 : max(most / sharing, part_pieces);
        const int first = share * each, end = min(first + each, count);
        tree_sum<Parts, Real, Columns> sum;
#pragma unroll 1
        for (int from = first; from < (each == 1 ? first + 1 : end); from += part_pieces) {
            part_sums<Real, Columns> part = {};
#pragma unroll 1
            for (int i = from; i < min(from + part_pieces, end); i++)
                part.add(piece(i));
            if (each == 1)
                part.gather();
            sum.add(part);
        }
        sum.add_to(own.sums, each == 1 ? part_pieces : 1, sharing);
    }

    __device__ __forceinline__ void add_staged_points(own_state &own, Real smoothing2, int points)
    {
        const int pieces = (points + piece_points - 1) / piece_points;
        const auto place = [](int i) {
            return i / part_pieces * row_pitch + i % part_pieces * piece_points;
        };
        if (leaves_out())
            add_pieces<staged_rows>(own, pieces, [&](int i) {
                return sum_of_others<Form2>(own.seen_as, smoothing2, space.points, place(i));
            });
        else
            add_pieces<staged_rows>(own, pieces, [&](int i) {
                return sum_of_points<Form2, false>(own.seen_as, smoothing2, space.points, place(i));
            });
    }

    __device__ __forceinline__ void add_ready_points(own_state &own, Real smoothing2, int points)
    {
        if constexpr (sizeof(Real) == sizeof(double))
            if (job.total.centre != nullptr) {
                add_centred_points(own, smoothing2, points);
                return;
            }
        add_staged_points(own, smoothing2, points);
    }

    __device__ void add_centred_points(own_state &own, Real smoothing2, int points)
    {
        Real centre[Columns];
        const std::size_t index = job.total.targets.index[own.target];
        for (int c = 0; c < Columns; c++)
            centre[c] =
                (Real)job.total
                    .centre[(std::size_t)(job.total.column + c) * job.total.targets.m + index];
        for (int row = 0; row * row_points < points; row++)
            add_centred<Form2>(own.seen_as, smoothing2, space.points, row * row_pitch, centre,
                               leaves_out(), own.sums);
    }

    static constexpr int staged_points = staged_rows * row_points;

    __device__ void fetch_points(const std::uint32_t *list, std::uint32_t begin,
                                 std::uint32_t count, int turn)
    {
        const int points = (int)min((std::uint32_t)staged_points, count - begin);
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < staged_points; i += Threads)
            fetch_point(job.total, list, begin, points, i, turn, space.points);
        __pipeline_commit();
    }

    __device__ void prepare_points(int turn)
    {
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < staged_points; i += Threads)
            prepare_point(job.total, from, i, turn, space.points);
    }

    /* While some points are summed the next are on their way. list: nullptr: all points that there
     * are. */
    __device__ __forceinline__ void add_points(own_state &own, const std::uint32_t *list,
                                               std::uint32_t count)
    {
        const Real smoothing2 = (Real)(job.total.smoothing2 * from.scale * from.scale);
        const std::uint32_t stages = count / staged_points + (count % staged_points > 0);
#pragma unroll 1
        for (std::uint32_t stage = 0; stage < stages + 1; stage++) {
            const int turn = (int)(stage % 2);
            __syncthreads();
            if (stage < stages)
                fetch_points(list, stage * staged_points, count, turn);
            else
                __pipeline_commit();
            if (stage == 0)
                continue;
            __pipeline_wait_prior(1);
            prepare_points(turn ^ 1);
            __syncthreads();
            const std::uint32_t left = count - (stage - 1) * staged_points;
            if (!own.idle)
                add_ready_points(own, smoothing2, (int)min((std::uint32_t)staged_points, left));
        }
        __syncthreads();
    }

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

    /* Numbers of a node's moments in shared memory, one charge after the other. Lanes that read
     * different nodes do so from different banks. */
    __device__ static constexpr int node_pitch(int apart)
    {
        return (1 + Columns) * apart + 16 / (int)sizeof(Stored);
    }

    /* So many lanes take a node. */
    static constexpr int team = Threads / at_once;

    /* Begins to copy nodes and their moments into shared memory. */
    __device__ void fetch_nodes(const node_run &run, int turn)
    {
        const int node = (int)threadIdx.x / team, mate = (int)threadIdx.x % team;
        if (node < run.count) {
            const int apart = moments_apart(SHEPARD_ORDER(run.order));
            const int pieces = apart * (int)sizeof(Stored) / 16, step = 16 / (int)sizeof(Stored);
            const std::size_t number = run.list[node];
            const Stored *const all = far.moments + number * (unsigned)(far.charges * far.stride);
            auto &to = space.nodes;
            if (mate < raw_bytes / 16)
                __pipeline_memcpy_async(
                    reinterpret_cast<char *>(&to.raw[turn][node]) + 16 * mate,
                    reinterpret_cast<const char *>(&far.nodes[number]) + 16 * mate, 16);
            Stored *const place = to.moments[turn] + node * node_pitch(apart);
#pragma unroll 1
            for (int charge = 0; charge <= job.total.columns; charge++) {
                const int column = charge == 0 ? 0 : job.total.column + charge;
#pragma unroll 1
                for (int i = mate; i < pieces; i += team)
                    __pipeline_memcpy_async(place + charge * apart + i * step,
                                            all + column * far.stride + i * step, 16);
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
            const raw_node &raw = nodes.raw[turn][node];
            nodes.at[node] = spot<Real>::at(from, raw.x, raw.y);
            nodes.radius[node] = (Real)(raw.scale * from.scale);
        }
        if constexpr (OnePower) {
            const int apart = moments_apart(SHEPARD_ORDER(run.order));
            Stored *const place = nodes.moments[turn] + node * node_pitch(apart);
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

    template <int Order>
    __device__ __forceinline__ void add_staged_nodes(own_state &own, int count, int turn)
    {
        constexpr int pitch = node_pitch(moments_apart(Order));
        add_pieces<at_once / part_pieces>(own, count, [&](int i) {
            const seen<Real> node =
                see<Form2>(own.seen_as, space.nodes.at[i], space.nodes.radius[i]);
            return sum_of_node<Order, OnePower, Real, Stored, Columns>(
                node, own.factors, space.nodes.moments[turn] + i * pitch, job.total.columns);
        });
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
        node_run run = {0, 0, 0, nullptr}, next = run_from(0, 0);
#pragma unroll 1
        for (int turn = 0; run.count + next.count > 0; turn ^= 1) {
            __syncthreads();
            fetch_nodes(next, turn);
            if (run.count > 0) {
                __pipeline_wait_prior(1);
                __syncthreads();
                prepare_nodes(run, turn ^ 1);
                __syncthreads();
                if (!own.idle)
                    add_ready_nodes(own, run, turn ^ 1);
            }
            run = next;
            next = run_from(next.order, next.first + at_once);
        }
        __syncthreads();
    }

    /* ---- the local expansion
     * --------------------------------------------------------------------- */

    /* Of this round. */
    __device__ __forceinline__ void add_local(own_state &own) const
    {
        const Real unit = Form2 ? own.seen_as.unit * exp2_of(local_unit)
                                : exp2_of((double)own.seen_as.unit + local_unit);
#pragma unroll 1
        for (int charge = 0; charge <= job.total.columns; charge++) {
            const int column = charge == 0 ? 0 : job.total.column + charge;
            float numbers[local_coefficients];
            read_local(job.lists.coefficients_of(blockIdx.x, column), numbers);
            const Real sum = real_product(unit, sum_at(own.seen_as.at, numbers));
            if (charge == 0)
                own.sums.w.add(sum);
#pragma unroll
            for (int c = 0; c < Columns; c++)
                if (charge == c + 1)
                    own.sums.z[c].add(sum);
        }
    }

    /* ---- targets
     * --------------------------------------------------------------------------------- */

    /* Few members share the lanes. */
    __device__ int sharing_of(int members) const
    {
        if (job.total.centre != nullptr)
            return 1;
        if (members * sharing_most <= Threads)
            return sharing_most;
        int lanes = 1;
        while (lanes < sharing_most / part_pieces && 2 * lanes * members <= Threads)
            lanes *= 2;
        return lanes;
    }

    __device__ void open(std::uint32_t target, own_state &own) const
    {
        const all_points_job &all = job.total;
        const double lambda = power_of_target(all, target) / 2;
        const double unit2 = unit2_of(all, target) * from.scale * from.scale;
        own.target = target;
        own.seen_as.at = spot<Real>::at(from, all.targets.x[target], all.targets.y[target]);
        own.seen_as.lambda = (Real)lambda;
        own.seen_as.unit =
            (Real)(Form2 || sizeof(Real) == sizeof(double) ? unit2 : lambda * log2(unit2));
        if constexpr (!OnePower)
            fill_factors<Real, SHEPARD_ORDER(most_orders<Real>::value - 1)>((Real)lambda,
                                                                            own.factors);
    }

    /* Sums of further rounds are added to those before; the weights' sum is that of the first
     * columns' pass. */
    __device__ void answer(const own_state &own, bool last) const
    {
        const all_points_job &all = job.total;
        const std::size_t index = all.targets.index[own.target];
        const bool begun = job.round > 0;
        if (all.column == 0)
            all.weight[index] = own.sums.w.total() + (begun ? all.weight[index] : 0);
        const double w = all.weight[index];
        for (int c = 0; c < all.columns; c++) {
            double *const to = all.sums + (std::size_t)(all.column + c) * all.targets.m + index;
            const double z = own.sums.z[c].total() + (begun ? *to : 0);
            *to = last ? z / w : z;
        }
    }

    /* The lists, for as many members as there are lanes; the number of those. */
    __device__ int add_batch(const group_record &record, int first, bool last)
    {
        const int members = (int)record.members - first;
        own_state own;
        sharing = sharing_of(members);
        const int lane = (int)threadIdx.x, at = lane / sharing;
        open(job.groups.member[record.first + (unsigned)(first + min(at, members - 1))], own);
        own.idle = lane / 32 * 32 / sharing >= members;
        const bool listed = job.total.accuracy != nullptr;
        if constexpr (OnePower && sizeof(Real) == sizeof(float))
            if (listed && job.lists.head[blockIdx.x].local > 0)
                add_local(own);
        add_points(own, listed ? job.lists.points_of(blockIdx.x) : nullptr,
                   listed ? (std::uint32_t)job.lists.head[blockIdx.x].points : job.total.points.n);
        if (listed)
            add_listed_nodes(own);
        if (at < members && lane % sharing == 0)
            answer(own, last);
        return Threads / sharing;
    }

    __device__ void run(const group_record &record, const item_state &state, bool last)
    {
        if constexpr (OnePower) {
            const double power = power_of_group(job.total, state, record.group);
            const double lambda = power / 2;
            if (job.total.local != nullptr)
                local_unit =
                    local_exponent(weight_floor_of(job.total, state, record.group), power) -
                    power * ilogb(from.scale);
#pragma unroll 1
            for (int i = (int)threadIdx.x; i < node_stage<Real, Stored, Columns>::terms;
                 i += Threads)
                space.factor[i] = (Real)factor_of(i, lambda);
            __syncthreads();
        }
#pragma unroll 1
        for (int first = 0; first < (int)record.members;)
            first += add_batch(record, first, last);
    }
};

/* Blocks of a multiprocessor: more would leave each lane too few registers. */
template <int Threads, class Real, int Columns> constexpr int sum_blocks_least()
{
    const int warps = sizeof(Real) == sizeof(float) && Columns == 1 ? 20 : 16;
    return warps * 32 / Threads;
}

template <bool Form2, bool OnePower, bool Leaving, int Threads, class Real, class Stored,
          int Columns>
__global__ void __launch_bounds__(Threads, (sum_blocks_least<Threads, Real, Columns>()))
    sum_groups(const __grid_constant__ sum_job job, const __grid_constant__ far_view<Stored> far)
{
    extern __shared__ __align__(16) unsigned char shared[];
    auto &space = *reinterpret_cast<workspace<Real, Stored, Columns> *>(shared);
    const bool listed = job.total.accuracy != nullptr;
    const int waiting = listed ? job.lists.head[blockIdx.x].waiting : 0;
    if (waiting == list_done)
        return;
    const group_record record = job.groups.records[blockIdx.x];
    const item_state state = open_item(job.total, record.item, record.length, record.points);
    summing<Form2, OnePower, Leaving, Threads, Real, Stored, Columns> work = {job,       far, space,
                                                                              {0, 0, 1}, 1,   0};
    if constexpr (sizeof(Real) == sizeof(float))
        work.from =
            anchor_of(job.total, state, job.groups.member[record.first], is_alone(record.group));
    work.run(record, state, waiting == 0);
}

template <bool Form2, bool OnePower, bool Leaving, int Threads, class Real, class Stored,
          int Columns>
void launch(const sum_job &job, const far_view<Stored> &far, cudaStream_t stream)
{
    const auto kernel = sum_groups<Form2, OnePower, Leaving, Threads, Real, Stored, Columns>;
    const int bytes = (int)sizeof(workspace<Real, Stored, Columns>);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "planning the sums");
    kernel<<<job.groups.count, Threads, (std::size_t)bytes, stream>>>(job, far);
    check_launch("summing");
}

} // namespace

} // namespace shepard

#endif
