/* SPDX-License-Identifier: MIT */
/* Where the points at a target's place are. */
#ifndef SHEPARD_BACKEND_CUDA_COINCIDENT_CUH
#define SHEPARD_BACKEND_CUDA_COINCIDENT_CUH

#include "backend/cuda/points_view.cuh"

namespace shepard
{

/* Visits all points at a target's place, and some near it: those at its place have its key and
 * stand next to each other. key: [m] of the targets. */
template <class Visit>
__device__ void visit_near(const points_view &points, const target_view &targets,
                           const std::uint64_t *key, std::size_t t, const Visit &visit)
{
    if (isnan(targets.x[t]))
        return;
    for (std::uint32_t i = targets.rank[t]; i < points.n && points.key[i] == key[t]; i++)
        visit(i);
}

/* In space they may lie in several leaves: those of the boxes that hold the place are visited,
 * depth first. */
template <class Visit>
__device__ void visit_near(const space_points_view &points, const space_target_view &targets,
                           const std::uint64_t *, std::size_t t, const Visit &visit)
{
    std::uint32_t next[box_levels_max], end[box_levels_max];
    space_place at;
    if (isnan(targets.x[t]))
        return;
    place_at(targets, t, &at);
    int level = points.box_levels - 1;
    next[level] = 0;
    end[level] = points.box_count[level];
    while (level < points.box_levels) {
        if (next[level] == end[level]) {
            level++;
            continue;
        }
        const std::uint32_t node = next[level]++;
        if (squared_from(box_at(points, level, node), at) > 0)
            continue;
        if (level > 0) {
            level--;
            next[level] = node << fan_height;
            end[level] = min((node + 1) << fan_height, points.box_count[level]);
            continue;
        }
        const std::uint32_t first = node * leaf_points;
        for (std::uint32_t i = first; i < min(first + leaf_points, points.n); i++)
            visit(i);
    }
}

} // namespace shepard

#endif
