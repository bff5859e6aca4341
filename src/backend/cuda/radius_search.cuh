/* SPDX-License-Identifier: MIT */
/* All points within the circle or the ellipse of each target of a warp, however many: they are
 * looked at walk by walk, in the order of the tree, and not kept. A walk is cheaper than reading
 * lists from memory, and its order depends on nothing but the points. */
#ifndef SHEPARD_BACKEND_CUDA_RADIUS_SEARCH_CUH
#define SHEPARD_BACKEND_CUDA_RADIUS_SEARCH_CUH

#include "backend/cuda/arc.cuh"
#include "backend/cuda/neighbour_lists_kernels.cuh"

namespace shepard
{

template <class Points, class Targets> class radius_search
{
  public:
    using box_type = typename Points::box_type;
    using place_type = typename Targets::place_type;
    using target_type = target_at<place_type>;
    using oriented_type = decltype(oriented(std::declval<Points>(), std::declval<place_type>()));

    /* around: a place of the warp's in shared memory. */
    __device__ radius_search(const Points &points, const Targets &targets, const list_rules &rule,
                             const target_type &target, box_type &around)
        : points_(points), targets_(targets), rule_(rule), target_(target), around_(around),
          from_(oriented(points, target))
    {
        share_box_of_warp(target.present, target_, around_);
    }

    /* take(squared distance, rank) of each point of a lane's target; all lanes together. */
    template <class Take> __device__ void walk(bool takes_part, const Take &take) const
    {
        const double far2 = takes_part ? rule_.far2 : -1, cap = takes_part ? rule_.cap : -1;
        leaf_walk<Points, place_type, true> leaves(points_, around_, target_);
        leaves.start(0, 0);
        for (std::uint32_t leaf; leaves.next(cap, leaf);) {
            const std::uint32_t first = leaf * leaf_points, last = first + leaf_points - 1;
            place_type next;
            place_of(points_, first, &next);
            /* Not unrolled: the code of several walks fills the cache of instructions. */
#pragma unroll 1
            for (std::uint32_t rank = first; rank <= last; rank++) {
                const place_type at = next;
                place_of(points_, min(rank + 1, last), &next);
                consider(at, rank, far2, take);
            }
        }
    }

    /* As seen from the target. */
    __device__ double2 bearing(std::uint32_t rank) const
    {
        place_type at;
        place_of(points_, rank, &at);
        return bearing_to(from_, at);
    }

  private:
    /* Points past the last are infinitely far. */
    template <class Take>
    __device__ void consider(const place_type &at, std::uint32_t rank, double far2,
                             const Take &take) const
    {
        const double d2 = squared_apart(from_, at);
        if (!(d2 <= far2) || (d2 == 0 && is_left_out(points_, targets_, target_.i, rank)))
            return;
        if (rule_.elliptic) {
            const double2 to = bearing_to(from_, at);
            if (!holds(rule_.ellipse, to.x, to.y))
                return;
        }
        take(bent(points_, target_, at, d2), rank);
    }

    const Points &points_;
    const Targets &targets_;
    const list_rules &rule_;
    const target_type &target_;
    box_type &around_;
    const oriented_type from_;
};

/* ---- the median ------------------------------------------------------------------------------ */

/* Squared distances as whole numbers in the same order. */
__device__ inline std::uint64_t key_of(double d2)
{
    return (std::uint64_t)__double_as_longlong(d2);
}

/* A warp's part of shared memory: each lane has a column. */
struct median_scratch {
    static constexpr int bits = 4; /* of a key that a walk decides */
    static constexpr int kept = 24;
    union {
        std::uint32_t count[1 << bits][warp_lanes];
        std::uint64_t key[kept][warp_lanes];
    };
};

/* Selects a squared distance by its place in their order: walks count how many are in each part of
 * an interval that shrinks to one of these parts, until few are left, which are sorted. */
template <class Search> class median_search
{
  public:
    __device__ median_search(const Search &search, median_scratch &scratch)
        : search_(search), scratch_(scratch), lane_(threadIdx.x % warp_lanes)
    {
    }

    /* The squared median of `count` distances, squared between nearest2 and farthest2. */
    __device__ double find(bool takes_part, std::uint32_t count, double nearest2, double farthest2)
    {
        const std::uint32_t middle = count / 2;
        const bool even = takes_part && count % 2 == 0;
        const double d2 = select(takes_part, count, middle, nearest2, farthest2);
        const double before2 = select_before(even, middle, d2);
        double median = sqrt(d2);
        if (even)
            median = (sqrt(before2) + median) / 2;
        return median * median;
    }

  private:
    /* That with k < count before it. */
    __device__ double select(bool takes_part, std::uint32_t count, std::uint32_t k, double nearest2,
                             double farthest2)
    {
        low_ = key_of(nearest2);
        high_ = takes_part ? key_of(farthest2) : low_;
        inside_ = count;
        k_ = k;
        const auto is_open = [&] { return low_ < high_ && inside_ > median_scratch::kept; };
        while (__any_sync(whole_warp, is_open()))
            narrow(is_open());
        __syncwarp(); /* keys lie where other lanes' counts were */
        sort_rest(low_ < high_);
        return __longlong_as_double((long long)low_);
    }

    __device__ void narrow(bool takes_part)
    {
        constexpr int parts = 1 << median_scratch::bits;
        const int width = 64 - __clzll((long long)(high_ - low_));
        const int shift = max(width - median_scratch::bits, 0);
        for (int i = 0; i < parts; i++)
            scratch_.count[i][lane_] = 0;
        search_.walk(takes_part, [&](double d2, std::uint32_t) {
            const std::uint64_t key = key_of(d2);
            if (key >= low_ && key <= high_)
                scratch_.count[(key - low_) >> shift][lane_]++;
        });
        if (!takes_part)
            return;
        int part = 0;
        for (; k_ >= scratch_.count[part][lane_]; part++)
            k_ -= scratch_.count[part][lane_];
        inside_ = scratch_.count[part][lane_];
        low_ += (std::uint64_t)part << shift;
        high_ = min(high_, low_ + ((std::uint64_t{1} << shift) - 1));
    }

    __device__ void sort_rest(bool takes_part)
    {
        int count = 0;
        search_.walk(takes_part, [&](double d2, std::uint32_t) {
            const std::uint64_t key = key_of(d2);
            if (key < low_ || key > high_)
                return;
            int i = count++;
            for (; i > 0 && scratch_.key[i - 1][lane_] > key; i--)
                scratch_.key[i][lane_] = scratch_.key[i - 1][lane_];
            scratch_.key[i][lane_] = key;
        });
        if (takes_part)
            low_ = scratch_.key[k_][lane_];
        __syncwarp();
    }

    /* The one before the one with k > 0 before it, which is d2. */
    __device__ double select_before(bool takes_part, std::uint32_t k, double d2) const
    {
        std::uint32_t less = 0;
        double most = 0;
        search_.walk(takes_part, [&](double other, std::uint32_t) {
            if (other < d2) {
                less++;
                most = fmax(most, other);
            }
        });
        return less == k ? most : d2;
    }

    const Search &search_;
    median_scratch &scratch_;
    const int lane_;
    std::uint64_t low_ = 0, high_ = 0;
    std::uint32_t inside_ = 0, k_ = 0;
};

} // namespace shepard

#endif
