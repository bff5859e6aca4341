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

/* Threads of a block of searches by sector, and the places whose lists a block keeps in shared
 * memory; longer lists are made where they end up. */
constexpr int sector_threads = 64;
constexpr int shared_places = 48;

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
          from_(oriented(points, target)), lists_(row, rule.each, target.present ? rule.far2 : -1)
    {
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
        const box_type around = box_of_warp(takes_part, target_);
        std::uint32_t first, end, leaf;
        __syncwarp();
        if (threadIdx.x % warp_lanes == 0)
            around_ = around;
        __syncwarp();
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

template <int sectors, bool is_shared, class Points, class Targets>
__global__ void __launch_bounds__(sector_threads)
    sector_kernel(const __grid_constant__ Points points, const __grid_constant__ Targets targets,
                  const __grid_constant__ list_rules rule,
                  const __grid_constant__ neighbour_lists_view to)
{
    __shared__ typename Points::box_type around[sector_threads / warp_lanes];
    const auto target = target_of_lane(targets);
    const std::uint32_t t = (std::uint32_t)target.i;
    const neighbour_row in_place = to.row(t);
    const neighbour_row row = is_shared ? shared_row(sectors * rule.each) : in_place;
    sector_search<sectors, Points, Targets> search(points, targets, rule, target, row,
                                                   around[threadIdx.x / warp_lanes]);
    search.find();
    if (target.i >= targets.m)
        return;
    const sector_counts taken = search.lists().deal(points, target, rule.most);
    int count = 0;
    bool enough = true;
    for (int s = 0; s < sectors; s++) {
        count += taken[s];
        enough = enough && (std::size_t)taken[s] >= rule.least_each;
    }
    to.count[t] = (std::uint32_t)count;
    to.enough[t] = enough && count > 0 && (std::size_t)count >= rule.least;
    for (int i = 0; is_shared && i < count; i++) {
        in_place.d2(i) = row.d2(i);
        in_place.rank(i) = row.rank(i);
    }
    bend(points, target, in_place, count);
}

template <int sectors, class Points, class Targets>
void find_by_sector(const Points &points, const Targets &targets, const list_rules &rule,
                    const neighbour_lists_view &to, cudaStream_t stream)
{
    const std::size_t places = (std::size_t)sectors * rule.each;
    const unsigned blocks = blocks_for(targets.m, sector_threads);
    if (places <= shared_places)
        sector_kernel<sectors, true, Points, Targets>
            <<<blocks, sector_threads,
               places * sector_threads *(sizeof(double) + sizeof(std::uint32_t)), stream>>>(
                points, targets, rule, to);
    else
        sector_kernel<sectors, false, Points, Targets>
            <<<blocks, sector_threads, 0, stream>>>(points, targets, rule, to);
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
