/* SPDX-License-Identifier: MIT */
/* A warp's walk over the tree of boxes, leaf by leaf. */
#ifndef SHEPARD_BACKEND_CUDA_LEAF_WALK_CUH
#define SHEPARD_BACKEND_CUDA_LEAF_WALK_CUH

#include "backend/cuda/nearest_list.cuh"
#include "cuda/launch.cuh"

#include <cmath>
#include <limits.h>

namespace shepard
{

static_assert(fan == warp_lanes, "a lane looks at one child of a box");

__device__ inline double least_of_warp(double a)
{
#pragma unroll
    for (int step = warp_lanes / 2; step > 0; step /= 2)
        a = fmin(a, __shfl_xor_sync(whole_warp, a, step));
    return a;
}

/* The box round the targets of a warp; those of lanes that do not take part stay out. */
__device__ inline box box_of_warp(bool takes_part, const plane_place &at)
{
    const double none = INFINITY;
    box around;
    around.x_min = least_of_warp(takes_part ? at.x : none);
    around.x_max = -least_of_warp(takes_part ? -at.x : none);
    around.y_min = least_of_warp(takes_part ? at.y : none);
    around.y_max = -least_of_warp(takes_part ? -at.y : none);
    return around;
}

__device__ inline space_box box_of_warp(bool takes_part, const space_place &at)
{
    const double none = INFINITY;
    const plane_place &flat = at;
    const box around = box_of_warp(takes_part, flat);
    return {around.x_min,
            around.x_max,
            around.y_min,
            around.y_max,
            least_of_warp(takes_part ? at.z : none),
            -least_of_warp(takes_part ? -at.z : none)};
}

/* Puts it in shared memory, for all lanes. */
template <class Box, class Place>
__device__ inline void share_box_of_warp(bool takes_part, const Place &at, Box &to)
{
    const Box around = box_of_warp(takes_part, at);
    if (threadIdx.x % warp_lanes == 0)
        to = around;
    __syncwarp();
}

/* Squared distance between two boxes: rounding is monotone, so it is never above squared_from of a
 * place in the one and the other box. */
__device__ inline double squared_between(const box &a, const box &b)
{
    const double dx = fmax(0.0, fmax(a.x_min - b.x_max, b.x_min - a.x_max));
    const double dy = fmax(0.0, fmax(a.y_min - b.y_max, b.y_min - a.y_max));
    return squared(dx, dy);
}

__device__ inline double squared_between(const space_box &a, const space_box &b)
{
    const double dx = fmax(0.0, fmax(a.x_min - b.x_max, b.x_min - a.x_max));
    const double dy = fmax(0.0, fmax(a.y_min - b.y_max, b.y_min - a.y_max));
    const double dz = fmax(0.0, fmax(a.z_min - b.z_max, b.z_min - a.z_max));
    return squared(dx, dy, dz);
}

/* Squared distances, finite or not, as whole numbers in the same order, if coarser; limits < 0 are
 * below all. */
__device__ inline int coarse_distance(double d2)
{
    return __double2hiint(d2);
}

/* Depth first, all lanes together, the nearest boxes first, or in the order of the points. A lane's
 * limit is a finite number that no box or point matters to which is at that squared distance or
 * more, < 0 for a lane that does not take part; it may fall from one call to the next. Lane l keeps
 * the children of level l that are still to be looked at: the stack is a register. */
template <class Points, class Place, bool in_order = false> class leaf_walk
{
  public:
    using box_type = typename Points::box_type;

    __device__ leaf_walk(const Points &points, const box_type &around, const Place &at)
        : points_(points), around_(around), at_(at), lane_(threadIdx.x % warp_lanes)
    {
    }

    /* Leaves [first, first + count) are passed over. */
    __device__ void start(std::uint32_t first, std::uint32_t count)
    {
        passed_ = first;
        passed_count_ = count;
        level_ = points_.box_levels;
        open(0);
    }

    /* The next leaf that matters to any lane; false where there is none. */
    __device__ bool next(double limit, std::uint32_t &leaf)
    {
        const auto matters = [&](const box_type &of) { return squared_from(of, at_) < limit; };
        return next(limit, matters, leaf);
    }

    /* The same where matters(box) tells a lane more than its limit. */
    template <class Matters>
    __device__ bool next(double limit, const Matters &matters, std::uint32_t &leaf)
    {
        for (;;) {
            const int child = next_child(limit);
            if (child < 0) {
                if (!ascend())
                    return false;
                continue;
            }
            left_ &= ~(1u << child);
            const std::uint32_t node = (parent_ << fan_height) + (std::uint32_t)child;
            const box_type of = box_at(points_, level_, node);
            if (!__any_sync(whole_warp, matters(of)))
                continue;
            if (level_ == 0) {
                leaf = node;
                return true;
            }
            descend(node);
        }
    }

  private:
    /* Of those left, by the box round all targets, the next that may matter to a lane; -1: none
     * does. */
    __device__ int next_child(double limit) const
    {
        const int reach = __reduce_max_sync(whole_warp, coarse_distance(limit));
        const bool matters = (left_ >> lane_ & 1) != 0 && distance_ <= reach;
        const int before = in_order ? 0 : distance_ & -warp_lanes;
        const int next = __reduce_min_sync(whole_warp, matters ? before + lane_ : INT_MAX);
        return next < INT_MAX ? next % warp_lanes : -1;
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

    __device__ void descend(std::uint32_t node)
    {
        if (lane_ == level_)
            stack_ = left_;
        open(node);
    }

    __device__ void open(std::uint32_t node)
    {
        level_--;
        parent_ = node;
        left_ = ~0u;
        look_at_children();
    }

    /* Each lane at one. */
    __device__ void look_at_children()
    {
        const std::uint32_t node = (parent_ << fan_height) + (std::uint32_t)lane_;
        const bool passed = level_ == 0 && node - passed_ < passed_count_;
        distance_ = passed
                        ? INT_MAX
                        : coarse_distance(squared_between(box_at(points_, level_, node), around_));
    }

    const Points &points_;
    const box_type &around_;
    const Place at_;
    int lane_, level_ = 0, distance_ = 0;
    std::uint32_t parent_ = 0, passed_ = 0, passed_count_ = 0;
    unsigned left_ = 0, stack_ = 0;
};

} // namespace shepard

#endif
