/* SPDX-License-Identifier: MIT */
/* The k nearest points of each target of a warp where k is large: all lanes look for one target
 * after the other. Each lane holds some places of the list in registers; points of two leaves are
 * looked at together, those near enough wait until there are as many as lanes, are sorted and
 * merged. The list is the one that neighbours.cuh finds. */
#ifndef SHEPARD_BACKEND_CUDA_WARP_SEARCH_CUH
#define SHEPARD_BACKEND_CUDA_WARP_SEARCH_CUH

#include "backend/cuda/neighbours.cuh"

namespace shepard
{

/* A point and its squared distance; infinite: none. */
struct near_point {
    double d2;
    std::uint32_t rank;
};

/* A total order of points; none come last, in no order. */
template <bool ranked, class Points>
__device__ bool is_nearer(const Points &points, const near_point &a, const near_point &b)
{
    if constexpr (ranked)
        if (a.d2 == b.d2)
            return a.d2 < (double)INFINITY && comes_before(points, a.rank, b.rank);
    return a.d2 < b.d2;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* A search that chooses points by more than their distance takes a class of its own in place of
 * this one, with look_from, reaches and takes (sector_choice). */
struct any_point {
    static constexpr bool chooses = false;
};

/* Depth first, the nearest boxes first, round one target. As in leaf_walk, the stack is a register;
 * each lane keeps the distance of one child. */
template <class Points, class Place, class Choice> class target_walk
{
  public:
    static constexpr std::uint32_t no_leaf = UINT32_MAX;

    /* Leaves [passed, passed + count) are passed over. */
    __device__ target_walk(const Points &points, const Place &at, const Choice &choice,
                           std::uint32_t passed, std::uint32_t count)
        : points_(points), at_(at), choice_(choice), lane_(threadIdx.x % warp_lanes),
          level_(points.box_levels), passed_(passed), passed_count_(count)
    {
        open(0);
    }

    /* The next one or two leaves nearer than limit; false when all have been looked at. */
    __device__ bool next(double limit, std::uint32_t &first, std::uint32_t &second)
    {
        for (;;) {
            const int child = take_nearest(limit);
            if (child < 0) {
                if (!ascend())
                    return false;
                continue;
            }
            const std::uint32_t node = (parent_ << fan_height) + (std::uint32_t)child;
            if (level_ > 0) {
                if (lane_ == level_)
                    stack_ = left_;
                open(node);
                continue;
            }
            const int other = take_nearest(limit);
            first = node;
            second = other < 0 ? no_leaf : (parent_ << fan_height) + (std::uint32_t)other;
            return true;
        }
    }

  private:
    /* -1: none is left that matters. */
    __device__ int take_nearest(double limit)
    {
        const bool matters = (left_ >> lane_ & 1) != 0 && distance_ < limit;
        const int key = matters ? (coarse_distance(distance_) & -warp_lanes) + lane_ : INT_MAX;
        const int nearest = __reduce_min_sync(whole_warp, key);
        if (nearest == INT_MAX)
            return -1;
        left_ &= ~(1u << nearest % warp_lanes);
        return nearest % warp_lanes;
    }

    __device__ bool ascend()
    {
        do {
            if (++level_ == points_.box_levels)
                return false;
            left_ = __shfl_sync(whole_warp, stack_, level_);
            parent_ >>= fan_height;
        } while (left_ == 0);
        look_at_children();
        return true;
    }

    __device__ void open(std::uint32_t node)
    {
        level_--;
        parent_ = node;
        left_ = ~0u;
        look_at_children();
    }

    __device__ void look_at_children()
    {
        const std::uint32_t node = (parent_ << fan_height) + (std::uint32_t)lane_;
        const bool passed = level_ == 0 && node - passed_ < passed_count_;
        distance_ = passed ? (double)INFINITY : distance_of(box_at(points_, level_, node));
    }

    /* Infinite where the box holds no point that may be chosen. */
    __device__ double distance_of(const typename Points::box_type &of) const
    {
        if constexpr (Choice::chooses)
            if (!choice_.reaches(of))
                return (double)INFINITY;
        return squared_from(of, at_);
    }

    const Points &points_;
    const Place at_;
    const Choice &choice_;
    int lane_, level_;
    std::uint32_t parent_ = 0, passed_, passed_count_;
    double distance_ = 0;
    unsigned left_ = 0, stack_ = 0;
};

/* ---- the list -------------------------------------------------------------------------------- */

/* Sorted: lane l holds the places l, 32 + l ... */
template <int slots, bool ranked, class Points> class spread_list
{
  public:
    __device__ explicit spread_list(const Points &points)
        : points_(points), lane_(threadIdx.x % warp_lanes)
    {
    }

    __device__ void clear()
    {
#pragma unroll
        for (int s = 0; s < slots; s++)
            place_[s] = {(double)INFINITY, 0};
    }

    /* Squared distance of the k-th. */
    __device__ double farthest(int k) const
    {
        double d2 = 0;
#pragma unroll
        for (int s = 0; s < slots; s++)
            d2 = (k - 1) / warp_lanes == s ? place_[s].d2 : d2;
        return __shfl_sync(whole_warp, d2, (k - 1) % warp_lanes);
    }

    /* A point a lane, or none. */
    __device__ void merge(near_point point)
    {
        sort(point);
#pragma unroll
        for (int s = 0; s < slots; s++) {
            const double last = __shfl_sync(whole_warp, place_[s].d2, warp_lanes - 1);
            const double least = __shfl_sync(whole_warp, point.d2, 0);
            if (last < least || least == (double)INFINITY)
                continue;
            const near_point across = from(point, warp_lanes - 1);
            const bool swaps = is_nearer<ranked>(points_, across, place_[s]);
            point = swaps ? place_[s] : across;
            place_[s] = swaps ? across : place_[s];
            straighten(place_[s], point, s + 1 < slots);
        }
    }

    /* The first k, for one lane's eyes. */
    __device__ void write(int k, double *d2, std::uint32_t *rank) const
    {
#pragma unroll
        for (int s = 0; s < slots; s++) {
            const int i = s * warp_lanes + lane_;
            if (i >= k)
                continue;
            d2[i] = place_[s].d2;
            if constexpr (ranked)
                rank[i] = place_[s].rank;
        }
    }

  private:
    /* That of lane ^ mask. */
    __device__ near_point from(const near_point &point, int mask) const
    {
        near_point other = {__shfl_xor_sync(whole_warp, point.d2, mask), 0};
        if constexpr (ranked)
            other.rank = __shfl_xor_sync(whole_warp, point.rank, mask);
        return other;
    }

    __device__ void exchange(near_point &point, int step, bool keeps_nearer) const
    {
        const near_point other = from(point, step);
        const bool swaps = keeps_nearer ? is_nearer<ranked>(points_, other, point)
                                        : is_nearer<ranked>(points_, point, other);
        point = swaps ? other : point;
    }

    /* Sorts both, each of which rises, then falls, or the other way round. Loops that are not
     * unrolled: the code of a comparison is long. */
    __device__ void straighten(near_point &a, near_point &b, bool with_b) const
    {
#pragma unroll 1
        for (int step = warp_lanes / 2; step > 0; step /= 2) {
            exchange(a, step, (lane_ & step) == 0);
            if (with_b)
                exchange(b, step, (lane_ & step) == 0);
        }
    }

    __device__ void sort(near_point &point) const
    {
#pragma unroll 1
        for (int size = 2; size <= warp_lanes; size *= 2)
#pragma unroll 1
            for (int step = size / 2; step > 0; step /= 2)
                exchange(point, step, ((lane_ & step) == 0) == ((lane_ & size) == 0));
    }

    const Points &points_;
    int lane_;
    near_point place_[slots];
};

/* ---- the search ------------------------------------------------------------------------------ */

/* Stands for the lists of a search by warps. */
template <int n, bool is_ranked> struct warp_list {
    static constexpr bool ranked = is_ranked;
    static constexpr int slots = n;
    static constexpr int places = n * warp_lanes;
};

/* Targets whose lists go to their lanes together: whole sectors of local memory are written then.
 */
constexpr int kept_together(int slots)
{
    return slots < 8 ? 8 : 4;
}

/* Points that wait, and complete lists; a place more keeps lists in different banks. */
template <int slots, bool ranked, class Points>
struct search_scratch<warp_list<slots, ranked>, Points> {
    static constexpr int rows = kept_together(slots), places = slots * warp_lanes + 1;
    struct waiting_part {
        double d2[2 * warp_lanes];
        std::uint32_t rank[ranked ? 2 * warp_lanes : 1];
    };
    waiting_part waiting;
    double d2[rows][places];
    std::uint32_t rank[ranked ? rows : 1][ranked ? places : 1];
};

/* For one target after the other: a list depends on nothing but the points and the target. */
template <class List, bool Leaving, class Points, class Targets, class Choice> class warp_search
{
  public:
    using place_type = typename Targets::place_type;
    using scratch_type = search_scratch<List, Points>;

    __device__ warp_search(const Points &points, const Targets &targets, scratch_type &scratch,
                           int k, const Choice &choice)
        : points_(points), targets_(targets), scratch_(scratch), lane_(threadIdx.x % warp_lanes),
          k_(k), list_(points), choice_(choice)
    {
    }

    /* target's number and the rank of a point near it; only points nearer than cap count. The
     * list goes to a row of the scratch. */
    __device__ void find(const place_type &at, std::size_t target, std::uint32_t rank, double cap,
                         int row)
    {
        at_ = at;
        target_ = target;
        limit_ = cap_ = cap;
        if constexpr (Choice::chooses)
            choice_.look_from(points_, at);
        list_.clear();
        std::uint32_t first, end;
        choose_first_leaves(rank, first, end);
        walk_type walk(points_, at_, choice_, first, end - first);
        for (bool more = true; more;) {
            std::uint32_t leaf = first, second = first + 1 < end ? first + 1 : walk_type::no_leaf;
            if (first < end)
                first += 2;
            else
                more = walk.next(limit_, leaf, second);
            if (more)
                look_into(leaf, second);
            if (waiting_ >= warp_lanes || (!more && waiting_ > 0))
                merge_first();
        }
        list_.write(k_, scratch_.d2[row], scratch_.rank[List::ranked ? row : 0]);
        __syncwarp();
    }

    /* The k-th distance of the last target, squared; infinite where there are fewer. */
    __device__ double farthest() const { return list_.farthest(k_); }

  private:
    using walk_type = target_walk<Points, place_type, Choice>;

    /* Those round a point: somewhat more than k points where there are as many. */
    __device__ void choose_first_leaves(std::uint32_t rank, std::uint32_t &first,
                                        std::uint32_t &end) const
    {
        const std::uint32_t leaves = (points_.n - 1) / leaf_points + 1;
        const std::uint32_t count = 2 * ((std::uint32_t)(k_ - 1) / warp_lanes + 2);
        const std::uint32_t middle = (rank + leaf_points / 2) / leaf_points;
        first = middle - min(middle, count / 2);
        end = min(first + count, leaves);
    }

    /* A lane a point. Those past the last are infinitely far. */
    __device__ void look_into(std::uint32_t first, std::uint32_t second)
    {
        const std::uint32_t leaf = lane_ < leaf_points ? first : second;
        const std::uint32_t rank = leaf * leaf_points + (std::uint32_t)lane_ % leaf_points;
        const double d2 =
            leaf != walk_type::no_leaf ? squared_to(points_, rank, at_) : (double)INFINITY;
        bool enters =
            d2 < limit_ && !(Leaving && d2 == 0 && is_left_out(points_, targets_, target_, rank));
        if constexpr (Choice::chooses)
            enters = enters && choice_.takes(points_, rank);
        const unsigned entering = __ballot_sync(whole_warp, enters);
        if (entering == 0)
            return;
        if (enters) {
            const int place = waiting_ + __popc(entering & ((1u << lane_) - 1));
            scratch_.waiting.d2[place] = d2;
            if constexpr (List::ranked)
                scratch_.waiting.rank[place] = rank;
        }
        __syncwarp();
        waiting_ += __popc(entering);
    }

    /* As many as there are lanes; what is left moves to the front. What is no number is no limit.
     */
    __device__ void merge_first()
    {
        const near_point point = waiting(lane_), rest = waiting(warp_lanes + lane_);
        waiting_ = max(waiting_ - warp_lanes, 0);
        __syncwarp();
        if (lane_ < waiting_) {
            scratch_.waiting.d2[lane_] = rest.d2;
            if constexpr (List::ranked)
                scratch_.waiting.rank[lane_] = rest.rank;
        }
        __syncwarp();
        list_.merge(point);
        const double kth = farthest(), limit = List::ranked ? next_up(kth) : kth;
        limit_ = limit < cap_ ? limit : cap_;
    }

    __device__ near_point waiting(int i) const
    {
        if (i >= waiting_)
            return {(double)INFINITY, 0};
        return {scratch_.waiting.d2[i], List::ranked ? scratch_.waiting.rank[i] : 0};
    }

    const Points &points_;
    const Targets &targets_;
    scratch_type &scratch_;
    int lane_, k_, waiting_ = 0;
    std::size_t target_ = 0;
    place_type at_ = {};
    double cap_ = 0, limit_ = 0;
    spread_list<List::slots, List::ranked, Points> list_;
    Choice choice_;
};

__device__ inline plane_place place_of_lane(const plane_place &at, int lane)
{
    return {__shfl_sync(whole_warp, at.x, lane), __shfl_sync(whole_warp, at.y, lane)};
}

__device__ inline space_place place_of_lane(const space_place &at, int lane)
{
    const plane_place &flat = at;
    return {place_of_lane(flat, lane), __shfl_sync(whole_warp, at.z, lane)};
}

__device__ inline double squared_of_two(const plane_place &a, const plane_place &b)
{
    return squared(a.x - b.x, a.y - b.y);
}

__device__ inline double squared_of_two(const space_place &a, const space_place &b)
{
    return squared(a.x - b.x, a.y - b.y, a.z - b.z);
}

/* Above the squared k-th distance of a place, from that of another and the squared distance of the
 * two: rounding and what is lost where squares are near 0 are far below the margins. */
__device__ inline double bound_from(double kth, double apart2)
{
    const double reach = sqrt(kth) + sqrt(apart2);
    return reach * reach * (1 + 1e-12) + 1e-300;
}

/* For all targets of a warp; rows are each lane's own. */
template <class List, bool Leaving, class Points, class Targets, class Choice = any_point>
class warp_searches
{
  public:
    using scratch_type = search_scratch<List, Points>;
    using place_type = typename Targets::place_type;
    using target_type = target_at<place_type>;

    __device__ warp_searches(const Points &points, const Targets &targets, scratch_type &scratch,
                             int k, double cap, const Choice &choice = {})
        : points_(points), targets_(targets), scratch_(scratch), k_(k), cap_(cap), choice_(choice)
    {
    }

    __device__ neighbour_row find(const target_type &target)
    {
        const int lane = threadIdx.x % warp_lanes;
        warp_search<List, Leaving, Points, Targets, Choice> search(points_, targets_, scratch_, k_,
                                                                   choice_);
        place_type before = {};
        double kth = INFINITY;
        for (unsigned left = __ballot_sync(whole_warp, target.present); left != 0;
             left &= left - 1) {
            const int turn = __ffs((int)left) - 1;
            const place_type at = place_of_lane(target, turn);
            /* Points that one target does not use are no bound for another. */
            const double bound = Leaving || Choice::chooses
                                     ? cap_
                                     : fmin(cap_, bound_from(kth, squared_of_two(at, before)));
            search.find(at, target.i - lane + turn, __shfl_sync(whole_warp, target.rank, turn),
                        bound, turn % rows);
            kth = search.farthest();
            before = at;
            if ((left & (left - 1) & rows_of(turn)) == 0) {
                if (target.present && lane / rows == turn / rows)
                    keep(lane % rows);
                __syncwarp();
            }
        }
        return {d2_, rank_, 1};
    }

  private:
    static constexpr int rows = scratch_type::rows;

    /* The lanes whose targets are kept together with a lane's. */
    __device__ static unsigned rows_of(int lane)
    {
        return ((1u << rows) - 1) << lane / rows * rows;
    }

    __device__ void keep(int row)
    {
#pragma unroll 4
        for (int i = 0; i < k_; i++) {
            d2_[i] = scratch_.d2[row][i];
            if constexpr (List::ranked)
                rank_[i] = scratch_.rank[row][i];
        }
    }

    const Points &points_;
    const Targets &targets_;
    scratch_type &scratch_;
    int k_;
    double cap_;
    Choice choice_;
    double d2_[List::places];
    std::uint32_t rank_[List::ranked ? List::places : 1];
};

/* neighbours.cuh's interface. */
template <int slots, bool ranked, bool Leaving, class Points, class Targets>
class neighbour_search<warp_list<slots, ranked>, Leaving, Points, Targets,
                       search_scratch<warp_list<slots, ranked>, Points>>
    : public warp_searches<warp_list<slots, ranked>, Leaving, Points, Targets>
{
    using searches = warp_searches<warp_list<slots, ranked>, Leaving, Points, Targets>;

  public:
    __device__ neighbour_search(const Points &points, const Targets &targets,
                                typename searches::scratch_type &scratch,
                                const typename searches::target_type &, int k, double cap)
        : searches(points, targets, scratch, k, cap)
    {
    }
};

} // namespace shepard

#endif
