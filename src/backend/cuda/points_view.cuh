/* SPDX-License-Identifier: MIT */
/* The data points on one device, in the order of a Hilbert curve, and the boxes over them that
 * searches walk down, as kernels see both. Node i of level l holds the points [i 16 2^l, (i + 1) 16
 * 2^l), as far as there are any. Places with three coordinates have types of their own: those of
 * the plane, and the code of searches there, are what they are without them. */
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
    using box_type = box;

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

/* The same with three coordinates, in the order of core/halving.h: without keys, and with boxes of
 * their own. */
struct alignas(16) space_box {
    double x_min, x_max, y_min, y_max, z_min, z_max;
};

struct space_points_view : points_view {
    using box_type = space_box;

    const double *z; /* as x and y */
    double diameter; /* of the sphere, frame units; 0: places are not on one */
    const space_box *space_boxes[box_levels_max];
};

/* A place in the frame. */
struct plane_place {
    double x, y;
};

struct space_place : plane_place {
    double z;
};

/* Targets of one chunk of a call, in the order of the curve. */
struct target_view {
    using place_type = plane_place;

    std::uint32_t m;
    const double *x, *y;        /* [m] frame units; x is NaN where the target is not finite */
    const std::uint32_t *index; /* [m] place of the target in the chunk's outputs */
    const std::uint32_t *rank;  /* [m] of the first point not before the target along the curve, at
                                 * most n - 1: some near point, where to begin looking */
    const std::uint32_t *left_out; /* [m] how many points the target does not use; nullptr: none */
    const std::uint32_t *alone;    /* [m] rank of the one; nullptr: all at the target's place */
};

/* In the order of the leaves that they are nearest to; rank: the first point of that leaf. */
struct space_target_view : target_view {
    using place_type = space_place;

    const double *z; /* as x and y */
};

/* Sets *at to the place of target i. */
__device__ inline void place_at(const target_view &targets, std::size_t i, plane_place *at)
{
    at->x = targets.x[i];
    at->y = targets.y[i];
}

__device__ inline void place_at(const space_target_view &targets, std::size_t i, space_place *at)
{
    at->x = targets.x[i];
    at->y = targets.y[i];
    at->z = targets.z[i];
}

/* The same of a point. */
__device__ inline void place_of(const points_view &points, std::uint32_t rank, plane_place *at)
{
    at->x = points.x[rank];
    at->y = points.y[rank];
}

__device__ inline void place_of(const space_points_view &points, std::uint32_t rank,
                                space_place *at)
{
    at->x = points.x[rank];
    at->y = points.y[rank];
    at->z = points.z[rank];
}

/* Whether a point is at a place. */
__device__ inline bool is_at(const points_view &points, std::uint32_t rank, const plane_place &at)
{
    return points.x[rank] == at.x && points.y[rank] == at.y;
}

__device__ inline bool is_at(const space_points_view &points, std::uint32_t rank,
                             const space_place &at)
{
    return points.x[rank] == at.x && points.y[rank] == at.y && points.z[rank] == at.z;
}

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

__device__ inline bool is_left_out(const space_points_view &points,
                                   const space_target_view &targets, std::size_t t,
                                   std::uint32_t rank)
{
    const points_view &flat = points;
    const target_view &flat_targets = targets;
    return is_left_out(flat, flat_targets, t, rank) &&
           (targets.alone != nullptr || points.z[rank] == targets.z[t]);
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

__device__ __forceinline__ double squared(double dx, double dy, double dz)
{
    return __dadd_rn(squared(dx, dy), __dmul_rn(dz, dz));
}

/* Squared distance of a place from a point. */
__device__ __forceinline__ double squared_to(const points_view &points, std::uint32_t rank,
                                             const plane_place &at)
{
    return squared(at.x - points.x[rank], at.y - points.y[rank]);
}

__device__ __forceinline__ double squared_to(const space_points_view &points, std::uint32_t rank,
                                             const space_place &at)
{
    return squared(at.x - points.x[rank], at.y - points.y[rank], at.z - points.z[rank]);
}

/* Squared distance of a place from a box (Eq. 18); infinite for one without points. */
__device__ __forceinline__ double squared_from(const box &of, double x, double y)
{
    const double dx = fmax(0.0, fmax(of.x_min - x, x - of.x_max));
    const double dy = fmax(0.0, fmax(of.y_min - y, y - of.y_max));
    return squared(dx, dy);
}

__device__ __forceinline__ double squared_from(const box &of, const plane_place &at)
{
    return squared_from(of, at.x, at.y);
}

__device__ __forceinline__ double squared_from(const space_box &of, const space_place &at)
{
    const double dx = fmax(0.0, fmax(of.x_min - at.x, at.x - of.x_max));
    const double dy = fmax(0.0, fmax(of.y_min - at.y, at.y - of.y_max));
    const double dz = fmax(0.0, fmax(of.z_min - at.z, at.z - of.z_max));
    return squared(dx, dy, dz);
}

/* Node i of kept level l. */
__device__ __forceinline__ const box &box_at(const points_view &points, int level, std::uint32_t i)
{
    return points.boxes[level][i];
}

__device__ __forceinline__ const space_box &box_at(const space_points_view &points, int level,
                                                   std::uint32_t i)
{
    return points.space_boxes[level][i];
}

/* The leaf that a walk down the nearest boxes ends at: the nearest one, or nearly. */
template <class Points, class Place>
__device__ std::uint32_t near_leaf(const Points &points, const Place &at)
{
    std::uint32_t node = 0;
    for (int level = points.box_levels - 1; level >= 0; level--) {
        const std::uint32_t first = node << fan_height;
        const std::uint32_t end = min(first + fan, points.box_count[level]);
        double least = (double)INFINITY;
        for (std::uint32_t i = first; i < end; i++) {
            const double d2 = squared_from(box_at(points, level, i), at);
            node = d2 < least ? i : node;
            least = d2 < least ? d2 : least;
        }
    }
    return node;
}

} // namespace shepard

#endif
