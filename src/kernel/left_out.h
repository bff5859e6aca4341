/* SPDX-License-Identifier: MIT */
/* Points that one target leaves out: those at its place among a few consecutive ranks, those that a
 * star round it covers, and those that barriers hide from it. */
#ifndef SHEPARD_KERNEL_LEFT_OUT_H
#define SHEPARD_KERNEL_LEFT_OUT_H

#include "kernel/sight.h"
#include "kernel/star.h"
#include "kernel/tree.h"

struct shepard_left_out {
    uint32_t first, end;             /* ranks first to end - 1; first == end: none */
    uint32_t count;                  /* how many points are left out */
    const struct shepard_star *star; /* NULL: none */
    struct shepard_sight *sight;     /* of the target; NULL: it sees all */
};

/* Whether any point may be left out. */
static inline bool shepard_left_out_any(const struct shepard_left_out *left)
{
    return left->first < left->end || left->star != NULL || left->sight != NULL;
}

/* Whether all points at this squared distance and beyond are left out. */
static inline bool shepard_left_out_ends(const struct shepard_left_out *left, double d2)
{
    return left->sight != NULL && shepard_sight_ends(left->sight, d2);
}

/* Whether point `rank` is left out at the target (x, y). */
static inline bool shepard_left_out_has(const struct shepard_left_out *left,
                                        const struct shepard_tree *tree, size_t rank, double x,
                                        double y)
{
    return (rank >= left->first && rank < left->end && tree->x[rank] == x && tree->y[rank] == y) ||
           (left->star != NULL &&
            shepard_star_has(left->star, tree->x[rank] - x, tree->y[rank] - y)) ||
           (left->sight != NULL && shepard_sight_hides(left->sight, tree->x[rank], tree->y[rank]));
}

/* The same in three dimensions, where there are no barriers. */
static inline bool shepard_left_out_has_3d(const struct shepard_left_out *left,
                                           const struct shepard_tree *tree, size_t rank,
                                           const struct shepard_place *place)
{
    const double x = tree->x[rank], y = tree->y[rank], z = tree->z[rank];
    return (rank >= left->first && rank < left->end && x == place->x && y == place->y &&
            z == place->z) ||
           (left->star != NULL && shepard_star_has_3d(left->star, place, x, y, z));
}

/* How much of node i of siblings the star of a target leaves out. */
static inline enum shepard_star_cover shepard_left_out_cover_3d(const struct shepard_left_out *left,
                                                                const struct shepard_place *place,
                                                                const struct shepard_boxes *boxes,
                                                                const struct shepard_sides *sides,
                                                                size_t i)
{
    const double low[3] = {boxes->x_min[i], boxes->y_min[i], sides->min[i]};
    const double high[3] = {boxes->x_max[i], boxes->y_max[i], sides->max[i]};
    return shepard_star_cover_3d(left->star, place, low, high);
}

/* Bits without those of siblings all of whose points the star of a target leaves out. */
static inline unsigned shepard_left_out_drop_3d(const struct shepard_left_out *left,
                                                const struct shepard_place *place,
                                                const struct shepard_boxes *boxes,
                                                const struct shepard_sides *sides, unsigned bits)
{
    unsigned kept = bits;
    for (unsigned rest = left->star != NULL ? bits : 0; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        if (shepard_left_out_cover_3d(left, place, boxes, sides, i) == SHEPARD_STAR_ALL)
            kept &= ~(1u << i);
    }
    return kept;
}

/* Bits of those of the points first to first + count - 1 that are left out, but for those that are
 * only hidden; count <= 64. */
static inline uint64_t shepard_left_out_among(const struct shepard_left_out *left,
                                              const struct shepard_tree *tree, size_t first,
                                              size_t count, double x, double y)
{
    uint64_t bits = 0;
    const size_t from = left->first > first ? left->first : first;
    const size_t end = left->end < first + count ? left->end : first + count;
    for (size_t i = from; i < end; i++)
        bits |= (uint64_t)(tree->x[i] == x && tree->y[i] == y) << (i - first);
    for (size_t i = 0; left->star != NULL && i < count; i++)
        bits |=
            (uint64_t)shepard_star_has(left->star, tree->x[first + i] - x, tree->y[first + i] - y)
            << i;
    return bits;
}

/* Bits without those of the points first, first + 1 ... that are hidden. */
static inline unsigned shepard_left_out_drop_hidden(const struct shepard_left_out *left,
                                                    const struct shepard_tree *tree, size_t first,
                                                    unsigned bits)
{
    unsigned seen = bits;
    for (unsigned rest = left->sight != NULL ? bits : 0; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        if (shepard_sight_hides(left->sight, tree->x[first + i], tree->y[first + i]))
            seen &= ~(1u << i);
    }
    return seen;
}

/* Bits without those of siblings all of whose points the star of a target leaves out, or a barrier
 * hides. */
static inline unsigned shepard_left_out_drop(const struct shepard_left_out *left,
                                             const struct shepard_boxes *boxes, unsigned bits,
                                             double x, double y)
{
    unsigned kept = bits;
    for (unsigned rest = left->star != NULL ? bits : 0; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        const struct shepard_star_box box = {boxes->x_min[i] - x, boxes->x_max[i] - x,
                                             boxes->y_min[i] - y, boxes->y_max[i] - y};
        if (shepard_star_cover(left->star, box) == SHEPARD_STAR_ALL)
            kept &= ~(1u << i);
    }
    for (unsigned rest = left->sight != NULL ? kept : 0; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        if (shepard_sight_hides_box(left->sight, boxes->x_min[i], boxes->x_max[i], boxes->y_min[i],
                                    boxes->y_max[i]))
            kept &= ~(1u << i);
    }
    return kept;
}

#endif
