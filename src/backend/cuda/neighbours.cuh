/* SPDX-License-Identifier: MIT */
/* The k nearest points of each target of a warp, one lane a target. Targets that are near each
 * other share a walk of the tree; the list of each is its own and depends on nothing but the data
 * and the target. Points that may belong to a lane's list wait in its queue: a list is entered by
 * many lanes at once, or else each would wait for all the others' insertions. Mirrors
 * core/neighbours.h. */
#ifndef SHEPARD_BACKEND_CUDA_NEIGHBOURS_CUH
#define SHEPARD_BACKEND_CUDA_NEIGHBOURS_CUH

#include "backend/cuda/leaf_walk.cuh"
#include "backend/cuda/nearest_list.cuh"
#include "backend/cuda/slot_list.cuh"

#include <float.h>

namespace shepard
{

constexpr int search_threads = 64;
constexpr int queue_places = 8;

/* A warp that looks into so many leaves has met points whose distances a list of few bits does not
 * distinguish: a dense spot far away. */
constexpr std::uint32_t leaves_before_doubt = 1024;
/* Points that are looked at before queues are. */
constexpr int queue_step = 4;
/* Leaves that the targets of a warp may lie across for all of them to be looked at first. */
constexpr std::uint32_t shared_leaves = 6;

/* A warp's part of shared memory. */
template <class Points> struct bare_scratch {
    static constexpr bool queued = false;
    typename Points::box_type around; /* all its targets */
};

/* The lanes' queues and what lists keep there, then complete lists. */
template <class List, class Points = points_view> struct search_scratch : bare_scratch<Points> {
    static constexpr bool queued = true;
    struct queue_part {
        double d2[queue_places][warp_lanes];
        std::uint32_t rank[List::ranked ? queue_places : 1][warp_lanes];
        typename List::stored slots[List::stored_places][warp_lanes];
    };
    struct row_part {
        double d2[List::row_places][warp_lanes];
        std::uint32_t rank[List::ranked ? List::row_places : 1][warp_lanes];
    };
    union {
        queue_part queue;
        row_part row;
    };
};

/* One target for each lane. */
template <class Place> struct target_at : Place {
    std::size_t i; /* its number */
    std::uint32_t rank;
    bool present; /* and finite */
};
using search_target = target_at<plane_place>;

__device__ inline std::size_t target_of_thread()
{
    return (std::size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

template <class Targets>
__device__ target_at<typename Targets::place_type> target_of_lane(const Targets &targets)
{
    target_at<typename Targets::place_type> target = {{}, target_of_thread(), 0, false};
    if (target.i >= targets.m)
        return target;
    place_at(targets, target.i, &target);
    target.present = !isnan(target.x);
    target.rank = target.present ? targets.rank[target.i] : 0;
    return target;
}

/* Two points next to each other. */
struct plane_pair {
    double2 x, y;

    __device__ double first(const plane_place &at) const { return squared(at.x - x.x, at.y - y.x); }
    __device__ double second(const plane_place &at) const
    {
        return squared(at.x - x.y, at.y - y.y);
    }
    __device__ plane_place first_place() const { return {x.x, y.x}; }
    __device__ plane_place second_place() const { return {x.y, y.y}; }
};

struct space_pair {
    double2 x, y, z;

    __device__ double first(const space_place &at) const
    {
        return squared(at.x - x.x, at.y - y.x, at.z - z.x);
    }
    __device__ double second(const space_place &at) const
    {
        return squared(at.x - x.y, at.y - y.y, at.z - z.y);
    }
    __device__ space_place first_place() const { return {{x.x, y.x}, z.x}; }
    __device__ space_place second_place() const { return {{x.y, y.y}, z.y}; }
};

/* The points from an even one on, by pairs. */
struct plane_pairs {
    const double2 *x, *y;

    __device__ plane_pairs(const points_view &points, std::uint32_t first)
        : x(reinterpret_cast<const double2 *>(points.x + first)),
          y(reinterpret_cast<const double2 *>(points.y + first))
    {
    }
    __device__ plane_pair operator[](std::uint32_t i) const { return {__ldg(x + i), __ldg(y + i)}; }
};

struct space_pairs : plane_pairs {
    const double2 *z;

    __device__ space_pairs(const space_points_view &points, std::uint32_t first)
        : plane_pairs(points, first), z(reinterpret_cast<const double2 *>(points.z + first))
    {
    }
    __device__ space_pair operator[](std::uint32_t i) const
    {
        return {__ldg(x + i), __ldg(y + i), __ldg(z + i)};
    }
};

__device__ inline plane_pairs pairs_from(const points_view &points, std::uint32_t first)
{
    return {points, first};
}

__device__ inline space_pairs pairs_from(const space_points_view &points, std::uint32_t first)
{
    return {points, first};
}

/* Scratch: search_scratch, or bare_scratch for a search without queues. Leaving: what targets
 * leave out is passed over; an argument of the template: as a flag it made every search slower by
 * 15 %. */
template <class List, bool Leaving, class Points = points_view, class Targets = target_view,
          class Scratch = search_scratch<List, Points>>
class neighbour_search
{
  public:
    using place_type = typename Targets::place_type;
    using target_type = target_at<place_type>;

    /* For lanes without a target as well; target: target_of_lane of targets. cap: finite; only
     * points nearer than it count. */
    __device__ neighbour_search(const Points &points, const Targets &targets, Scratch &scratch,
                                const target_type &target, int k, double cap)
        : points_(points), targets_(targets), scratch_(scratch), lane_(threadIdx.x % warp_lanes),
          k_(k), at_(target), cap_(target.present ? cap : -1.0), list_(k, slots_of(scratch))
    {
        share_box_of_warp(target.present, at_, scratch.around);
        limit_ = cap_;
    }

    /* The k nearest points: squared distances and, where lists are ranked, ranks; infinite where
     * there are fewer. The row is the search's own. */
    __device__ neighbour_row find(const target_type &target)
    {
        leaf_walk<Points, place_type> walk(points_, scratch_.around, at_);
        std::uint32_t leaf = 0, end = 0;
        std::uint32_t left = Scratch::queued ? leaves_before_doubt : UINT32_MAX;
        choose_first_leaves(target, leaf, end);
        const std::uint32_t first = leaf;
        for (bool walking = false; left > 0; leaf++, left--) {
            if (!walking && leaf == end) {
                drain();
                walk.start(first, end - first);
                walking = true;
            }
            if (walking && !walk.next(limit_, leaf))
                break;
            look_into(leaf);
        }
        drain();
        return finish(target, left == 0);
    }

  private:
    using stored_slots = typename List::stored (*)[warp_lanes];

    __device__ static stored_slots slots_of(Scratch &scratch)
    {
        if constexpr (Scratch::queued)
            return scratch.queue.slots;
        else
            return nullptr;
    }

    /* given_up: not all leaves were looked into. */
    __device__ neighbour_row finish(const target_type &target, bool given_up)
    {
        if constexpr (!Scratch::queued) {
            return list_.finish(points_, at_, {});
        } else {
            const bool in_doubt = target.present && (given_up || list_.is_in_doubt());
            const neighbour_row row =
                list_.finish(points_, at_,
                             {&scratch_.row.d2[0][lane_],
                              &scratch_.row.rank[0][List::ranked ? lane_ : 0], warp_lanes});
            if (__any_sync(whole_warp, in_doubt))
                find_again(target, in_doubt, row);
            return row;
        }
    }

    /* A limit that k points of the leaves from a near one on are within. */
    __device__ double cap_by_near_leaf() const
    {
        const std::uint32_t leaves = (points_.n - 1) / leaf_points + 1;
        const std::uint32_t count = (std::uint32_t)(k_ - 1) / leaf_points + 1;
        if (count >= leaves)
            return cap_;
        const std::uint32_t first = min(near_leaf(points_, at_), leaves - count) * leaf_points;
        double most = 0;
        for (std::uint32_t i = first; i < first + count * leaf_points; i++) {
            const double d2 = squared_to(points_, i, at_);
            most = fmax(most, passes_over(d2, i) ? (double)INFINITY : d2);
        }
        return most < cap_ ? nextafter(most, cap_) : cap_;
    }

    /* Once more for some lanes, with lists that know distances to the last bit. */
    __device__ void find_again(const target_type &target, bool in_doubt, const neighbour_row &row)
    {
        target_type again = target;
        again.present = in_doubt;
        neighbour_search<heap_list<List::row_places, List::ranked>, Leaving, Points, Targets,
                         bare_scratch<Points>>
            search(points_, targets_, scratch_, again, k_, in_doubt ? cap_by_near_leaf() : cap_);
        const neighbour_row found = search.find(again);
        for (int i = 0; in_doubt && i < k_; i++) {
            row.d2(i) = found.d2(i);
            if constexpr (List::ranked)
                row.rank(i) = found.rank(i);
        }
    }

    /* Leaves [first, end) round all targets, k points at least where there are as many; or none,
     * and a limit for each lane instead. */
    __device__ void choose_first_leaves(const target_type &target, std::uint32_t &first,
                                        std::uint32_t &end)
    {
        const std::uint32_t leaves = (points_.n - 1) / leaf_points + 1;
        const std::uint32_t margin = (std::uint32_t)(k_ - 1) / leaf_points + 1;
        const std::uint32_t own = target.rank / leaf_points;
        const std::uint32_t low = __reduce_min_sync(whole_warp, target.present ? own : leaves);
        const std::uint32_t high = __reduce_max_sync(whole_warp, target.present ? own : 0u);
        first = end = 0;
        if (high - low >= shared_leaves) {
            if (target.present)
                limit_alone(target);
            return;
        }
        first = low - min(low, margin);
        end = min(high + margin + 1, leaves);
    }

    /* The k-th distance among the points beside the lane's target along the curve. */
    __device__ void limit_alone(const target_type &target)
    {
        const std::uint32_t half = (std::uint32_t)k_ / 2 + 4, count = min(2 * half, points_.n);
        const std::uint32_t first = min(target.rank - min(target.rank, half), points_.n - count);
        typename List::distances list(k_);
        for (std::uint32_t i = first; i < first + count; i++) {
            const double d2 = squared_to(points_, i, at_);
            if (!passes_over(d2, i))
                list.offer(points_, d2, i);
        }
        lower(list.limit_above());
        cap_ = limit_;
    }

    __device__ void look_into(std::uint32_t leaf)
    {
        const std::uint32_t first = leaf * leaf_points;
        const auto pairs = pairs_from(points_, first);
#pragma unroll 1
        for (std::uint32_t i = 0; i < leaf_points; i += queue_step) {
#pragma unroll
            for (std::uint32_t j = 0; j < queue_step; j += 2) {
                const auto pair = pairs[(i + j) / 2];
                consider(pair.first(at_), first + i + j);
                consider(pair.second(at_), first + i + j + 1);
            }
            if (Scratch::queued && __any_sync(whole_warp, waiting_ > queue_places - queue_step))
                drain();
        }
    }

    __device__ bool passes_over(double d2, std::uint32_t rank) const
    {
        return Leaving && d2 == 0 && is_left_out(points_, targets_, target_of_thread(), rank);
    }

    /* Points past the last are infinitely far. */
    __device__ void consider(double d2, std::uint32_t rank)
    {
        if (!(d2 < limit_) || passes_over(d2, rank))
            return;
        if constexpr (Scratch::queued) {
            scratch_.queue.d2[waiting_][lane_] = d2;
            if constexpr (List::ranked)
                scratch_.queue.rank[waiting_][lane_] = rank;
            waiting_++;
        } else {
            list_.offer(points_, d2, rank);
            lower(list_.limit());
        }
    }

    __device__ void drain()
    {
        if constexpr (Scratch::queued) {
            while (__any_sync(whole_warp, waiting_ > 0)) {
                if (waiting_ == 0)
                    continue;
                waiting_--;
                const double d2 = scratch_.queue.d2[waiting_][lane_];
                if (!(d2 < limit_))
                    continue;
                list_.offer(points_, d2, List::ranked ? scratch_.queue.rank[waiting_][lane_] : 0);
                lower(list_.limit());
            }
        }
    }

    /* What is no number is no limit. */
    __device__ void lower(double limit)
    {
        limit_ = limit < cap_ ? limit : cap_;
    }

    const Points &points_;
    const Targets &targets_;
    Scratch &scratch_;
    int lane_, k_, waiting_ = 0;
    place_type at_;
    double cap_, limit_;
    List list_;
};

/* The first of a complete list that are no farther than a radius, `most` at most. */
__device__ inline int count_within(const neighbour_row &row, int most, double radius2)
{
    int count = 0;
    while (count < most && row.d2(count) < (double)INFINITY && row.d2(count) <= radius2)
        count++;
    return count;
}

} // namespace shepard

#endif
