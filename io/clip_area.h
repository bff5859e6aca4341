/* SPDX-License-Identifier: MIT */
/** The area that input points must lie in: -spat and -clipsrc. */
#ifndef SHEPARD_IO_CLIP_AREA_H
#define SHEPARD_IO_CLIP_AREA_H

#include "io_error.h"

#include <ogr_api.h>

/** Start from {0}; all zero: everywhere. */
struct shepard_clip_area {
    struct shepard_box box;        /* -spat */
    OGRGeometryH clip;             /* polygons of -clipsrc; NULL: none */
    OGREnvelope clip_box;          /* of clip */
    OGRPreparedGeometryH prepared; /* clip */
    OGRGeometryH probe;            /* a point, to ask with */
    OGRGeometryH filter;           /* both, for OGR_L_SetSpatialFilter; NULL: everywhere */
};

/** Builds the area. On failure it is to be freed all the same. */
enum shepard_io_status shepard_clip_area_make(struct shepard_clip_area *area,
                                              const struct shepard_box *spat,
                                              const struct shepard_clip *clip,
                                              struct shepard_trap *trap,
                                              struct shepard_io_error *error);

void shepard_clip_area_free(struct shepard_clip_area *area);

/** Whether a point lies inside; points on the edge do not, as in gdal_grid. */
bool shepard_clip_area_has(const struct shepard_clip_area *area, double x, double y);

#endif
