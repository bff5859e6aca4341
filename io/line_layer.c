/* SPDX-License-Identifier: MIT */
/* The lines of a layer, and the rings of its polygons, as vertices one after the other. */
#include "crs.h"
#include "layer_selection.h"
#include "source.h"

#include <cpl_conv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct line_reading {
    const struct shepard_line_options *options;
    const struct shepard_io_control *control;
    struct shepard_gdal_error_scope *trap;
    struct shepard_io_error *error;
    OGRCoordinateTransformationH transform; /* NULL: coordinates stay as they are */
    double longest;                         /* with a transform: edges are cut to this length */
    struct shepard_line_set *lines;
    size_t room; /* vertices that fit */
};

/* ---- vertices -------------------------------------------------------------------------------- */

static bool reserve(struct line_reading *reading, size_t more)
{
    struct shepard_line_set *lines = reading->lines;
    if (lines->count + more <= reading->room)
        return true;
    const size_t room = 2 * (lines->count + more);
    double *x = realloc(lines->x, room * sizeof *x);
    lines->x = x ? x : lines->x;
    double *y = x ? realloc(lines->y, room * sizeof *y) : NULL;
    lines->y = y ? y : lines->y;
    reading->room = y ? room : reading->room;
    return y != NULL;
}

static void add_vertex(struct shepard_line_set *lines, double x, double y)
{
    lines->x[lines->count] = x;
    lines->y[lines->count++] = y;
}

static enum shepard_io_status fail_vertex(const struct line_reading *reading, double x, double y)
{
    return shepard_io_fail(reading->error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                           "\"%.300s\" is no source of barriers: the vertex (%g, %g) of a line is "
                           "not finite; correct the line",
                           reading->options->path, x, y);
}

/* A linestring or ring, and a gap behind it. */
static enum shepard_io_status add_line(struct line_reading *reading, OGRGeometryH line)
{
    struct shepard_line_set *lines = reading->lines;
    const int points = OGR_G_GetPointCount(line);
    if (points <= 0)
        return SHEPARD_IO_OK;
    if (!reserve(reading, (size_t)points + 1))
        return shepard_io_fail_memory(reading->error);
    for (int i = 0; i < points; i++) {
        const double x = OGR_G_GetX(line, i), y = OGR_G_GetY(line, i);
        if (!isfinite(x) || !isfinite(y))
            return fail_vertex(reading, x, y);
        add_vertex(lines, x, y);
    }
    add_vertex(lines, NAN, NAN);
    lines->lines++;
    lines->segments += points > 1 ? (size_t)points - 1 : 1;
    return SHEPARD_IO_OK;
}

/* ---- geometries ------------------------------------------------------------------------------ */

static enum shepard_io_status fail_kind(const struct line_reading *reading, OGRGeometryH geometry)
{
    return shepard_io_fail(reading->error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                           "\"%.300s\" is no source of barriers: it holds a %s, not only lines and "
                           "polygons; choose another layer",
                           reading->options->path, OGR_G_GetGeometryName(geometry));
}

static bool has_parts(OGRwkbGeometryType type)
{
    return type == wkbMultiLineString || type == wkbPolygon || type == wkbMultiPolygon ||
           type == wkbGeometryCollection;
}

/* Of a collection each part; collections may hold collections. */
static enum shepard_io_status add_parts(struct line_reading *reading, OGRGeometryH geometry)
{
    const OGRwkbGeometryType type = wkbFlatten(OGR_G_GetGeometryType(geometry));
    if (type == wkbLineString || type == wkbLinearRing)
        return add_line(reading, geometry);
    if (!has_parts(type))
        return fail_kind(reading, geometry);
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (int i = 0; !status && i < OGR_G_GetGeometryCount(geometry); i++)
        status = add_parts(reading, OGR_G_GetGeometryRef(geometry, i));
    return status;
}

static enum shepard_io_status add_transformed(struct line_reading *reading, OGRGeometryH geometry)
{
    if (reading->transform && !OGR_G_IsEmpty(geometry)) {
        OGR_G_Segmentize(geometry, reading->longest);
        if (OGR_G_Transform(geometry, reading->transform))
            return shepard_io_fail(reading->error, SHEPARD_IO_ERROR_SRS, "path",
                                   "the lines of \"%.300s\" cannot be transformed to the "
                                   "coordinate system of the data%s",
                                   reading->options->path,
                                   shepard_gdal_error_scope_text(reading->trap));
    }
    return add_parts(reading, geometry);
}

