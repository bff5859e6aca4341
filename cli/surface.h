/* SPDX-License-Identifier: MIT */
/**
 * Surfaces: value columns of one layer that miss values at the same points, made into one model
 * with one neighbour search. Columns with other gaps get a surface of their own, so that a value
 * missing in one column takes no point from another.
 */
#ifndef SHEPARD_CLI_SURFACE_H
#define SHEPARD_CLI_SURFACE_H

#include "input.h"
#include "job.h"

struct shepard_surface {
    size_t layer;
    size_t columns;
    size_t *column;                 /**< [columns] numbers in the layer */
    struct shepard_model *model;    /**< of the methods that the library computes */
    struct shepard_gdal_grid *grid; /**< of GDAL's methods: one column */
};

struct shepard_surfaces {
    struct shepard_surface *items;
    size_t count;
};

/** Groups the columns and builds a model for each group; false on an error, said. */
bool shepard_surfaces_build(struct shepard_surfaces *surfaces, const struct shepard_input *input,
                            struct shepard_job *job);

void shepard_surfaces_free(struct shepard_surfaces *surfaces);

/** Predicts a window of a raster; buffers as in shepard_results_output. */
bool shepard_surface_raster(const struct shepard_surface *surface,
                            const struct shepard_output *output,
                            const struct shepard_raster *raster,
                            const struct shepard_window *window, struct shepard_job *job);

/** Predicts at points. The surface has a model. */
bool shepard_surface_points(const struct shepard_surface *surface,
                            const struct shepard_output *output,
                            const struct shepard_targets *targets, struct shepard_job *job);

#endif
