/* SPDX-License-Identifier: MIT */
/* The leaves round a run of neighbouring targets: one walk over the tree finds them, then each
 * target tests a few consecutive boxes. Where targets are dense, as the cells of a fine raster, the
 * area holds few points, and these are copied. */
#ifndef SHEPARD_KERNEL_LEAF_LIST_H
#define SHEPARD_KERNEL_LEAF_LIST_H

#include "kernel/tree.h"

#define SHEPARD_LIST_MAX 64
#define SHEPARD_LIST_POINTS 128

struct shepard_leaf_list {
    bool complete; /* false: more than SHEPARD_LIST_MAX leaves touch the area, count is 0 */
    size_t count;  /* leaves that touch the area */
    _Alignas(64) double x_min[SHEPARD_LIST_MAX];
    _Alignas(64) double x_max[SHEPARD_LIST_MAX];
    _Alignas(64) double y_min[SHEPARD_LIST_MAX];
    _Alignas(64) double y_max[SHEPARD_LIST_MAX];
    uint32_t leaf[SHEPARD_LIST_MAX];
    size_t points; /* in the area, copied; 0: none or more than SHEPARD_LIST_POINTS, no copies */
    _Alignas(64) double x[SHEPARD_LIST_POINTS];
    _Alignas(64) double y[SHEPARD_LIST_POINTS];
    uint32_t rank[SHEPARD_LIST_POINTS];
};

/* An area, frame units. */
struct shepard_area {
    double x_min, x_max, y_min, y_max;
};

/* Whether node i of a set of siblings touches an area. */
static inline bool shepard_area_touches(const struct shepard_boxes *boxes, size_t i,
                                        const struct shepard_area *area)
{
    return boxes->x_min[i] <= area->x_max && boxes->x_max[i] >= area->x_min &&
           boxes->y_min[i] <= area->y_max && boxes->y_max[i] >= area->y_min;
}

#endif
