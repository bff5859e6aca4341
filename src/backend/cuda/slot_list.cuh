/* SPDX-License-Identifier: MIT */
/* The k nearest points that one lane has been offered so far, in order of keys of 32 bits: the
 * upper bits of the squared distance, then the number of a slot in shared memory where the rest of
 * the point is. Two instructions a place insert a key; sorted doubles take five. Distances that
 * differ in lower bits alone are sorted at the end; for those at the edge there are spare places,
 * and where these do not suffice the list says so. */
#ifndef SHEPARD_BACKEND_CUDA_SLOT_LIST_CUH
#define SHEPARD_BACKEND_CUDA_SLOT_LIST_CUH

#include "backend/cuda/nearest_list.cuh"

#include <type_traits>

namespace shepard
{

/* Points kept beyond the k-th. */
constexpr int spare_places = 2;

/* Sorted upper halves of squared distances: a bound for the k-th, k <= K. */
template <int K> class key_list
{
  public:
    __device__ explicit key_list(int k)
    {
#pragma unroll
        for (int i = 0; i < K; i++)
            key_[i] = i < K - k ? -1 : infinite;
    }

    /* Above the k-th; no number while there is none. */
    __device__ double limit_above() const
    {
        return __hiloint2double(key_[K - 1] + 1, 0);
    }

    template <class Points> __device__ void offer(const Points &, double d2, std::uint32_t)
    {
        const int key = __double2hiint(d2);
#pragma unroll
        for (int i = K - 1; i > 0; i--)
            key_[i] = max(key_[i - 1], min(key_[i], key));
        key_[0] = min(key_[0], key);
    }

  private:
    static constexpr int infinite = 0x7FF00000;
    int key_[K];
};

/* k + spare_places <= K. The first places hold -1 where there are more, so that the k-th is always
 * in the same place. */
template <int K, bool is_ranked> class slot_list
{
  public:
    static constexpr bool ranked = is_ranked;
    static constexpr int row_places = K;
    static constexpr int stored_places = K + 1;
    /* Of a point of known rank the distance can be had again. */
    using stored = std::conditional_t<ranked, std::uint32_t, double>;
    using distances = key_list<K>;

    __device__ slot_list(int k, stored (*slots)[warp_lanes])
        : k_(k), free_(K), dropped_(infinite), slots_(slots), lane_(threadIdx.x % warp_lanes)
    {
#pragma unroll
        for (int i = 0; i < K; i++)
            key_[i] = i < first() ? -1 : infinite | i;
    }

    /* No point from here on matters; no number while there are fewer than k. */
    __device__ double limit() const
    {
        return __hiloint2double((key_[last] | slot_mask) + 1, 0);
    }

    template <class Points> __device__ void offer(const Points &, double d2, std::uint32_t rank)
    {
        if constexpr (ranked)
            slots_[free_][lane_] = rank;
        else
            slots_[free_][lane_] = d2;
        const int key = (__double2hiint(d2) & ~slot_mask) | free_;
        const int out = max(key_[K - 1], key);
#pragma unroll
        for (int i = K - 1; i > 0; i--)
            key_[i] = max(key_[i - 1], min(key_[i], key));
        key_[0] = min(key_[0], key);
        free_ = out & slot_mask;
        dropped_ = min(dropped_, out);
    }

    /* Whether a point that is no longer here may be one of the k nearest. */
    __device__ bool is_in_doubt() const
    {
        return key_[last] < infinite && (dropped_ | slot_mask) == (key_[last] | slot_mask);
    }

    /* All lanes together: row may lie where the slots are. */
    template <class Points, class Place>
    __device__ neighbour_row finish(const Points &points, const Place &at, const neighbour_row &row)
    {
        double d2[K];
        std::uint32_t rank[ranked ? K : 1];
#pragma unroll
        for (int i = 0; i < K; i++) {
            const bool there = key_[i] >= 0 && key_[i] < infinite;
            d2[i] = key_[i] < 0 ? -1.0 : (double)INFINITY;
            if constexpr (ranked) {
                rank[i] = there ? slots_[key_[i] & slot_mask][lane_] : 0;
                d2[i] = there ? squared_to(points, rank[i], at) : d2[i];
            } else {
                d2[i] = there ? slots_[key_[i] & slot_mask][lane_] : d2[i];
            }
        }
        __syncwarp();
        sort(points, d2, rank);
#pragma unroll
        for (int i = 0; i < K; i++) {
            if (i < first())
                continue;
            row.d2(i - first()) = d2[i];
            if constexpr (ranked)
                row.rank(i - first()) = rank[i];
        }
        return row;
    }

  private:
    /* Seldom more than one pass: distances are sorted but for their lower bits. */
    template <class Points>
    __device__ void sort(const Points &points, double *d2, std::uint32_t *rank) const
    {
        for (bool sorted = false; !sorted;) {
            sorted = true;
#pragma unroll
            for (int i = 1; i < K; i++) {
                bool swapped = d2[i] < d2[i - 1];
                if constexpr (ranked)
                    if (d2[i] == d2[i - 1] && d2[i] >= 0 && d2[i] < (double)INFINITY)
                        swapped = comes_before(points, rank[i], rank[i - 1]);
                if (!swapped)
                    continue;
                sorted = false;
                const double held = d2[i];
                d2[i] = d2[i - 1];
                d2[i - 1] = held;
                if constexpr (ranked) {
                    const std::uint32_t held_rank = rank[i];
                    rank[i] = rank[i - 1];
                    rank[i - 1] = held_rank;
                }
            }
        }
    }

    __device__ int first() const
    {
        return K - spare_places - k_;
    }

    static constexpr int infinite = 0x7FF00000;
    static constexpr int slot_mask = stored_places <= 32 ? 31 : 63;
    static_assert(stored_places <= slot_mask + 1);
    static constexpr int last = K - 1 - spare_places;
    int k_, free_, dropped_;
    stored (*slots_)[warp_lanes];
    int lane_;
    int key_[K];
};

} // namespace shepard

#endif
