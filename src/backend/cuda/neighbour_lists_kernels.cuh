/* SPDX-License-Identifier: MIT */
/* Kernels that find the points of neighbourhoods, in the plane and in space, and their rules. */
#ifndef SHEPARD_BACKEND_CUDA_NEIGHBOUR_LISTS_KERNELS_CUH
#define SHEPARD_BACKEND_CUDA_NEIGHBOUR_LISTS_KERNELS_CUH

#include "backend/cuda/arc.cuh"
#include "backend/cuda/choose_search.cuh"
#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/neighbour_lists.cuh"
#include "backend/cuda/sector_lists.cuh"
#include "cuda/check.cuh"
#include "cuda/launch.cuh"

#include <type_traits>
#include <utility>

namespace shepard
{

/* Threads of a block of searches by sector with short lists, which lie in shared memory. */
constexpr int sector_threads = 64;

/* Whether the lists of sectors are short: each lane makes those of its target. Longer ones are
 * found by warps, where they end up. */
constexpr bool has_short_lists(int sectors, std::size_t each)
{
    return each <= 24 && (std::size_t)sectors * each <= 48;
}

/* Leaves that the targets of a warp may lie across to be looked for together. */
constexpr std::uint32_t together_leaves = 16;

struct list_rules {
    int each;         /* points of a sector */
    int most;         /* and of all */
    double far2, cap; /* squared distance that none is beyond, and one above it */
    bool elliptic;
    shepard_ellipse ellipse;
    std::size_t least, least_each; /* points that make a prediction */
};

/* shepard_ellipse_holds, with the bits of the other backends. */
__device__ inline bool holds(const shepard_ellipse &ellipse, double dx, double dy)
{
    const double u = __dadd_rn(__dmul_rn(dx, ellipse.cosine), __dmul_rn(dy, ellipse.sine));
    const double v = __dsub_rn(__dmul_rn(dy, ellipse.cosine), __dmul_rn(dx, ellipse.sine));
    return __dadd_rn(__dmul_rn(ellipse.along, __dmul_rn(u, u)),
                     __dmul_rn(ellipse.across, __dmul_rn(v, v))) <= ellipse.limit;
}

/* ---- by sector ------------------------------------------------------------------------------- */

/* The targets of a warp, all in one walk where they are near each other, else one after the other:
 * what is nearest to a place is looked at first. */
template <int sectors, class Points, class Targets> class sector_search
{
  public:
    using box_type = typename Points::box_type;
    using place_type = typename Targets::place_type;
    using target_type = target_at<place_type>;
    using oriented_type = decltype(oriented(std::declval<Points>(), std::declval<place_type>()));

    __device__ sector_search(const Points &points, const Targets &targets, const list_rules &rule,
                             const target_type &target, const neighbour_row &row, box_type &around)
        : points_(points), targets_(targets), rule_(rule), target_(target), around_(around),
          from_(oriented(points, target)), lists_(row, rule.each)
    {
        lists_.clear(target.present ? rule.far2 : -1);
    }

    __device__ void find()
    {
        const unsigned present = __ballot_sync(whole_warp, target_.present);
        std::uint32_t first, end;
        choose_leaves(target_.present, first, end);
        const bool together = end - first <= together_leaves;
        for (unsigned left = present; left != 0;) {
            const unsigned now = together ? left : left & (0 - left);
            left &= ~now;
            find_for((now >> threadIdx.x % warp_lanes & 1) != 0);
        }
    }

    __device__ sector_lists<sectors> &lists() { return lists_; }

  private:
    /* Those that the targets taking part are at, and one more on both sides. */
    __device__ void choose_leaves(bool takes_part, std::uint32_t &first, std::uint32_t &end) const
    {
        const std::uint32_t leaves = (points_.n - 1) / leaf_points + 1;
        const std::uint32_t own = target_.rank / leaf_points;
        const std::uint32_t low = __reduce_min_sync(whole_warp, takes_part ? own : leaves);
        const std::uint32_t high = __reduce_max_sync(whole_warp, takes_part ? own : 0u);
        first = low - min(low, 1u);
        end = min(high + 2, leaves);
    }

    __device__ void find_for(bool takes_part)
    {
        std::uint32_t first, end, leaf;
        __syncwarp(); /* the box of the targets before is no longer read */
        share_box_of_warp(takes_part, target_, around_);
        choose_leaves(takes_part, first, end);
        for (leaf = first; leaf < end; leaf++)
            look_into(takes_part, leaf);
        leaf_walk<Points, place_type> walk(points_, around_, target_);
        walk.start(first, end - first);
        const auto matters = [&](const box_type &of) {
            return takes_part && lists_.may_gain(of, from_);
        };
        while (walk.next(takes_part ? lists_.greatest_bound() : -1, matters, leaf))
            look_into(takes_part, leaf);
    }

    __device__ void look_into(bool takes_part, std::uint32_t leaf)
    {
        const std::uint32_t first = leaf * leaf_points;
        const auto pairs = pairs_from(points_, first);
        if (!takes_part)
            return;
#pragma unroll 1
        for (std::uint32_t i = 0; i < leaf_points; i += 2) {
            const auto pair = pairs[i / 2];
            consider(pair.first_place(), first + i);
            consider(pair.second_place(), first + i + 1);
        }
    }

    /* Points past the last are infinitely far. */
    __device__ void consider(const place_type &at, std::uint32_t rank)
    {
        const double d2 = squared_apart(from_, at);
        const double2 to = bearing_to(from_, at);
        const int sector = sector_of<sectors>(to.x, to.y);
        if (!(d2 <= lists_.bound(sector)) ||
            (d2 == 0 && is_left_out(points_, targets_, target_.i, rank)) ||
            (rule_.elliptic && !holds(rule_.ellipse, to.x, to.y)))
            return;
        lists_.offer(points_, sector, d2, rank);
    }

    const Points &points_;
    const Targets &targets_;
    const list_rules &rule_;
    const target_type &target_;
    box_type &around_;
    const oriented_type from_;
    sector_lists<sectors> lists_;
};

/* Of the lists in a target's row the points that the rules let through. */
template <int sectors, class Points, class Target>
__device__ int deal_lists(sector_lists<sectors> lists, const Points &points, const Target &target,
                          const list_rules &rule, const neighbour_lists_view &to)
{
    const sector_counts taken = lists.deal(points, target, rule.most);
    int count = 0;
    bool enough = true;
    for (int s = 0; s < sectors; s++) {
        count += taken[s];
        enough = enough && (std::size_t)taken[s] >= rule.least_each;
    }
    to.count[target.i] = (std::uint32_t)count;
    to.enough[target.i] = enough && count > 0 && (std::size_t)count >= rule.least;
    return count;
}

/* Room for the lists of a warp. */
__device__ inline neighbour_row shared_row(int places)
{
    extern __shared__ double room[];
    const std::size_t lists = (std::size_t)places * warp_lanes;
    constexpr int warps = sector_threads / warp_lanes;
    const int warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
    std::uint32_t *const ranks = reinterpret_cast<std::uint32_t *>(room + warps * lists);
    return {room + warp * lists + lane, ranks + warp * lists + lane, warp_lanes};
}

template <int sectors, class Points, class Targets>
__global__ void __launch_bounds__(sector_threads)
    sector_kernel(const __grid_constant__ Points points, const __grid_constant__ Targets targets,
                  const __grid_constant__ list_rules rule,
                  const __grid_constant__ neighbour_lists_view to)
{
    __shared__ typename Points::box_type around[sector_threads / warp_lanes];
    const auto target = target_of_lane(targets);
    const neighbour_row in_place = to.row((std::uint32_t)target.i);
    const neighbour_row row = shared_row(sectors * rule.each);
    sector_search<sectors, Points, Targets> search(points, targets, rule, target, row,
                                                   around[threadIdx.x / warp_lanes]);
    search.find();
    if (target.i >= targets.m)
        return;
    const int count = deal_lists(search.lists(), points, target, rule, to);
    for (int i = 0; i < count; i++) {
        in_place.d2(i) = row.d2(i);
        in_place.rank(i) = row.rank(i);
    }
    bend(points, target, in_place, count);
}

/* ---- by sector, with long lists -------------------------------------------------------------- */

/* The points of one sector, in an ellipse if there is one. */
template <int sectors, class Points, class Place> class sector_choice
{
  public:
    static constexpr bool chooses = true;

    __device__ sector_choice(const list_rules &rule, int sector) : rule_(rule), sector_(sector) {}

    __device__ void look_from(const Points &points, const Place &at)
    {
        from_ = oriented(points, at);
    }

    __device__ bool reaches(const typename Points::box_type &of) const
    {
        return reaches_sector<sectors>(of, from_, sector_);
    }

    __device__ bool takes(const Points &points, std::uint32_t rank) const
    {
        Place at;
        place_of(points, rank, &at);
        const double2 to = bearing_to(from_, at);
        return sector_of<sectors>(to.x, to.y) == sector_ &&
               (!rule_.elliptic || holds(rule_.ellipse, to.x, to.y));
    }

  private:
    const list_rules &rule_;
    int sector_;
    decltype(oriented(std::declval<Points>(), std::declval<Place>())) from_;
};

template <class List, int sectors, class Points, class Targets>
__global__ void __launch_bounds__(search_threads)
    long_sector_kernel(const __grid_constant__ Points points,
                       const __grid_constant__ Targets targets,
                       const __grid_constant__ list_rules rule,
                       const __grid_constant__ neighbour_lists_view to)
{
    using choice = sector_choice<sectors, Points, typename Targets::place_type>;
    __shared__ search_scratch<List, Points> scratch[search_threads / warp_lanes];
    const auto target = target_of_lane(targets);
    const neighbour_row row = to.row((std::uint32_t)target.i);
    sector_lists<sectors> lists(row, rule.each);
    for (int s = 0; s < sectors; s++) {
        warp_searches<List, true, Points, Targets, choice> search(
            points, targets, scratch[threadIdx.x / warp_lanes], rule.each, rule.cap,
            choice(rule, s));
        const neighbour_row found = search.find(target);
        if (target.i < targets.m && target.present)
            lists.take_over(s, found);
    }
    if (target.i >= targets.m)
        return;
    if (!target.present)
        lists.clear(-1);
    bend(points, target, row, deal_lists(lists, points, target, rule, to));
}

/* ---- launches by sector ---------------------------------------------------------------------- */

template <int sectors, class Points, class Targets>
void find_by_sector(const Points &points, const Targets &targets, const list_rules &rule,
                    const neighbour_lists_view &to, cudaStream_t stream)
{
    const std::size_t places = (std::size_t)sectors * rule.each;
    if (has_short_lists(sectors, (std::size_t)rule.each))
        sector_kernel<sectors, Points, Targets>
            <<<blocks_for(targets.m, sector_threads), sector_threads,
               places * sector_threads *(sizeof(double) + sizeof(std::uint32_t)), stream>>>(
                points, targets, rule, to);
    else
        choose_slots<true, true>(
            rule.each,
            [&](auto tag) {
                const auto kernel =
                    long_sector_kernel<typename decltype(tag)::list, sectors, Points, Targets>;
                kernel<<<search_blocks(targets.m), search_threads, 0, stream>>>(points, targets,
                                                                                rule, to);
            },
            list_sizes<1, 2, 4, 8>());
}

/* ---- the nearest ----------------------------------------------------------------------------- */

template <class List, bool Leaving, class Points, class Targets>
__global__ void __launch_bounds__(search_threads)
    list_nearest_kernel(const __grid_constant__ Points points,
                        const __grid_constant__ Targets targets,
                        const __grid_constant__ list_rules rule,
                        const __grid_constant__ neighbour_lists_view to)
{
    __shared__ search_scratch<List, Points> scratch[search_threads / warp_lanes];
    const auto target = target_of_lane(targets);
    neighbour_search<List, Leaving, Points, Targets> search(
        points, targets, scratch[threadIdx.x / warp_lanes], target, rule.each, rule.cap);
    const neighbour_row found = search.find(target);
    if (target.i >= targets.m)
        return;
    const std::uint32_t t = (std::uint32_t)target.i;
    const neighbour_row row = to.row(t);
    const int count = target.present ? count_within(found, rule.most, rule.far2) : 0;
    to.count[t] = (std::uint32_t)count;
    to.enough[t] = count > 0 && (std::size_t)count >= max(rule.least, rule.least_each);
    for (int i = 0; i < count; i++) {
        row.d2(i) = found.d2(i);
        row.rank(i) = found.rank(i);
    }
    bend_sorted(points, target, row, count);
}

/* ---- rules ----------------------------------------------------------------------------------- */

list_rules list_rules_of(const shepard_search &search, std::size_t points);

/* ---- launches -------------------------------------------------------------------------------- */

template <class Points, class Targets>
void find_nearest_points(const Points &points, const Targets &targets, const list_rules &rule,
                         const neighbour_lists_view &to, cudaStream_t stream)
{
    choose_search<true>(targets, rule.each, [&](auto tag) {
        using found = decltype(tag);
        const auto kernel =
            list_nearest_kernel<typename found::list, found::leaving, Points, Targets>;
        kernel<<<search_blocks(to.m), search_threads, 0, stream>>>(points, targets, rule, to);
    });
}

/* Ellipses without sectors are those of the plane. */
template <class Points, class Targets>
void find_points(const Points &points, const Targets &targets, const shepard_search &search,
                 const neighbour_lists_view &to, cudaStream_t stream)
{
    const list_rules rule = list_rules_of(search, points.n);
    if (to.m == 0)
        return;
    if (!is_by_sector(search))
        find_nearest_points(points, targets, rule, to, stream);
    else if (search.sectors == 8)
        find_by_sector<8>(points, targets, rule, to, stream);
    else if (search.sectors == 4)
        find_by_sector<4>(points, targets, rule, to, stream);
    else if constexpr (std::is_same<Points, points_view>())
        find_by_sector<1>(points, targets, rule, to, stream);
    check_launch("finding the points of neighbourhoods");
}

} // namespace shepard

#endif
