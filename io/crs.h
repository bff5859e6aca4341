/* SPDX-License-Identifier: MIT */
/** Coordinate reference systems (CRS): which one coordinates are in, and the way into another. */
#ifndef SHEPARD_IO_CRS_H
#define SHEPARD_IO_CRS_H

#include "io_error.h"

#include <ogr_api.h>
#include <ogr_srs_api.h>

/**
 * A CRS given in any way a user writes it, for coordinates as files hold them: longitude or easting
 * first. NULL: the definition is unknown.
 */
OGRSpatialReferenceH shepard_crs_open(const char *definition);

/**
 * WKT of a CRS. NULL: srs is NULL, or its name says that it is undefined, as GeoPackage and GDAL
 * write it. Free with CPLFree.
 */
char *shepard_crs_export(OGRSpatialReferenceH srs);

/** The same of a layer's CRS. */
char *shepard_crs_of_layer(OGRLayerH layer);

/** WKT of a definition, to be freed with CPLFree; *wkt stays NULL where the definition is NULL. */
enum shepard_io_status shepard_crs_wkt(const char *definition, char **wkt,
                                       struct shepard_io_error *error);

/** Whether the CRS of this definition has longitude and latitude; false of NULL. */
bool shepard_crs_is_geographic(const char *definition);

/** From one CRS into another, heights left as they are. */
struct shepard_crs_change {
    const char *from, *to; /* definitions; either may be NULL: unknown */
    const char *what;      /* what is transformed, for messages: "the query's coordinates" */
};

/**
 * *transform is NULL where both CRS are the same, or one is unknown; destroy it with
 * OCTDestroyCoordinateTransformation.
 */
enum shepard_io_status shepard_crs_transformation(const struct shepard_crs_change *change,
                                                  OGRCoordinateTransformationH *transform,
                                                  struct shepard_gdal_error_scope *trap,
                                                  struct shepard_io_error *error);

/**
 * Transforms places. A place that cannot be transformed becomes NaN; *lost counts those of them
 * that were finite.
 */
enum shepard_io_status shepard_crs_transform(OGRCoordinateTransformationH transform, size_t count,
                                             double *x, double *y, size_t *lost,
                                             struct shepard_io_error *error);

#endif
