/* SPDX-License-Identifier: MIT */
#include "backend/cuda/leave_out.cuh"

#include "backend/cuda/coincident.cuh"
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

template <class Points, class Targets> struct search {
    Points points;
    Targets targets;
    const std::uint64_t *key; /* of the plane */
    chosen_points chosen;
};

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

template <class Search>
__global__ void count_at_places(const __grid_constant__ Search in, std::uint32_t *count)
{
    const std::size_t t = (std::size_t)blockIdx.x * threads + threadIdx.x;
    if (t >= in.targets.m)
        return;
    std::uint32_t own = 0;
    visit_near(in.points, in.targets, in.key, t,
               [&](std::uint32_t i) { own += is_at(in.points, in.targets, t, i); });
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
    visit_near(in.points, in.targets, in.key, t, [&](std::uint32_t i) {
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
    find(search<points_view, target_view>{points, targets, key, chosen}, keep_coincident, in);
}

left_out_points::left_out_points(const space_points_view &points, const space_target_view &targets,
                                 const chosen_points &chosen, bool keep_coincident, cudaStream_t in)
    : count_(targets.m, in)
{
    find(search<space_points_view, space_target_view>{points, targets, nullptr, chosen},
         keep_coincident, in);
}

} // namespace shepard
