/* SPDX-License-Identifier: MIT */
/* Locally essential trees: which branches or subtrees (kernel/tree.h) the targets of a raster's
 * windows need for sums over all points; of others they need the root alone. One is needed where a
 * cell of targets may open it, a search may find a point of it, or a cell's leaves are counted in
 * it (docs/math/far-field.md). */
#ifndef SHEPARD_CORE_ESSENTIAL_H
#define SHEPARD_CORE_ESSENTIAL_H

#include "core/accuracy.h"
#include "core/frame.h"

struct shepard_essential_root {
    struct shepard_box box; /* of its points */
    double x, y;            /* centre of the root */
    double open;            /* only cells of targets within this of the centre may open it */
    size_t points;
};

struct shepard_essential_query {
    const struct shepard_frame *frame; /* isotropic */
    const struct shepard_raster *raster;
    size_t count;
    const struct shepard_essential_root *roots; /* [count] all, or all that the windows may need */
    size_t nearest;                             /* points that are searched for at a target */
};

/* The distance of targets from a node's centre, beyond which no walk by these rules opens it:
 * mean_radius_log2 [orders] as in core/mac.h. INFINITY: none is enough. */
double shepard_essential_reach(const struct shepard_accuracy *accuracy,
                               const float *mean_radius_log2, int orders);

/* Sets needed [query->count] to 1 for what windows of the raster need, and leaves the rest. False
 * where memory is out. Cost: some 20 comparisons for each 16 x 16 cells. */
bool shepard_essential_mark(const struct shepard_essential_query *query,
                            const struct shepard_window *windows, size_t count,
                            const struct shepard_allocator *allocator, unsigned char *needed);

#endif
