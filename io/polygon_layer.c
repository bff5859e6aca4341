/* SPDX-License-Identifier: MIT */
#include "polygon_layer.h"

#include "crs.h"
#include "layer_selection.h"
#include "source.h"

#include <cpl_conv.h>
#include <math.h>

bool shepard_is_polygonal(OGRGeometryH geometry)
{
    const OGRwkbGeometryType type = wkbFlatten(OGR_G_GetGeometryType(geometry));
    return type == wkbPolygon || type == wkbMultiPolygon;
}

static void add_polygons(OGRGeometryH all, OGRGeometryH geometry)
{
    if (wkbFlatten(OGR_G_GetGeometryType(geometry)) == wkbPolygon) {
        OGR_G_AddGeometry(all, geometry);
        return;
    }
    for (int i = 0; i < OGR_G_GetGeometryCount(geometry); i++)
        OGR_G_AddGeometry(all, OGR_G_GetGeometryRef(geometry, i));
}

static enum shepard_io_status add_layer(const struct shepard_polygon_source *source,
                                        OGRLayerH layer, OGRGeometryH all,
                                        struct shepard_gdal_error_scope *trap,
                                        struct shepard_io_error *error)
{
    enum shepard_io_status status = SHEPARD_IO_OK;
    OGRFeatureH feature;
    while (!status && (feature = OGR_L_GetNextFeature(layer))) {
        OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
        if (geometry && shepard_is_polygonal(geometry))
            add_polygons(all, geometry);
        else if (geometry)
            status = shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, source->argument,
                                     "\"%.300s\" does not suit %s: it holds a %s, not only "
                                     "polygons; choose them with %slayer or %swhere",
                                     source->path, source->option, OGR_G_GetGeometryName(geometry),
                                     source->option, source->option);
        OGR_F_Destroy(feature);
    }
    if (!status && trap->text[0])
        return shepard_io_fail(error, SHEPARD_IO_ERROR_READ, source->argument,
                               "reading \"%.300s\" failed%s", source->path,
                               shepard_gdal_error_scope_text(trap));
    if (!status && OGR_G_IsEmpty(all))
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, source->argument,
                                 "\"%.300s\" has no polygon for %s", source->path, source->option);
    return status;
}

enum shepard_io_status shepard_polygons_read(const struct shepard_polygon_source *source,
                                             OGRGeometryH *polygons, char **srs,
                                             struct shepard_gdal_error_scope *trap,
                                             struct shepard_io_error *error)
{
    GDALDatasetH dataset = shepard_open_vector(source->path, NULL);
    if (!dataset)
        return shepard_fail_open(source->path, source->argument, trap, error);
    const struct shepard_layer_choice choice = {
        .layer = source->layer, .sql = source->sql, .where = source->where, .first = true};
    struct shepard_layer_selection pick = {0};
    enum shepard_io_status status =
        shepard_layer_selection_find(&pick, dataset, source->path, &choice, trap, error);
    if (!status) {
        *srs = shepard_crs_of_layer(pick.layer);
        *polygons = OGR_G_CreateGeometry(wkbMultiPolygon);
        status = add_layer(source, pick.layer, *polygons, trap, error);
    }
    shepard_layer_selection_release(&pick);
    GDALClose(dataset);
    return status;
}

/* Straight edges of the polygons stay straight in their own CRS: they are divided before the
   transformation, into parts of at most this share of the polygons' box. */
static const double edge_share = 1e-3;

enum shepard_io_status shepard_polygons_transform(const struct shepard_polygon_source *source,
                                                  OGRGeometryH polygons, const char *from,
                                                  const char *to,
                                                  struct shepard_gdal_error_scope *trap,
                                                  struct shepard_io_error *error)
{
    if (!from != !to)
        shepard_io_warn(trap->control,
                        "the coordinate system of %s is unknown; the polygons of %s are assumed "
                        "to be in that of the data",
                        from ? "the data" : source->option, source->option);
    const struct shepard_crs_change change = {from, to, source->option};
    OGRCoordinateTransformationH transform;
    const enum shepard_io_status status =
        shepard_crs_transformation(&change, &transform, trap, error);
    if (status || !transform)
        return status;
    OGREnvelope box;
    OGR_G_GetEnvelope(polygons, &box);
    OGR_G_Segmentize(polygons, edge_share * fmax(box.MaxX - box.MinX, box.MaxY - box.MinY));
    const OGRErr failed = OGR_G_Transform(polygons, transform);
    OCTDestroyCoordinateTransformation(transform);
    if (!failed)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_SRS, source->argument,
                           "the polygons of %s cannot be transformed to the coordinate system of "
                           "the data%s",
                           source->option, shepard_gdal_error_scope_text(trap));
}
