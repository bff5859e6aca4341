/* SPDX-License-Identifier: MIT */
/** The area that input points must lie in, in their own coordinates: -spat and -clipsrc. */
#ifndef SHEPARD_IO_CLIP_AREA_H
#define SHEPARD_IO_CLIP_AREA_H

#include "point_reader.h"

#include <ogr_api.h>

/** Start from {0}; all zero: everywhere. */
struct shepard_clip_area {
    struct shepard_bounds box;     /* -spat */
    OGRGeometryH clip;             /* polygons of -clipsrc; NULL: none */
    OGREnvelope clip_box;          /* of clip */
    OGRPreparedGeometryH prepared; /* clip */
    OGRGeometryH probe;            /* a point, to ask with */
    OGRGeometryH filter;           /* both, for OGR_L_SetSpatialFilter; NULL: everywhere */
};

/**
 * Builds the area from spat and clip of the options. Polygons of a file are transformed to srs, the
 * WKT of the points' CRS; NULL: unknown. On failure the area is to be freed all the same.
 */
enum shepard_io_status shepard_clip_area_make(struct shepard_clip_area *area,
                                              const struct shepard_reading *reading,
                                              const char *srs);

void shepard_clip_area_free(struct shepard_clip_area *area);

/** Whether a point lies inside; points on the edge do not, as in gdal_grid. */
bool shepard_clip_area_has(const struct shepard_clip_area *area, double x, double y);

#endif
