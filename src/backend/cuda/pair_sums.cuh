/* SPDX-License-Identifier: MIT */
/* What a block does to sum points one by one at its targets, in the plane and with three
 * coordinates: it brings some at a time into shared memory, and each lane sums them for its target.
 */
#ifndef SHEPARD_BACKEND_CUDA_PAIR_SUMS_CUH
#define SHEPARD_BACKEND_CUDA_PAIR_SUMS_CUH

#include "backend/cuda/sums.cuh"

namespace shepard
{

/* Lanes that share a target: 1, 2, 4, 8 or this many. */
constexpr int sharing_most = 32;

/* Few members of a block share the lanes. */
__host__ __device__ constexpr int sharing_of(std::size_t members, std::size_t threads)
{
    if (members * sharing_most <= threads)
        return sharing_most;
    int lanes = 1;
    while (lanes < sharing_most / part_pieces && 2 * lanes * members <= threads)
        lanes *= 2;
    return lanes;
}

/* A lane's target and sums. */
template <class Real, int Columns, class Spot> struct lane_state {
    std::uint32_t target;
    lane_target<Real, Spot> seen_as;
    lane_sums<Real, Columns> sums;
    bool idle; /* of a warp without targets */
};

/* Leaving: targets may leave points out; an argument of the template: the branch takes registers
 * from all sums. Sums: how many there are beside that of the weights. */
template <bool Form2, bool Leaving, int Threads, class Job, class Real, int Columns, class Spot,
          int Sums = Columns>
struct pair_summing {
    using lane_type = lane_state<Real, Sums, Spot>;
    static constexpr int staged_points = staged_rows * row_points;

    const Job &total;
    point_stage<Real, Columns, Spot> &points;
    anchor from; /* of the plane's places */
    int sharing; /* neighbouring lanes that share a target and sum parts of the lists: 2^k */

    __device__ __forceinline__ bool leaves_out() const
    {
        return Leaving && total.targets.left_out != nullptr;
    }

    __device__ __forceinline__ void open_lane(std::uint32_t target, lane_type &own) const
    {
        const double lambda = power_of_target(total, target) / 2;
        const double unit2 = unit2_of(total, target) * from.scale * from.scale;
        decltype(raw_place(points, 0, 0, total.points)) at;
        place_at(total.targets, target, &at);
        own.target = target;
        own.seen_as.at = spot_of(from, total.points, at, (const Spot *)nullptr);
        own.seen_as.lambda = (Real)lambda;
        own.seen_as.unit =
            (Real)(Form2 || sizeof(Real) == sizeof(double) ? unit2 : lambda * log2(unit2));
    }

    /* Adds the first `count` of up to Parts * part_pieces pieces. */
    template <int Parts, class Piece>
    __device__ __forceinline__ void add_pieces(lane_type &own, int count, const Piece &piece) const
    {
        constexpr int most = Parts * part_pieces;
        const int share = (int)threadIdx.x % sharing;
        const int each = sharing == sharing_most ? 1 : max(most / sharing, part_pieces);
        const int first = share * each, end = min(first + each, count);
        tree_sum<Parts, Real, Sums> sum;
#pragma unroll 1
        for (int begin = first; begin < (each == 1 ? first + 1 : end); begin += part_pieces) {
            part_sums<Real, Sums> part = {};
#pragma unroll 1
            for (int i = begin; i < min(begin + part_pieces, end); i++)
                part.add(piece(i));
            if (each == 1)
                part.gather();
            sum.add(part);
        }
        sum.add_to(own.sums, each == 1 ? part_pieces : 1, sharing);
    }

    /* Pieces of `count` staged points. */
    __device__ static int pieces_of(int count)
    {
        return (count + piece_points - 1) / piece_points;
    }
    /* Where a piece begins. */
    __device__ static int place_of_piece(int i)
    {
        return i / part_pieces * row_pitch + i % part_pieces * piece_points;
    }

    __device__ __forceinline__ void add_staged_points(lane_type &own, Real smoothing2, int count)
    {
        if (leaves_out())
            add_pieces<staged_rows>(own, pieces_of(count), [&](int i) {
                return sum_of_others<Form2>(own.seen_as, smoothing2, points, place_of_piece(i));
            });
        else
            add_pieces<staged_rows>(own, pieces_of(count), [&](int i) {
                return sum_of_points<Form2, false>(own.seen_as, smoothing2, points,
                                                   place_of_piece(i));
            });
    }

    __device__ void add_centred_points(lane_type &own, Real smoothing2, int count)
    {
        Real centre[Columns];
        const std::size_t index = total.targets.index[own.target];
        for (int c = 0; c < Columns; c++)
            centre[c] =
                (Real)total.centre[(std::size_t)(total.column + c) * total.targets.m + index];
        for (int row = 0; row * row_points < count; row++)
            if (leaves_out())
                add_centred<Form2, true>(own.seen_as, smoothing2, points, row * row_pitch, centre,
                                         own.sums);
            else
                add_centred<Form2, false>(own.seen_as, smoothing2, points, row * row_pitch, centre,
                                          own.sums);
    }

    __device__ __forceinline__ void add_ready_points(lane_type &own, Real smoothing2, int count)
    {
        if constexpr (sizeof(Real) == sizeof(double))
            if (total.centre != nullptr) {
                add_centred_points(own, smoothing2, count);
                return;
            }
        add_staged_points(own, smoothing2, count);
    }

    __device__ void fetch_points(const std::uint32_t *list, std::uint32_t begin,
                                 std::uint32_t count, int turn)
    {
        const int some = (int)min((std::uint32_t)staged_points, count - begin);
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < staged_points; i += Threads)
            fetch_point(total, list, begin, some, i, turn, points);
        __pipeline_commit();
    }

    __device__ void prepare_points(int turn)
    {
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < staged_points; i += Threads)
            prepare_point(total, from, i, turn, points);
    }

    /* While some points are summed, by add(how many of them are staged), the next are on their way.
     * list: nullptr: all points that there are. */
    template <class Add>
    __device__ __forceinline__ void for_staged_points(const std::uint32_t *list,
                                                      std::uint32_t count, const Add &add)
    {
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
            add((int)min((std::uint32_t)staged_points, left));
        }
        __syncthreads();
    }

    /* In the anchor's unit. */
    __device__ __forceinline__ Real scaled_smoothing2() const
    {
        return (Real)(total.smoothing2 * from.scale * from.scale);
    }

    __device__ __forceinline__ void add_points(lane_type &own, const std::uint32_t *list,
                                               std::uint32_t count)
    {
        const Real smoothing2 = scaled_smoothing2();
        for_staged_points(list, count, [&](int some) {
            if (!own.idle)
                add_ready_points(own, smoothing2, some);
        });
    }

    /* begun: sums of earlier rounds are there, and these are added to them; the weights' sum is
     * that of the first columns' pass. */
    __device__ void answer(const lane_type &own, bool begun, bool last) const
    {
        const std::size_t index = total.targets.index[own.target];
        if (total.column == 0)
            total.weight[index] = own.sums.w.total() + (begun ? total.weight[index] : 0);
        const double w = total.weight[index];
        for (int c = 0; c < total.columns; c++) {
            double *const to =
                total.sums + (std::size_t)(total.column + c) * total.targets.m + index;
            const double z = own.sums.z[c].total() + (begun ? *to : 0);
            *to = last ? z / w : z;
        }
    }
};

} // namespace shepard

#endif
