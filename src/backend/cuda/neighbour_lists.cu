/* SPDX-License-Identifier: MIT */
#include "backend/cuda/neighbour_lists.cuh"

#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/neighbours.cuh"
#include "backend/cuda/sector_lists.cuh"
#include "cuda/check.cuh"

#include <algorithm>

namespace shepard
{

namespace
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
__device__ bool holds(const shepard_ellipse &ellipse, double dx, double dy)
{
    const double u = __dadd_rn(__dmul_rn(dx, ellipse.cosine), __dmul_rn(dy, ellipse.sine));
    const double v = __dsub_rn(__dmul_rn(dy, ellipse.cosine), __dmul_rn(dx, ellipse.sine));
    return __dadd_rn(__dmul_rn(ellipse.along, __dmul_rn(u, u)),
                     __dmul_rn(ellipse.across, __dmul_rn(v, v))) <= ellipse.limit;
}

/* ---- by sector ------------------------------------------------------------------------------- */

/* The targets of a warp, all in one walk where they are near each other, else one after the other:
 * what is nearest to a place is looked at first. */
template <int sectors> class sector_search
{
  public:
    __device__ sector_search(const points_view &points, const target_view &targets,
                             const list_rules &rule, const search_target &target,
                             const neighbour_row &row, box &around)
        : points_(points), targets_(targets), rule_(rule), target_(target), around_(around),
          lists_(row, rule.each, target.present ? rule.far2 : -1)
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
        const box around = box_of_warp(takes_part, target_);
        std::uint32_t first, end, leaf;
        __syncwarp();
        if (threadIdx.x % warp_lanes == 0)
            around_ = around;
        __syncwarp();
        choose_leaves(takes_part, first, end);
        for (leaf = first; leaf < end; leaf++)
            look_into(takes_part, leaf);
        leaf_walk<points_view, plane_place> walk(points_, around_, target_);
        walk.start(first, end - first);
        const auto matters = [&](const box &of) {
            return takes_part && lists_.may_gain(of, target_.x, target_.y);
        };
        while (walk.next(takes_part ? lists_.greatest_bound() : -1, matters, leaf))
            look_into(takes_part, leaf);
    }

    __device__ void look_into(bool takes_part, std::uint32_t leaf)
    {
        const std::uint32_t first = leaf * leaf_points;
        const double2 *x = reinterpret_cast<const double2 *>(points_.x + first);
        const double2 *y = reinterpret_cast<const double2 *>(points_.y + first);
        if (!takes_part)
            return;
#pragma unroll 1
        for (std::uint32_t i = 0; i < leaf_points; i += 2) {
            const double2 px = __ldg(x + i / 2), py = __ldg(y + i / 2);
            consider(px.x - target_.x, py.x - target_.y, first + i);
            consider(px.y - target_.x, py.y - target_.y, first + i + 1);
        }
    }

    /* Points past the last are infinitely far. */
    __device__ void consider(double dx, double dy, std::uint32_t rank)
    {
        const double d2 = squared(dx, dy);
        const int sector = sector_of<sectors>(dx, dy);
        if (!(d2 <= lists_.bound(sector)) ||
            (d2 == 0 && is_left_out(points_, targets_, target_.i, rank)) ||
            (rule_.elliptic && !holds(rule_.ellipse, dx, dy)))
            return;
        lists_.offer(points_, sector, d2, rank);
    }

    const points_view &points_;
    const target_view &targets_;
    const list_rules &rule_;
    const search_target &target_;
    box &around_;
    sector_lists<sectors> lists_;
};

/* Room for the lists of a warp. */
__device__ neighbour_row shared_row(int places)
{
    extern __shared__ double room[];
    const std::size_t lists = (std::size_t)places * warp_lanes;
    constexpr int warps = sector_threads / warp_lanes;
    const int warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
    std::uint32_t *const ranks = reinterpret_cast<std::uint32_t *>(room + warps * lists);
    return {room + warp * lists + lane, ranks + warp * lists + lane, warp_lanes};
}

template <int sectors, bool is_shared>
__global__ void __launch_bounds__(sector_threads)
    sector_kernel(const __grid_constant__ points_view points,
                  const __grid_constant__ target_view targets,
                  const __grid_constant__ list_rules rule,
                  const __grid_constant__ neighbour_lists_view to)
{
    __shared__ box around[sector_threads / warp_lanes];
    const search_target target = target_of_lane(targets);
    const std::uint32_t t = (std::uint32_t)target.i;
    const neighbour_row in_place = to.row(t);
    const neighbour_row row = is_shared ? shared_row(sectors * rule.each) : in_place;
    sector_search<sectors> search(points, targets, rule, target, row,
                                  around[threadIdx.x / warp_lanes]);
    search.find();
    if (target.i >= targets.m)
        return;
    const sector_counts taken = search.lists().deal(points, target.x, target.y, rule.most);
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
}