/* Curves as lines near them. */
static enum shepard_io_status add_geometry(struct line_reading *reading, OGRGeometryH geometry)
{
    OGRGeometryH straight = OGR_G_GetLinearGeometry(geometry, 0, NULL);
    const enum shepard_io_status status =
        straight ? add_transformed(reading, straight) : fail_kind(reading, geometry);
    OGR_G_DestroyGeometry(straight);
    return status;
}

/* ---- the layer ------------------------------------------------------------------------------- */

static enum shepard_io_status read_features(struct line_reading *reading, OGRLayerH layer)
{
    const char *path = reading->options->path;
    enum shepard_io_status status = SHEPARD_IO_OK;
    OGRFeatureH feature;
    while (!status && (feature = OGR_L_GetNextFeature(layer))) {
        OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
        if (geometry)
            status = add_geometry(reading, geometry);
        OGR_F_Destroy(feature);
        if (!status && !shepard_io_progress(reading->control, 0))
            status = shepard_io_fail_cancelled(reading->error);
    }
    if (!status && reading->trap->text[0])
        return shepard_io_fail(reading->error, SHEPARD_IO_ERROR_READ, "path",
                               "reading \"%.300s\" failed%s", path,
                               shepard_gdal_error_scope_text(reading->trap));
    if (!status && reading->lines->lines == 0)
        return shepard_io_fail(reading->error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "\"%.300s\" has no line for a barrier", path);
    return status;
}

/* Straight edges stay straight in their own CRS: they are divided before the transformation, into
   parts of at most this share of the layer's box. */
static const double edge_share = 1e-3;

static enum shepard_io_status prepare_transform(struct line_reading *reading, OGRLayerH layer)
{
    const char *target = reading->options->target_srs;
    char *own = shepard_crs_of_layer(layer);
    if (!own != !target)
        shepard_io_warn(reading->control,
                        "the coordinate system of %s is unknown; the barriers are assumed to be in "
                        "that of the data",
                        own ? "the data" : "the barriers");
    const struct shepard_crs_change change = {own, target, "the barriers"};
    const enum shepard_io_status status =
        shepard_crs_transformation(&change, &reading->transform, reading->trap, reading->error);
    CPLFree(own);
    OGREnvelope box;
    if (!status && reading->transform && OGR_L_GetExtent(layer, &box, TRUE) == OGRERR_NONE)
        reading->longest = edge_share * fmax(box.MaxX - box.MinX, box.MaxY - box.MinY);
    return status;
}

static enum shepard_io_status read_layer(struct line_reading *reading, GDALDatasetH dataset)
{
    const struct shepard_line_options *options = reading->options;
    const struct shepard_layer_choice choice = {.layer = options->layer, .first = true};
    struct shepard_layer_selection pick = {0};
    enum shepard_io_status status = shepard_layer_selection_find(
        &pick, dataset, options->path, &choice, reading->trap, reading->error);
    if (!status)
        status = prepare_transform(reading, pick.layer);
    if (!status)
        status = read_features(reading, pick.layer);
    if (reading->transform)
        OCTDestroyCoordinateTransformation(reading->transform);
    shepard_layer_selection_release(&pick);
    return status;
}

enum shepard_io_status shepard_line_set_read(const struct shepard_line_options *options,
                                             struct shepard_line_set *lines,
                                             const struct shepard_io_control *control,
                                             struct shepard_io_error *error)
{
    struct shepard_gdal_error_scope trap;
    *lines = (struct shepard_line_set){0};
    struct line_reading reading = {
        .options = options, .control = control, .trap = &trap, .error = error, .lines = lines};
    shepard_gdal_error_scope_begin(&trap, control);
    GDALDatasetH dataset = shepard_open_vector(options->path, NULL);
    const enum shepard_io_status status =
        dataset ? read_layer(&reading, dataset)
                : shepard_fail_open(options->path, "path", &trap, error);
    GDALClose(dataset);
    if (status)
        shepard_line_set_clear(lines);
    return shepard_gdal_error_scope_end(&trap, status);
}

void shepard_line_set_clear(struct shepard_line_set *lines)
{
    free(lines->x);
    free(lines->y);
    *lines = (struct shepard_line_set){0};
}
