/* SPDX-License-Identifier: MIT */
/* Boxes round a run of neighbouring targets: leaves near them, whole nodes where there is no room
 * for their leaves. One walk over the tree finds them; each target tests them and walks on from
 * nodes. */
#ifndef SHEPARD_KERNEL_BOX_LIST_H
#define SHEPARD_KERNEL_BOX_LIST_H

#include "kernel/tree.h"

/* More boxes take longer to test than walks from nodes save (docs/performance-notes.md). */
#define SHEPARD_BOXES_MAX 48

struct shepard_box_list {
    size_t count; /* boxes; they hold all points of the area, each point in one of them */
    _Alignas(64) double x_min[SHEPARD_BOXES_MAX];
    _Alignas(64) double x_max[SHEPARD_BOXES_MAX];
    _Alignas(64) double y_min[SHEPARD_BOXES_MAX];
    _Alignas(64) double y_max[SHEPARD_BOXES_MAX];
    uint64_t node[SHEPARD_BOXES_MAX]; /* level << 32 | node */
};

#endif
