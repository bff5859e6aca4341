/* SPDX-License-Identifier: MIT */
#include "backend/cuda/leave_out.cuh"

#include "cuda/check.cuh"
#include "cuda/launch.cuh"

extern "C" {
#include "shepard/shepard.h"
}

namespace shepard
{

namespace
{

constexpr int threads = 256;

__global__ void find_ranks(const std::uint32_t *index, std::uint32_t n, std::uint32_t *rank)
{
    const std::size_t i = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (i < n)
        rank[index[i]] = (std::uint32_t)i;
}

struct search {
    points_view points;
    target_view targets;
    const std::uint64_t *key;
    chosen_points chosen;
};

struct space_search {
    space_points_view points;
    space_target_view targets;
    chosen_points chosen;
};

/* Points at a target's place have its key: they stand next to each other. */
template <class Visit>
__device__ void visit_cell(const search &in, std::size_t t, const Visit &visit)
{
    const points_view &points = in.points;
    if (isnan(in.targets.x[t]))
        return;
    for (std::uint32_t i = in.targets.rank[t]; i < points.n && points.key[i] == in.key[t]; i++)
        visit(i);
}

__device__ bool is_at(const points_view &points, const target_view &targets, std::size_t t,
                      std::uint32_t i)
{
    return points.x[i] == targets.x[t] && points.y[i] == targets.y[t];
}

__device__ bool is_at(const space_points_view &points, const space_target_view &targets,
                      std::size_t t, std::uint32_t i)
{
    return points.x[i] == targets.x[t] && points.y[i] == targets.y[t] &&
           points.z[i] == targets.z[t];
}

/* Points at one place may lie in several leaves: those of the boxes that hold it are visited, depth
 * first. */
template <class Visit>
__device__ void visit_cell(const space_search &in, std::size_t t, const Visit &visit)
{
    const space_points_view &points = in.points;
    std::uint32_t next[box_levels_max], end[box_levels_max];
    space_place at;
    if (isnan(in.targets.x[t]))
        return;
    place_at(in.targets, t, &at);
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
            if (is_at(points, in.targets, t, i))
                visit(i);
    }
}

template <class Search>
__global__ void count_at_places(const __grid_constant__ Search in, std::uint32_t *count)
{
    const std::size_t t = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (t >= in.targets.m)
        return;
    std::uint32_t own = 0;
    visit_cell(in, t, [&](std::uint32_t i) { own += is_at(in.points, in.targets, t, i); });
    count[t] = own;
}

template <class Search>
__global__ void find_alone(const __grid_constant__ Search in, std::uint32_t *count,
                           std::uint32_t *alone)
{
    const std::size_t t = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (t >= in.targets.m)
        return;
    std::uint32_t own = SHEPARD_NO_POINT;
    const std::uint32_t number = in.chosen[in.targets.index[t]];
    visit_cell(in, t, [&](std::uint32_t i) {
        if (in.points.index[i] == number)
            own = i;
    });
    count[t] = own != SHEPARD_NO_POINT;
    alone[t] = own;
}

} // namespace

place_ranks::place_ranks(const space_points_view &of, std::size_t given_count, const stream &on)
    : x_(of.x), y_(of.y), z_(of.z), rank_(given_count, on.get())
{
    static_assert(SHEPARD_NO_POINT == UINT32_MAX, "bytes of ones are no point");
    check(cudaMemsetAsync(rank_.get(), 0xFF, rank_.bytes(), on.get()), "finding the data points");
    find_ranks<<<blocks_for(of.n, threads), threads, 0, on.get()>>>(of.index, of.n, rank_.get());
    check_launch("finding the data points");
}

template <class Search>
void left_out_points::find(const Search &from, bool keep_coincident, cudaStream_t in)
{
    const std::uint32_t m = from.targets.m;
    const unsigned blocks = blocks_for(m, threads);
    if (keep_coincident) {
        alone_ = block<std::uint32_t>(m, in);
        find_alone<<<blocks, threads, 0, in>>>(from, count_.get(), alone_.get());
    } else {
        count_at_places<<<blocks, threads, 0, in>>>(from, count_.get());
    }
    check_launch("leaving points out");
}

left_out_points::left_out_points(const points_view &points, const target_view &targets,
                                 const std::uint64_t *key, const chosen_points &chosen,
                                 bool keep_coincident, cudaStream_t in)
    : count_(targets.m, in)
{
    find(search{points, targets, key, chosen}, keep_coincident, in);
}

left_out_points::left_out_points(const space_points_view &points, const space_target_view &targets,
                                 const chosen_points &chosen, bool keep_coincident, cudaStream_t in)
    : count_(targets.m, in)
{
    find(space_search{points, targets, chosen}, keep_coincident, in);
}

} // namespace shepard
