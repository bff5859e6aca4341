/* SPDX-License-Identifier: MIT */
/* Boxes round a run of neighbouring targets with three coordinates: as leaf_list.h, but in space a
 * run has so many leaves round it that the nodes above them are listed. */
#ifndef SHEPARD_KERNEL_LIST_3D_H
#define SHEPARD_KERNEL_LIST_3D_H

#include "kernel/tree.h"

#define SHEPARD_LIST_3D_MAX 128

struct shepard_list_3d {
    bool complete; /* false: more than SHEPARD_LIST_3D_MAX nodes touch the area, count is 0 */
    int level;     /* of the nodes: 0, leaves, or 1 */
    size_t count;  /* nodes that touch the area */
    /* By coordinate. */
    _Alignas(64) double min[3][SHEPARD_LIST_3D_MAX];
    _Alignas(64) double max[3][SHEPARD_LIST_3D_MAX];
    uint32_t node[SHEPARD_LIST_3D_MAX];
};

/* What lies within a distance of a box, frame units. */
struct shepard_area_3d {
    double min[3], max[3]; /* the box */
    double reach2;         /* squared distance */
};

#endif
