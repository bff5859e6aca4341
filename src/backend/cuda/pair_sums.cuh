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
    using ready_type = ready_points<Real, Columns, Spot>;
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
        decltype(raw_place(points, 0, total.points)) at;
        place_at(total.targets, target, &at);
        own.target = target;
        own.seen_as.at = spot_of(from, total.points, at, (const Spot *)nullptr);
        own.seen_as.lambda = (Real)lambda;
        own.seen_as.unit =
            (Real)(Form2 || sizeof(Real) == sizeof(double) ? unit2 : lambda * log2(unit2));
    }

    /* The sum of the first `count` of up to Parts * part_pieces pieces. place_of(part, piece):
     * where one is; sum_next(&place): its sum, and place is that of the next of the part. */
    template <int Parts, class Place, class Sum>
    __device__ __forceinline__ auto sum_of_pieces(int count, const Place &place_of,
                                                  const Sum &sum_next) const
    {
        auto place = place_of(0, 0);
        using part_type = decltype(sum_next(place));
        const bool one_each = sharing == sharing_most;
        const int share = (int)threadIdx.x % sharing;
        const int own_part = one_each ? share / part_pieces : share;
        const int first = one_each ? share % part_pieces : 0;
        const int end = one_each ? first + 1 : part_pieces;
        const int step = one_each ? sharing / part_pieces : sharing; /* parts at a time */
        int left = count - own_part * part_pieces;
        tree_sum<Parts, part_type> sum;
#pragma unroll 1
        for (int begin = 0; begin * part_pieces < count; begin += step) {
            part_type own = {};
            place = place_of(begin + own_part, first);
#pragma unroll 1
            for (int i = first; i < min(end, left); i++)
                own.add(sum_next(place));
            if (one_each)
                own.gather();
            sum.add(own);
            left -= step * part_pieces;
        }
        return sum.total(one_each ? part_pieces : 1, sharing);
    }

    /* The same of `count` ready points. */
    template <class Sum>
    __device__ __forceinline__ auto sum_of_rows(int count, const Sum &sum_of) const
    {
        return sum_of_pieces<staged_rows>(
            (count + piece_points - 1) / piece_points,
            [](int row, int piece) { return row * row_pitch + piece * piece_points; },
            [&](int &place) {
                const auto sums = sum_of(place);
                place += piece_points;
                return sums;
            });
    }

    __device__ __forceinline__ void add_staged_points(lane_type &own, Real smoothing2,
                                                      const ready_type &ready, int count)
    {
        if (leaves_out())
            own.sums.add(sum_of_rows(count, [&](int place) {
                return sum_of_others<Form2>(own.seen_as, smoothing2, ready, place);
            }));
        else
            own.sums.add(sum_of_rows(count, [&](int place) {
                return sum_of_points<Form2, false>(own.seen_as, smoothing2, ready, place);
            }));
    }

    __device__ void add_centred_points(lane_type &own, Real smoothing2, const ready_type &ready,
                                       int count)
    {
        Real centre[Columns];
        const std::size_t index = total.targets.index[own.target];
        for (int c = 0; c < Columns; c++)
            centre[c] =
                (Real)total.centre[(std::size_t)(total.column + c) * total.targets.m + index];
        for (int row = 0; row * row_points < count; row++)
            if (leaves_out())
                add_centred<Form2, true>(own.seen_as, smoothing2, ready, row * row_pitch, centre,
                                         own.sums);
            else
                add_centred<Form2, false>(own.seen_as, smoothing2, ready, row * row_pitch, centre,
                                          own.sums);
    }

    __device__ __forceinline__ void add_ready_points(lane_type &own, Real smoothing2,
                                                     const ready_type &ready, int count)
    {
        if constexpr (sizeof(Real) == sizeof(double))
            if (total.centre != nullptr) {
                add_centred_points(own, smoothing2, ready, count);
                return;
            }
        add_staged_points(own, smoothing2, ready, count);
    }

    /* Points of a stage, of at most SHEPARD_POINTS_MAX. */
    __device__ static int staged_of(std::uint32_t count, std::uint32_t stage)
    {
        const std::uint32_t begin = stage * staged_points;
        return begin < count ? (int)min((std::uint32_t)staged_points, count - begin) : 0;
    }

    /* Begins to copy which points are a stage's. */
    __device__ __forceinline__ void fetch_numbers(const std::uint32_t *list, std::uint32_t count,
                                                  std::uint32_t stage)
    {
        const int some = staged_of(count, stage);
        if (list == nullptr || some == 0)
            return;
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < staged_points; i += Threads)
            __pipeline_memcpy_async(&points.number[stage % copies][i],
                                    list + stage * staged_points + min(i, some - 1),
                                    sizeof(std::uint32_t));
    }

    /* Begins to copy a stage's points, and the numbers of the next's. */
    __device__ __forceinline__ void fetch_points(const std::uint32_t *list, std::uint32_t count,
                                                 std::uint32_t stage)
    {
        const int some = staged_of(count, stage);
        if (some == 0)
            return;
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < staged_points; i += Threads)
            fetch_point(total,
                        list != nullptr ? points.number[stage % copies][i]
                                        : stage * staged_points + (unsigned)min(i, some - 1),
                        i < some, i, points);
        fetch_numbers(list, count, stage + 1);
        __pipeline_commit();
    }

    __device__ void prepare_points(int turn)
    {
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < staged_points; i += Threads)
            prepare_point(total, from, i, turn, points);
    }

    /* While some points are summed, by add(them, how many), the next are on their way. list:
     * nullptr: all points that there are. */
    template <class Add>
    __device__ __forceinline__ void for_staged_points(const std::uint32_t *list,
                                                      std::uint32_t count, const Add &add)
    {
        fetch_numbers(list, count, 0);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        fetch_points(list, count, 0);
#pragma unroll 1
        for (std::uint32_t stage = 0; staged_of(count, stage) > 0; stage++) {
            const int turn = (int)(stage % copies);
            __pipeline_wait_prior(0);
            prepare_points(turn);
            __syncthreads();
            fetch_points(list, count, stage + 1);
            add(points.ready[turn], staged_of(count, stage));
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
        for_staged_points(list, count, [&](const ready_type &ready, int some) {
            if (!own.idle)
                add_ready_points(own, smoothing2, ready, some);
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
