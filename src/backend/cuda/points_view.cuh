/* SPDX-License-Identifier: MIT */
/* The data points on one device, in the order of a Hilbert curve, and the boxes over them that
 * searches walk down, as kernels see both. Node i of level l holds the points [i 16 2^l, (i + 1) 16
 * 2^l), as far as there are any. */
#ifndef SHEPARD_BACKEND_CUDA_POINTS_VIEW_CUH
#define SHEPARD_BACKEND_CUDA_POINTS_VIEW_CUH

#include <cstddef>
#include <cstdint>

namespace shepard
{

constexpr int leaf_points = 16;
/* Boxes stand for every fan_height-th level: a warp looks at all children of a box at once. */
constexpr int fan_height = 5;
constexpr int fan = 1 << fan_height;
constexpr int box_levels_max = 7;

/* Of a node's points; that of a node with none is inverted: infinity to -infinity. */
struct alignas(32) box {
    double x_min, x_max, y_min, y_max;
};

struct points_view {
    std::uint32_t n;
    int columns;
    /* [n up to a multiple of leaf_points * fan]; frame units; those past n are infinite */
    const double *x, *y;
    const double *values;       /* [columns, n] as the caller gave them */
    const double *weights;      /* [n], > 0, the largest 1; nullptr: all 1 */
    const std::uint32_t *index; /* [n] into the caller's data */
    const std::uint64_t *key;   /* [n] place along the curve, rising (hilbert.cuh) */
    /* [columns] of the caller's values: the middle of their range, a power of two that brings
     * scale |z - middle| to within 1 (scale z - scale middle: z - middle may overflow), and the
     * range itself */
    const double *middle, *scale, *value_min, *value_max;
    /* Boxes of the nodes of levels 0, fan_height, 2 fan_height ...; the last has at most fan. Each
     * level is filled with boxes of nodes without points up to a multiple of fan. */
    int box_levels;
    std::uint32_t box_count[box_levels_max]; /* nodes with points */
    const box *boxes[box_levels_max];
};

/* Targets of one chunk of a call, in the order of the curve. */
struct target_view {
    std::uint32_t m;
    const double *x, *y;        /* [m] frame units; x is NaN where the target is not finite */
    const std::uint32_t *index; /* [m] place of the target in the chunk's outputs */
    const std::uint32_t *rank;  /* [m] of the first point not before the target along the curve, at
                                 * most n - 1: some near point, where to begin looking */
    const std::uint32_t *left_out; /* [m] how many points the target does not use; nullptr: none */
    const std::uint32_t *alone;    /* [m] rank of the one; nullptr: all at the target's place */
};

/* Whether target t does not use a point, which is at squared distance 0. */
__device__ inline bool is_left_out(const points_view &points, const target_view &targets,
                                   std::size_t t, std::uint32_t rank)
{
    if (targets.left_out == nullptr)
        return false;
    if (targets.alone != nullptr)
        return rank == targets.alone[t];
    return points.x[rank] == targets.x[t] && points.y[rank] == targets.y[t];
}

/* How many points target t uses. */
__device__ inline std::uint32_t points_for(const points_view &points, const target_view &targets,
                                           std::size_t t)
{
    return points.n - (targets.left_out != nullptr ? targets.left_out[t] : 0);
}

/* The same product and sum on every processor, no multiply-add: distances have the bits of the
 * other backends', a box's is never above that of a point in it, and equal ones are seen to be. */
__device__ __forceinline__ double squared(double dx, double dy)
{
    return __dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy));
}

/* Squared distance of a place from a box (Eq. 18); infinite for one without points. */
__device__ __forceinline__ double squared_from(const box &of, double x, double y)
{
    const double dx = fmax(0.0, fmax(of.x_min - x, x - of.x_max));
    const double dy = fmax(0.0, fmax(of.y_min - y, y - of.y_max));
    return squared(dx, dy);
}

} // namespace shepard

#endif
