/* SPDX-License-Identifier: MIT */
/* Rasters much finer than the data: what is far from a tile of cells is summed at the nodes of a
 * small grid over the tile and interpolated; every cell sums what is near (docs/math/rasters.md).
 */
#ifndef SHEPARD_BACKEND_CPU_TILE_INTERPOLATION_H
#define SHEPARD_BACKEND_CPU_TILE_INTERPOLATION_H

#include "backend/cpu/farfield.h"
#include "core/interactions.h"
#include "core/target_cells.h"

struct shepard_cpu_worker;
struct shepard_cpu_batch;

/* Scratch of one thread, and what is interpolated over the last tile. */
struct shepard_cpu_tile {
    bool on; /* targets get what is below in addition to their sums over the worker's
              * interactions */
    enum shepard_form form;
    double power, unit2;              /* of the weights */
    struct shepard_interactions list; /* of the tile */
    struct shepard_interactions far;  /* the part that is interpolated */
    double *nodes;                    /* [columns + 1, SHEPARD_CHEBYSHEV_MAX^2] sums of w and z */
    double *cells;                    /* [columns + 1, SHEPARD_BLOCK_MAX] the same at cells */
};

/* For predictions of a raster. On failure nothing is held. */
enum shepard_status shepard_cpu_tile_create(struct shepard_cpu_worker *worker);

void shepard_cpu_tile_free(struct shepard_cpu_worker *worker);

/* The rules to interpolate by over a cell's targets of one range of powers, for sums of values;
 * NULL where plain sums are thought to be cheaper, or something else is in the way. Depends on
 * nothing but the cell and the job. */
const struct shepard_cpu_tile_rules *shepard_cpu_tile_rules_for(
    const struct shepard_cpu_worker *worker, const struct shepard_target_cell *cell,
    const struct shepard_weight_floor *weight_floor, enum shepard_cpu_powers powers);

/* As shepard_interactions_list into worker->interactions, by these rules, which are the view's, but
 * for what is far away: that is summed and made ready to be added. False where memory is out. */
bool shepard_cpu_tile_list(struct shepard_cpu_worker *worker,
                           const struct shepard_target_cell *cell,
                           const struct shepard_interaction_query *view,
                           const struct shepard_cpu_tile_rules *rules);

/* Adds the far part to a batch's finished sums over worker->interactions. */
void shepard_cpu_tile_add(const struct shepard_cpu_worker *worker,
                          const struct shepard_cpu_batch *batch, struct shepard_sum_double *sum);

#endif
