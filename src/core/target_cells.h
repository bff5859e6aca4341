/* SPDX-License-Identifier: MIT */
/* Target cells: a division of the targets of a call that depends on the data, the raster and the
 * parameters. All targets of a cell share interaction lists, and no result depends on which other
 * targets there are. A cell is
 * as large as possible while few leaves lie in and round it: small where the data are dense. Cells
 * of lists are squares of a division of the plane, those of rasters squares of raster cells aligned
 * to the raster's origin (docs/adr/0004). */
#ifndef SHEPARD_CORE_TARGET_CELLS_H
#define SHEPARD_CORE_TARGET_CELLS_H

#include "core/accuracy.h"
#include "core/moments.h"
#include "core/schedule.h"

/* Leaves round a cell of few raster cells, at most. */
#define SHEPARD_CELL_LEAVES_MAX 512

/* A cell, or, as `single`, one place. */
struct shepard_target_cell {
    bool single;
    int depth;                 /* of the division; rasters: log2 of the side in raster cells */
    double column, row;        /* its number at this depth */
    struct shepard_box region; /* holds every target of the cell, frame units */
};

/* What cells are made from. */
struct shepard_target_cells {
    const struct shepard_tree *tree;
    const struct shepard_search_kernels *kernels;
    const struct shepard_targets_view *targets;
    const struct shepard_frame *frame;
    double smoothing2;
    size_t nearest;   /* points behind what is known of a target's weights */
    bool light_pairs; /* a point costs a target little: in float32, without a logarithm */
    struct shepard_leaf_list list; /* of the search */
    int depth;                     /* it ended at: a guess for the next */
    size_t leaves;                 /* in and round the last cell */
    uint32_t leaf[SHEPARD_CELL_LEAVES_MAX];
};

void shepard_target_cells_init(struct shepard_target_cells *cells);

/* Whether target i of a block belongs to a cell that was found before. */
bool shepard_target_cells_hold(const struct shepard_target_cells *cells,
                               const struct shepard_target_cell *cell,
                               const struct shepard_target_block *block, size_t i);

/* The cell of target i of a block. Cost: O(log n). */
void shepard_target_cells_find(struct shepard_target_cells *cells,
                               const struct shepard_target_block *block, size_t i,
                               struct shepard_target_cell *cell);

/* The mean spacing of the points in and round the cell found last, frame units; where leaves is 0,
 * twice the cell's size. Not for single places. */
double shepard_target_cells_spacing(const struct shepard_target_cells *cells,
                                    const struct shepard_target_cell *cell,
                                    const struct shepard_moments *moments);

/* The weight floor of the cell found last, for sums of these moments. Not for single places. */
struct shepard_weight_floor
shepard_target_cells_weight_floor(const struct shepard_target_cells *cells,
                                  const struct shepard_target_cell *cell,
                                  const struct shepard_moments *moments);

#endif
