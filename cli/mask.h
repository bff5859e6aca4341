/* SPDX-License-Identifier: MIT */
/** The mask of a raster: cells whose centre lies outside of its polygons are not computed. */
#ifndef SHEPARD_CLI_MASK_H
#define SHEPARD_CLI_MASK_H

#include "job.h"

/** -mask and what chooses polygons of it; NULL: not given. */
struct shepard_mask_options {
    const char *path, *layer, *sql, *where;
};

/** Start from {0}, which masks nothing. */
struct shepard_mask {
    struct shepard_raster_mask *polygons; /**< NULL: no mask */
};

/** Reads the polygons, and keeps outputs from replacing their file. False on an error, said. */
bool shepard_mask_open(struct shepard_mask *mask, const struct shepard_mask_options *options,
                       struct shepard_job *job);

/** Transforms the polygons to the coordinate system of the raster; NULL: unknown. False on an
 * error, said. */
bool shepard_mask_place(struct shepard_mask *mask, const char *srs, struct shepard_job *job);

/** Which cells of a window lie inside, row-major. False on an error, said. */
bool shepard_mask_cells(const struct shepard_mask *mask, const struct shepard_raster *raster,
                        const struct shepard_window *window, unsigned char *inside);

/** Some cells of a window. */
struct shepard_mask_cover {
    const unsigned char *inside;  /**< [rows, columns] of the window */
    struct shepard_window window; /**< of a raster */
    bool (*visit)(const struct shepard_window *part, void *user); /**< a window of the raster */
    void *user;
};

/** Visits windows that together have all cells inside, each once, and few others. False as soon as
 * a visit is. */
bool shepard_mask_cover(const struct shepard_mask_cover *cover);

/** Notes that the mask leaves no cell of the raster. */
void shepard_mask_note_empty(const struct shepard_mask *mask, const struct shepard_raster *raster,
                             struct shepard_progress *watch);

void shepard_mask_free(struct shepard_mask *mask);

#endif
