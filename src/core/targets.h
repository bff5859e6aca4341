/* SPDX-License-Identifier: MIT */
/* The places of one call: a list, the cells of a raster's window, or data points, each of which is
 * left out of its own prediction; numbered from 0. */
#ifndef SHEPARD_CORE_TARGETS_H
#define SHEPARD_CORE_TARGETS_H

#include "core/array.h"

#include <math.h>

struct shepard_frame;
struct shepard_leave_out;

struct shepard_targets_view {
    size_t count;
    struct shepard_array x, y, z;              /* [count] of a list, strides resolved; z in space */
    double raster_z;                           /* of the cells of a raster, in space */
    struct shepard_memory memory;              /* of x, y and z */
    const struct shepard_raster *raster;       /* NULL: the targets are no raster */
    struct shepard_window window;              /* of the raster */
    bool points;                               /* data points, each left out */
    const uint32_t *indices;                   /* [count] of them; NULL: all, skipped ones too */
    bool keep_coincident;                      /* other points at their places are used */
    const double *star_radii;                  /* [count, 8] user units; NULL: none */
    const struct shepard_leave_out *leave_out; /* where points are left out, found by a backend */
    const uint32_t *served; /* [served_count] of the targets, to be predicted; NULL: all */
    size_t served_count;
};

/* Whether targets leave data points out. */
static inline bool shepard_targets_leave_out(const struct shepard_targets_view *view)
{
    return view->points || view->star_radii != NULL;
}

/* Coordinates of target i, frame units; false where it is not finite. */
bool shepard_targets_place(const struct shepard_targets_view *view,
                           const struct shepard_frame *frame, size_t i, double *x, double *y);

/* The same of a place with three coordinates; false where a latitude is none, too. */
bool shepard_targets_place_3d(const struct shepard_targets_view *view,
                              const struct shepard_frame *frame, size_t i, double *x, double *y,
                              double *z);

/* The third coordinate of target i, user units; 0 where there is none. */
static inline double shepard_targets_z(const struct shepard_targets_view *view, size_t i)
{
    return view->z.data != NULL ? shepard_array_at(&view->z, i) : view->raster_z;
}

/* Coordinates of target i, user units; not of data points. Those of a cell depend on its place in
 * the raster only. */
static inline void shepard_targets_at(const struct shepard_targets_view *view, size_t i, double *x,
                                      double *y)
{
    if (view->raster == NULL) {
        *x = shepard_array_at(&view->x, i);
        *y = shepard_array_at(&view->y, i);
        return;
    }
    const struct shepard_raster *raster = view->raster;
    size_t column = view->window.column + i % view->window.columns;
    size_t row = view->window.row + i / view->window.columns;
    *x = raster->x0 + ((double)column + 0.5) * raster->dx;
    *y = raster->y0 + ((double)row + 0.5) * raster->dy;
}

/* Loads the coordinates of target i of a list, not of data points, into the caches. */
SHEPARD_FETCH void shepard_targets_fetch(const struct shepard_targets_view *view, size_t i)
{
    shepard_array_fetch(&view->x, i);
    shepard_array_fetch(&view->y, i);
    shepard_array_fetch(&view->z, i);
}

#endif
