/* SPDX-License-Identifier: MIT */
/* The places of one call: a list of points or the cells of a raster's window, numbered from 0. */
#ifndef SHEPARD_CORE_TARGETS_H
#define SHEPARD_CORE_TARGETS_H

#include "shepard/shepard.h"

#include <math.h>

struct shepard_targets_view {
    size_t count;
    const double *x, *y;                 /* [count]; NULL for a raster */
    const struct shepard_raster *raster; /* NULL for a list */
    struct shepard_window window;        /* of the raster */
};

/* Coordinates of target i, user units. Those of a cell depend on its place in the raster only. */
static inline void shepard_targets_at(const struct shepard_targets_view *view, size_t i, double *x,
                                      double *y)
{
    if (view->raster == NULL) {
        *x = view->x[i];
        *y = view->y[i];
        return;
    }
    const struct shepard_raster *raster = view->raster;
    size_t column = view->window.column + i % view->window.columns;
    size_t row = view->window.row + i / view->window.columns;
    *x = raster->x0 + ((double)column + 0.5) * raster->dx;
    *y = raster->y0 + ((double)row + 0.5) * raster->dy;
}

#endif
