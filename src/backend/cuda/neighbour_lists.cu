/* SPDX-License-Identifier: MIT */
#include "backend/cuda/neighbour_lists.cuh"

#include "backend/cuda/knn_stats.cuh"
#include "backend/cuda/neighbour_lists_kernels.cuh"
#include "cuda/check.cuh"

#include <algorithm>

namespace shepard
{

namespace
{

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

} // namespace

list_rules list_rules_of(const shepard_search &search, std::size_t points)
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

bool is_by_sector(const shepard_search &search)
{
    return search.sectors > 1 || is_elliptic(search);
}

bool has_no_limit(const shepard_search &search)
{
    return search.bounded && search.max_points == SIZE_MAX &&
           search.max_points_per_sector == SIZE_MAX;
}

bool keeps_lists(const shepard_rules &rules, bool in_space)
{
    return !has_no_limit(rules.search) &&
           (is_by_sector(rules.search) || rules.method == SHEPARD_METHOD_KRIGE ||
            (in_space && rules.degree == 1));
}

shepard_search search_of_nearest(std::size_t k)
{
    shepard_search search = {};
    search.sectors = 1;
    search.max_points = k;
    search.max_points_per_sector = SIZE_MAX;
    return search;
}

std::size_t most_neighbours(const shepard_search &search, std::size_t points)
{
    return std::min(most_each(search, points) * (std::size_t)search.sectors,
                    std::min(search.max_points, points));
}

/* Long lists of sectors have a place for each point of each sector. */
std::size_t list_places(const shepard_search &search, std::size_t points)
{
    const std::size_t all = most_each(search, points) * (std::size_t)search.sectors;
    return has_short_lists(search.sectors, most_each(search, points))
               ? most_neighbours(search, points)
               : all;
}

neighbour_lists::neighbour_lists(std::uint32_t m, std::size_t places, cudaStream_t stream)
    : m_(m), stride_(blocks_for(m_, sector_threads) * sector_threads),
      d2_(stride_ * places, stream), rank_(stride_ * places, stream), count_(m_, stream),
      enough_(m_, stream)
{
}

neighbour_lists::neighbour_lists(const points_view &points, const target_view &targets,
                                 const shepard_search &search, cudaStream_t stream)
    : neighbour_lists(targets.m, list_places(search, points.n), stream)
{
    find_points(points, targets, search, view(), stream);
}

} // namespace shepard