template <int sectors>
void find_by_sector(const points_view &points, const target_view &targets, const list_rules &rule,
                    const neighbour_lists_view &to, cudaStream_t stream)
{
    const std::size_t places = (std::size_t)sectors * rule.each;
    const unsigned blocks = blocks_for(targets.m, sector_threads);
    if (places <= shared_places)
        sector_kernel<sectors, true>
            <<<blocks, sector_threads,
               places * sector_threads *(sizeof(double) + sizeof(std::uint32_t)), stream>>>(
                points, targets, rule, to);
    else
        sector_kernel<sectors, false>
            <<<blocks, sector_threads, 0, stream>>>(points, targets, rule, to);
}

/* ---- the nearest ----------------------------------------------------------------------------- */

template <class List, bool Leaving>
__global__ void __launch_bounds__(search_threads)
    nearest_kernel(const __grid_constant__ points_view points,
                   const __grid_constant__ target_view targets,
                   const __grid_constant__ list_rules rule,
                   const __grid_constant__ neighbour_lists_view to)
{
    __shared__ search_scratch<List> scratch[search_threads / warp_lanes];
    const search_target target = target_of_lane(targets);
    neighbour_search<List, Leaving> search(points, targets, scratch[threadIdx.x / warp_lanes],
                                           target, rule.each, rule.cap);
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
}

void find_the_nearest(const points_view &points, const target_view &targets, const list_rules &rule,
                      const neighbour_lists_view &to, cudaStream_t stream)
{
    choose_search<true, neighbours_max>(targets, rule.each, [&](auto tag) {
        using search = decltype(tag);
        const auto kernel = nearest_kernel<typename search::list, search::leaving>;
        kernel<<<search_blocks(targets.m), search_threads, 0, stream>>>(points, targets, rule, to);
    });
}

/* ---- rules ----------------------------------------------------------------------------------- */

std::size_t most_each(const shepard_search &search, std::size_t points)
{
    return std::min({search.max_points, search.max_points_per_sector, points});
}

bool is_elliptic(const shepard_search &search)
{
    return search.bounded && search.ellipse.radius1 != search.ellipse.radius2;
}

/* An ellipse's rotation rounds: a little more than its longer axis is searched. */
double farthest2(const shepard_search &search)
{
    const double longer = std::max(search.ellipse.radius1, search.ellipse.radius2);
    if (!search.bounded)
        return DBL_MAX;
    return longer * longer * (is_elliptic(search) ? 1 + 1e-12 : 1);
}

list_rules rules_of(const shepard_search &search, std::size_t points)
{
    list_rules rule = {};
    rule.each = (int)most_each(search, points);
    rule.most = (int)most_neighbours(search, points);
    rule.far2 = farthest2(search);
    rule.cap = search.bounded ? next_up(rule.far2) : DBL_MAX;
    rule.elliptic = is_elliptic(search);
    rule.ellipse = search.ellipse;
    rule.least = search.min_points;
    rule.least_each = search.min_points_per_sector;
    return rule;
}

} // namespace

bool is_by_sector(const shepard_search &search)
{
    return search.sectors > 1 || is_elliptic(search);
}

std::size_t most_neighbours(const shepard_search &search, std::size_t points)
{
    return std::min(most_each(search, points) * (std::size_t)search.sectors,
                    std::min(search.max_points, points));
}

/* Lists that are made in place have a place for each point of each sector. */
std::size_t list_places(const shepard_search &search, std::size_t points)
{
    const std::size_t all = most_each(search, points) * (std::size_t)search.sectors;
    return all <= shared_places ? most_neighbours(search, points) : all;
}

neighbour_lists::neighbour_lists(const points_view &points, const target_view &targets,
                                 const shepard_search &search, cudaStream_t stream)
    : m_(targets.m), stride_(blocks_for(m_, sector_threads) * sector_threads),
      d2_(stride_ * list_places(search, points.n), stream),
      rank_(stride_ * list_places(search, points.n), stream), count_(m_, stream),
      enough_(m_, stream)
{
    const list_rules rule = rules_of(search, points.n);
    if (m_ == 0)
        return;
    if (!is_by_sector(search))
        find_the_nearest(points, targets, rule, view(), stream);
    else if (search.sectors == 8)
        find_by_sector<8>(points, targets, rule, view(), stream);
    else if (search.sectors == 4)
        find_by_sector<4>(points, targets, rule, view(), stream);
    else
        find_by_sector<1>(points, targets, rule, view(), stream);
    check_launch("finding the points of neighbourhoods");
}

} // namespace shepard
