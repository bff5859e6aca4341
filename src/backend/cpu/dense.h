/* SPDX-License-Identifier: MIT */
/* Rasters much finer than the data: what is far from a tile of cells is summed at the nodes of a
 * small grid over the tile and interpolated; every cell sums what is near (docs/math/rasters.md).
 */
#ifndef SHEPARD_BACKEND_CPU_DENSE_H
#define SHEPARD_BACKEND_CPU_DENSE_H

#include "backend/cpu/farfield.h"
#include "core/cell.h"
#include "core/interactions.h"

struct shepard_cpu_worker;
struct shepard_cpu_batch;

/* Scratch of one thread, and what is interpolated over the last tile. */
struct shepard_cpu_dense {
    bool on; /* targets get what is below, beside their sums over the worker's interactions */
    enum shepard_form form;
    double alpha, unit2;              /* of the weights */
    struct shepard_interactions list; /* of the tile */
    struct shepard_interactions far;  /* the part that is interpolated */
    double *nodes;                    /* [columns + 1, SHEPARD_CHEBYSHEV_MAX^2] sums of w and z */
    double *cells;                    /* [columns + 1, SHEPARD_BLOCK_MAX] the same at cells */
};

/* For predictions of a raster. On failure nothing is held. */
enum shepard_status shepard_cpu_dense_create(struct shepard_cpu_worker *worker);

void shepard_cpu_dense_free(struct shepard_cpu_worker *worker);

/* The rules to interpolate by over a cell's targets of one range of powers, for sums of values;
 * NULL where plain sums are thought to be cheaper, or something else is in the way. Depends on
 * nothing but the cell and the job. */
const struct shepard_cpu_dense_rules *shepard_cpu_dense_rules_for(
    const struct shepard_cpu_worker *worker, const struct shepard_cell *cell,
    const struct shepard_standard *standard, enum shepard_cpu_powers powers);

/* As shepard_interactions_list into worker->interactions, by these rules, which are the view's, but
 * for what is far away: that is summed and made ready to be added. False where memory is out. */
bool shepard_cpu_dense_list(struct shepard_cpu_worker *worker, const struct shepard_cell *cell,
                            const struct shepard_view *view,
                            const struct shepard_cpu_dense_rules *rules);

/* Adds the far part to a batch's finished sums over worker->interactions. */
void shepard_cpu_dense_add(const struct shepard_cpu_worker *worker,
                           const struct shepard_cpu_batch *batch, struct shepard_sum_double *sum);

#endif
