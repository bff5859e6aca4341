/* SPDX-License-Identifier: MIT */
#include "backend/cuda/boxes.cuh"

#include <cmath>

namespace shepard
{
namespace
{

constexpr unsigned all_lanes = 0xffffffffu;
constexpr int group_points = leaf_points * fan;
/* Levels above one of at most so many boxes are made by one block. */
constexpr std::uint32_t few = 256;
constexpr int lift_threads = 1024;

/* The kept levels: counts of nodes with points, and where their boxes go. */
struct kept {
    int levels;
    std::uint32_t count[box_levels_max];
    box *boxes[box_levels_max];
};

std::uint32_t up_to_fan(std::uint32_t count)
{
    return (count + fan - 1) / fan * fan;
}

__device__ box empty_box()
{
    return {INFINITY, -INFINITY, INFINITY, -INFINITY};
}

/* The box round those of the lanes that differ in bits below `lanes`, a power of two. */
__device__ box join(box of, int lanes)
{
    for (int bit = lanes / 2; bit > 0; bit /= 2) {
        of.x_min = fmin(of.x_min, __shfl_xor_sync(all_lanes, of.x_min, bit));
        of.x_max = fmax(of.x_max, __shfl_xor_sync(all_lanes, of.x_max, bit));
        of.y_min = fmin(of.y_min, __shfl_xor_sync(all_lanes, of.y_min, bit));
        of.y_max = fmax(of.y_max, __shfl_xor_sync(all_lanes, of.y_max, bit));
    }
    return of;
}

/* Block i makes the boxes of leaves i fan ... and of the node above them; a thread is a point.
 * Blocks past the last leaf fill the level above. */
__global__ void __launch_bounds__(group_points)
    bound_leaves(std::uint32_t n, const double *__restrict__ x, const double *__restrict__ y,
                 const __grid_constant__ kept to)
{
    __shared__ box leaves[fan];
    const std::size_t point = (std::size_t)blockIdx.x * group_points + threadIdx.x;
    const bool inside = point < n;
    const double px = inside ? x[point] : 0, py = inside ? y[point] : 0;
    const box leaf = join(inside ? box{px, px, py, py} : empty_box(), leaf_points);
    if (threadIdx.x % leaf_points == 0)
        leaves[threadIdx.x / leaf_points] = leaf;
    __syncthreads();
    if (threadIdx.x >= fan)
        return;
    const box mine = leaves[threadIdx.x], above = join(mine, fan);
    if ((std::size_t)blockIdx.x * group_points < n)
        to.boxes[0][(std::size_t)blockIdx.x * fan + threadIdx.x] = mine;
    if (threadIdx.x == 0 && to.levels > 1)
        to.boxes[1][blockIdx.x] = above;
}

/* Levels first to last - 1, each of the one below, a warp a box; more than one level by one block
 * only. */
__global__ void __launch_bounds__(lift_threads)
    lift_boxes(const __grid_constant__ kept in, int first, int last)
{
    const std::uint32_t lane = threadIdx.x % fan, warps = gridDim.x * (lift_threads / fan);
    const std::uint32_t warp = blockIdx.x * (lift_threads / fan) + threadIdx.x / fan;
    for (int level = first; level < last; level++) {
        const std::uint32_t count = in.count[level], filled = (count + fan - 1) / fan * fan;
        for (std::uint32_t i = warp; i < filled; i += warps) {
            const box below =
                i < count ? in.boxes[level - 1][(std::size_t)i * fan + lane] : empty_box();
            const box mine = join(below, fan);
            if (lane == 0)
                in.boxes[level][i] = mine;
        }
        __syncthreads();
    }
}

void lift(const kept &levels, cudaStream_t stream)
{
    int level = 2;
    for (; level < levels.levels && levels.count[level] > few; level++) {
        const std::uint32_t filled = up_to_fan(levels.count[level]);
        lift_boxes<<<filled / (lift_threads / fan), lift_threads, 0, stream>>>(levels, level,
                                                                               level + 1);
        check_launch("boxes of nodes");
    }
    if (level < levels.levels) {
        lift_boxes<<<1, lift_threads, 0, stream>>>(levels, level, levels.levels);
        check_launch("boxes of the last nodes");
    }
}

} // namespace

boxes::boxes(const points_view &points, cudaStream_t stream)
{
    std::size_t all = 0;
    for (std::uint32_t count = (points.n - 1) / leaf_points + 1;; count = (count - 1) / fan + 1) {
        count_[levels_++] = count;
        all += up_to_fan(count);
        if (count <= fan)
            break;
    }
    memory_ = block<box>(all, stream);
    kept to = {levels_, {}, {}};
    box *next = memory_.get();
    for (int level = 0; level < levels_; level++) {
        to.count[level] = count_[level];
        to.boxes[level] = next;
        next += up_to_fan(count_[level]);
    }
    const std::uint32_t groups = up_to_fan(count_[0]) / fan;
    const std::uint32_t grid = levels_ > 1 ? up_to_fan(groups) : groups;
    bound_leaves<<<grid, group_points, 0, stream>>>(points.n, points.x, points.y, to);
    check_launch("boxes of leaves");
    lift(to, stream);
}

void boxes::fill(points_view &view) const
{
    const box *next = memory_.get();
    view.box_levels = levels_;
    for (int level = 0; level < levels_; level++) {
        view.box_count[level] = count_[level];
        view.boxes[level] = next;
        next += up_to_fan(count_[level]);
    }
}

} // namespace shepard
