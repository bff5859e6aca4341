/* SPDX-License-Identifier: MIT */
/* Whether coordinates can be in the coordinate reference system (CRS) that they are said to be in.
 */
#include "crs.h"

#include <cpl_conv.h>
#include <math.h>

bool shepard_io_are_degrees(size_t count, const double *x, const double *y)
{
    size_t finite = 0, degrees = 0;
    for (size_t i = 0; i < count; i++) {
        finite += isfinite(x[i]) && isfinite(y[i]);
        degrees += fabs(x[i]) <= 360 && fabs(y[i]) <= 90;
    }
    return 2 * degrees >= finite;
}

/* ---- Degrees under a projected CRS ----------------------------------------------------------- */

/* Where a CRS is used, in degrees. */
struct area_of_use {
    double west, south, east, north;
};

/* Data may lie a little outside of the area, in degrees. */
static const double area_margin = 1;

/* A CRS of the whole world has this place within its area, but nobody measures there: a projected
   coordinate so near to (0, 0), in degrees, is most likely itself in degrees. */
static const double null_island = 0.01;

static bool area_has(const struct area_of_use *area, double longitude, double latitude,
                     double margin)
{
    const bool east = longitude >= area->west - margin, west = longitude <= area->east + margin;
    /* An area across the antimeridian begins in the east. */
    const bool between = area->west > area->east ? east || west : east && west;
    return between && latitude >= area->south - margin && latitude <= area->north + margin;
}

/* The place of projected coordinates, in degrees; false if it has none there. */
static bool to_degrees(OGRSpatialReferenceH projected, double *x, double *y)
{
    OGRSpatialReferenceH degrees = shepard_crs_open("EPSG:4326");
    OGRCoordinateTransformationH transform =
        degrees ? OCTNewCoordinateTransformation(projected, degrees) : NULL;
    int done = 0;
    if (transform)
        OCTTransformEx(transform, 1, x, y, NULL, &done);
    OCTDestroyCoordinateTransformation(transform);
    OSRDestroySpatialReference(degrees);
    return done && isfinite(*x) && isfinite(*y);
}

/* Coordinates that lie where the CRS is used if they are degrees, and elsewhere if they are not. */
static bool are_degrees_of(const struct shepard_point_set *points, OGRSpatialReferenceH projected)
{
    struct area_of_use area;
    if (!shepard_io_are_degrees(points->count, points->x, points->y) ||
        !OSRGetAreaOfUse(projected, &area.west, &area.south, &area.east, &area.north, NULL))
        return false;
    double x = (points->extent.x_min + points->extent.x_max) / 2;
    double y = (points->extent.y_min + points->extent.y_max) / 2;
    if (!area_has(&area, x, y, 0))
        return false;
    return !to_degrees(projected, &x, &y) || !area_has(&area, x, y, area_margin) ||
           (fabs(x) < null_island && fabs(y) < null_island);
}

/* ---- Labels ---------------------------------------------------------------------------------- */

enum units { UNITS_UNKNOWN, UNITS_DEGREES, UNITS_LENGTHS };

/* What the coordinates of the points are, by their CRS unless their values exclude that, or, where
   they have no CRS, by what makes sense under the label. */
static enum units units_of(const struct shepard_point_set *points, OGRSpatialReferenceH label)
{
    const bool may_be_degrees = shepard_io_are_degrees(points->count, points->x, points->y);
    if (!may_be_degrees)
        return UNITS_LENGTHS;
    if (!points->srs)
        return OSRIsProjected(label) && are_degrees_of(points, label) ? UNITS_DEGREES
                                                                      : UNITS_UNKNOWN;
    OGRSpatialReferenceH own = shepard_crs_open(points->srs);
    enum units units = UNITS_UNKNOWN;
    if (own && OSRIsGeographic(own))
        units = UNITS_DEGREES;
    else if (own && OSRIsProjected(own))
        units = UNITS_LENGTHS;
    OSRDestroySpatialReference(own);
    return units;
}

/* The values alone say degrees, and may be wrong: the user's word is above them. */
static enum shepard_io_status fail_guess(const struct shepard_point_set *points,
                                         const char *definition, struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_SRS, "srs",
                           "\"%.100s\" has coordinates in metres or similar, those of layer "
                           "\"%.100s\", whose system is unknown, look like degrees (x %.12g to "
                           "%.12g, y %.12g to %.12g): if they are in %.100s, say so with -s_srs "
                           "%.100s; if they are degrees, -s_srs EPSG:4326 -t_srs %.100s transforms "
                           "them",
                           definition, points->layer, points->extent.x_min, points->extent.x_max,
                           points->extent.y_min, points->extent.y_max, definition, definition,
                           definition);
}

static enum shepard_io_status check_units(const struct shepard_point_set *points,
                                          const char *definition, OGRSpatialReferenceH label,
                                          struct shepard_io_error *error)
{
    const enum units units = units_of(points, label);
    const bool degrees = units == UNITS_DEGREES && OSRIsProjected(label);
    const bool lengths = units == UNITS_LENGTHS && OSRIsGeographic(label);
    if (!degrees && !lengths)
        return SHEPARD_IO_OK;
    if (degrees && !points->srs)
        return fail_guess(points, definition, error);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_SRS, "srs",
                           "\"%.100s\" has coordinates in %s, those of layer \"%.100s\" are %s (x "
                           "%.12g to %.12g, y %.12g to %.12g); -t_srs %.100s transforms them, with "
                           "-s_srs SRS where the layer's own system is unknown or wrong",
                           definition, degrees ? "metres or the like" : "degrees", points->layer,
                           degrees ? "degrees" : "not", points->extent.x_min, points->extent.x_max,
                           points->extent.y_min, points->extent.y_max, definition);
}

enum shepard_io_status shepard_point_set_check_srs(const struct shepard_point_set *points,
                                                   const char *definition,
                                                   struct shepard_io_error *error)
{
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    OGRSpatialReferenceH label = shepard_crs_open(definition);
    const enum shepard_io_status status =
        label ? check_units(points, definition, label, error)
              : shepard_io_fail(error, SHEPARD_IO_ERROR_SRS, "srs",
                                "\"%.200s\" is not a coordinate system that PROJ knows%s",
                                definition, shepard_gdal_error_scope_text(&trap));
    OSRDestroySpatialReference(label);
    shepard_gdal_error_scope_clear(&trap);
    return shepard_gdal_error_scope_end(&trap, status);
}
