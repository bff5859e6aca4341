/* SPDX-License-Identifier: MIT */
/** The polygons of a layer, in a coordinate system of choice: for -clipsrc and -mask. */
#ifndef SHEPARD_IO_POLYGON_LAYER_H
#define SHEPARD_IO_POLYGON_LAYER_H

#include "io_error.h"

#include <ogr_api.h>

struct shepard_polygon_source {
    const char *option; /* for messages; with "layer", "where" or "sql" behind it, its selectors */
    const char *argument; /* of errors */
    const char *path;
    const char *layer; /* NULL: the first one */
    const char *sql;
    const char *where;
};

/** Whether it is a Polygon or MultiPolygon. */
bool shepard_is_polygonal(OGRGeometryH geometry);

/** All polygons as one MultiPolygon, which may overlap, and the WKT of their CRS: NULL, unknown;
 * free it with CPLFree. Both may be set after a failure, too. */
enum shepard_io_status shepard_polygons_read(const struct shepard_polygon_source *source,
                                             OGRGeometryH *polygons, char **srs,
                                             struct shepard_gdal_error_scope *trap,
                                             struct shepard_io_error *error);

/** Transforms the polygons. Where one of the CRS is unknown they stay as they are, with a warning.
 */
enum shepard_io_status shepard_polygons_transform(const struct shepard_polygon_source *source,
                                                  OGRGeometryH polygons, const char *from,
                                                  const char *to,
                                                  struct shepard_gdal_error_scope *trap,
                                                  struct shepard_io_error *error);

#endif
