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
template <class Box> struct kept {
    int levels;
    std::uint32_t count[box_levels_max];
    Box *boxes[box_levels_max];
};

std::uint32_t up_to_fan(std::uint32_t count)
{
    return (count + fan - 1) / fan * fan;
}

__device__ void set_empty(box *of)
{
    *of = {INFINITY, -INFINITY, INFINITY, -INFINITY};
}

__device__ void set_empty(space_box *of)
{
    *of = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY};
}

/* The box of one point. */
__device__ box box_of(const points_view &points, std::size_t i)
{
    return {points.x[i], points.x[i], points.y[i], points.y[i]};
}

__device__ space_box box_of(const space_points_view &points, std::size_t i)
{
    return {points.x[i], points.x[i], points.y[i], points.y[i], points.z[i], points.z[i]};
}

__device__ void widen(double *low, double *high, int bit)
{
    *low = fmin(*low, __shfl_xor_sync(all_lanes, *low, bit));
    *high = fmax(*high, __shfl_xor_sync(all_lanes, *high, bit));
}

__device__ void widen(box *of, int bit)
{
    widen(&of->x_min, &of->x_max, bit);
    widen(&of->y_min, &of->y_max, bit);
}

__device__ void widen(space_box *of, int bit)
{
    widen(&of->x_min, &of->x_max, bit);
    widen(&of->y_min, &of->y_max, bit);
    widen(&of->z_min, &of->z_max, bit);
}

/* The box round those of the lanes that differ in bits below `lanes`, a power of two. */
template <class Box> __device__ Box join(Box of, int lanes)
{
    for (int bit = lanes / 2; bit > 0; bit /= 2)
        widen(&of, bit);
    return of;
}

/* Block i makes the boxes of leaves i fan ... and of the node above them; a thread is a point.
 * Blocks past the last leaf fill the level above. */
template <class Points>
__global__ void __launch_bounds__(group_points)
    bound_leaves(const __grid_constant__ Points points,
                 const __grid_constant__ kept<typename Points::box_type> to)
{
    using box_type = typename Points::box_type;
    __shared__ box_type leaves[fan];
    const std::size_t point = (std::size_t)blockIdx.x * group_points + threadIdx.x;
    box_type own;
    set_empty(&own);
    if (point < points.n)
        own = box_of(points, point);
    const box_type leaf = join(own, leaf_points);
    if (threadIdx.x % leaf_points == 0)
        leaves[threadIdx.x / leaf_points] = leaf;
    __syncthreads();
    if (threadIdx.x >= fan)
        return;
    const box_type mine = leaves[threadIdx.x], above = join(mine, fan);
    if ((std::size_t)blockIdx.x * group_points < points.n)
        to.boxes[0][(std::size_t)blockIdx.x * fan + threadIdx.x] = mine;
    if (threadIdx.x == 0 && to.levels > 1)
        to.boxes[1][blockIdx.x] = above;
}

/* Levels first to last - 1, each of the one below, a warp a box; more than one level by one block
 * only. */
template <class Box>
__global__ void __launch_bounds__(lift_threads)
    lift_boxes(const __grid_constant__ kept<Box> in, int first, int last)
{
    const std::uint32_t lane = threadIdx.x % fan, warps = gridDim.x * (lift_threads / fan);
    const std::uint32_t warp = blockIdx.x * (lift_threads / fan) + threadIdx.x / fan;
    for (int level = first; level < last; level++) {
        const std::uint32_t count = in.count[level], filled = (count + fan - 1) / fan * fan;
        for (std::uint32_t i = warp; i < filled; i += warps) {
            Box below;
            set_empty(&below);
            if (i < count)
                below = in.boxes[level - 1][(std::size_t)i * fan + lane];
            const Box mine = join(below, fan);
            if (lane == 0)
                in.boxes[level][i] = mine;
        }
        __syncthreads();
    }
}

template <class Box> void lift(const kept<Box> &levels, cudaStream_t stream)
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

void show(points_view &view, int level, const box *of)
{
    view.boxes[level] = of;
}

void show(space_points_view &view, int level, const space_box *of)
{
    view.space_boxes[level] = of;
}

} // namespace

template <class Points> boxes_of<Points>::boxes_of(const Points &points, cudaStream_t stream)
{
    std::size_t all = 0;
    for (std::uint32_t count = (points.n - 1) / leaf_points + 1;; count = (count - 1) / fan + 1) {
        count_[levels_++] = count;
        all += up_to_fan(count);
        if (count <= fan)
            break;
    }
    memory_ = block<box_type>(all, stream);
    kept<box_type> to = {levels_, {}, {}};
    box_type *next = memory_.get();
    for (int level = 0; level < levels_; level++) {
        to.count[level] = count_[level];
        to.boxes[level] = next;
        next += up_to_fan(count_[level]);
    }
    const std::uint32_t groups = up_to_fan(count_[0]) / fan;
    const std::uint32_t grid = levels_ > 1 ? up_to_fan(groups) : groups;
    bound_leaves<<<grid, group_points, 0, stream>>>(points, to);
    check_launch("boxes of leaves");
    lift(to, stream);
}

template <class Points> void boxes_of<Points>::fill(Points &view) const
{
    const box_type *next = memory_.get();
    view.box_levels = levels_;
    for (int level = 0; level < levels_; level++) {
        view.box_count[level] = count_[level];
        show(view, level, next);
        next += up_to_fan(count_[level]);
    }
}

template class boxes_of<points_view>;
template class boxes_of<space_points_view>;

} // namespace shepard
