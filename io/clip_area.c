/* SPDX-License-Identifier: MIT */
#include "clip_area.h"
#include "crs.h"
#include "layer_selection.h"
#include "source.h"

#include <cpl_conv.h>
#include <math.h>

static struct shepard_bounds sorted_box(const struct shepard_bounds *box)
{
    return (struct shepard_bounds){
        .given = true,
        .x_min = fmin(box->x_min, box->x_max),
        .y_min = fmin(box->y_min, box->y_max),
        .x_max = fmax(box->x_min, box->x_max),
        .y_max = fmax(box->y_min, box->y_max),
    };
}

static OGRGeometryH box_polygon(const struct shepard_bounds *box)
{
    OGRGeometryH ring = OGR_G_CreateGeometry(wkbLinearRing);
    OGR_G_AddPoint_2D(ring, box->x_min, box->y_min);
    OGR_G_AddPoint_2D(ring, box->x_min, box->y_max);
    OGR_G_AddPoint_2D(ring, box->x_max, box->y_max);
    OGR_G_AddPoint_2D(ring, box->x_max, box->y_min);
    OGR_G_AddPoint_2D(ring, box->x_min, box->y_min);
    OGRGeometryH polygon = OGR_G_CreateGeometry(wkbPolygon);
    OGR_G_AddGeometryDirectly(polygon, ring);
    return polygon;
}

static bool is_polygonal(OGRGeometryH geometry)
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

static enum shepard_io_status read_polygons(OGRLayerH layer, const char *path, OGRGeometryH all,
                                            struct shepard_gdal_error_scope *trap,
                                            struct shepard_io_error *error)
{
    enum shepard_io_status status = SHEPARD_IO_OK;
    OGRFeatureH feature;
    while (!status && (feature = OGR_L_GetNextFeature(layer))) {
        OGRGeometryH geometry = OGR_F_GetGeometryRef(feature);
        if (geometry && is_polygonal(geometry))
            add_polygons(all, geometry);
        else if (geometry)
            status = shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "clip.path",
                                     "\"%.300s\" is not a clip source: it holds a %s, not only "
                                     "polygons; choose them with -clipsrclayer or -clipsrcwhere",
                                     path, OGR_G_GetGeometryName(geometry));
        OGR_F_Destroy(feature);
    }
    if (!status && trap->text[0])
        return shepard_io_fail(error, SHEPARD_IO_ERROR_READ, "clip.path",
                               "reading \"%.300s\" failed%s", path,
                               shepard_gdal_error_scope_text(trap));
    if (!status && OGR_G_GetGeometryCount(all) == 0)
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "clip.path",
                                 "\"%.300s\" has no polygon to clip with", path);
    return status;
}

/* Straight edges of the polygons stay straight in their own CRS: they are divided before the
   transformation, into parts of at most this share of the polygons' box. */
static const double edge_share = 1e-3;

static enum shepard_io_status transform_polygons(struct shepard_clip_area *area,
                                                 const struct shepard_crs_change *change,
                                                 const struct shepard_reading *reading)
{
    OGRCoordinateTransformationH transform;
    const enum shepard_io_status status =
        shepard_crs_transformation(change, &transform, reading->trap, reading->error);
    if (status || !transform)
        return status;
    OGREnvelope box;
    OGR_G_GetEnvelope(area->clip, &box);
    OGR_G_Segmentize(area->clip, edge_share * fmax(box.MaxX - box.MinX, box.MaxY - box.MinY));
    const OGRErr failed = OGR_G_Transform(area->clip, transform);
    OCTDestroyCoordinateTransformation(transform);
    if (!failed)
        return SHEPARD_IO_OK;
    return shepard_io_fail(reading->error, SHEPARD_IO_ERROR_SRS, "clip.path",
                           "the polygons of -clipsrc cannot be transformed to the coordinate "
                           "system of the data%s",
                           shepard_gdal_error_scope_text(reading->trap));
}

static enum shepard_io_status to_srs(struct shepard_clip_area *area, OGRLayerH layer,
                                     const struct shepard_reading *reading, const char *srs)
{
    char *own = shepard_crs_of_layer(layer);
    if (!own != !srs)
        shepard_io_warn(reading->control,
                        "the coordinate system of %s is unknown; the polygons of -clipsrc are "
                        "assumed to be in that of the data",
                        own ? "the data" : "-clipsrc");
    const struct shepard_crs_change change = {own, srs, "-clipsrc"};
    const enum shepard_io_status status = transform_polygons(area, &change, reading);
    CPLFree(own);
    return status;
}

static enum shepard_io_status clip_from_file(struct shepard_clip_area *area,
                                             const struct shepard_reading *reading, const char *srs)
{
    const struct shepard_clip *clip = &reading->options->clip;
    struct shepard_gdal_error_scope *trap = reading->trap;
    struct shepard_io_error *error = reading->error;
    GDALDatasetH dataset = shepard_open_vector(clip->path, NULL);
    if (!dataset)
        return shepard_fail_open(clip->path, "clip.path", trap, error);
    const struct shepard_layer_choice choice = {
        .layer = clip->layer, .sql = clip->sql, .where = clip->where, .first = true};
    struct shepard_layer_selection pick = {0};
    enum shepard_io_status status =
        shepard_layer_selection_find(&pick, dataset, clip->path, &choice, trap, error);
    if (!status) {
        area->clip = OGR_G_CreateGeometry(wkbMultiPolygon);
        status = read_polygons(pick.layer, clip->path, area->clip, trap, error);
    }
    if (!status)
        status = to_srs(area, pick.layer, reading, srs);
    shepard_layer_selection_release(&pick);
    GDALClose(dataset);
    return status;
}

static enum shepard_io_status clip_from_wkt(struct shepard_clip_area *area, const char *wkt,
                                            struct shepard_gdal_error_scope *trap,
                                            struct shepard_io_error *error)
{
    char *text = CPLStrdup(wkt), *rest = text;
    const OGRErr failed = OGR_G_CreateFromWkt(&rest, NULL, &area->clip);
    CPLFree(text);
    if (!failed && area->clip && is_polygonal(area->clip))
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "clip.wkt",
                           "\"%.200s\" is not a POLYGON or MULTIPOLYGON in WKT%s", wkt,
                           shepard_gdal_error_scope_text(trap));
}

static enum shepard_io_status make_clip(struct shepard_clip_area *area,
                                        const struct shepard_reading *reading, const char *srs)
{
    const struct shepard_clip *clip = &reading->options->clip;
    struct shepard_io_error *error = reading->error;
    const int kinds = clip->box.given + !!clip->wkt + !!clip->path + clip->spat_extent;
    if (kinds > 1)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "clip",
                               "-clipsrc takes one of a box, WKT, a data source and spat_extent");
    if (!clip->path && (clip->layer || clip->sql || clip->where))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "clip",
                               "-clipsrclayer, -clipsrcsql and -clipsrcwhere need -clipsrc with a "
                               "data source");
    if (clip->spat_extent && !area->box.given)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "clip.spat_extent",
                               "-clipsrc spat_extent needs -spat xmin ymin xmax ymax");
    if (clip->path)
        return clip_from_file(area, reading, srs);
    if (clip->wkt)
        return clip_from_wkt(area, clip->wkt, reading->trap, error);
    if (clip->box.given) {
        const struct shepard_bounds box = sorted_box(&clip->box);
        area->clip = box_polygon(&box);
    }
    return SHEPARD_IO_OK;
}

/* OGR's filter only has to let enough through: where the polygons cannot be intersected (they may
   be invalid), the box of the clip does. */
static void make_filter(struct shepard_clip_area *area, struct shepard_gdal_error_scope *trap)
{
    if (!area->box.given) {
        area->filter = area->clip ? OGR_G_Clone(area->clip) : NULL;
        return;
    }
    area->filter = box_polygon(&area->box);
    OGRGeometryH both = area->clip ? OGR_G_Intersection(area->filter, area->clip) : NULL;
    if (both) {
        OGR_G_DestroyGeometry(area->filter);
        area->filter = both;
    }
    shepard_gdal_error_scope_clear(trap);
}

enum shepard_io_status shepard_clip_area_make(struct shepard_clip_area *area,
                                              const struct shepard_reading *reading,
                                              const char *srs)
{
    if (reading->options->spat.given)
        area->box = sorted_box(&reading->options->spat);
    const enum shepard_io_status status = make_clip(area, reading, srs);
    if (status)
        return status;
    make_filter(area, reading->trap);
    if (!area->clip)
        return SHEPARD_IO_OK;
    OGR_G_GetEnvelope(area->clip, &area->clip_box);
    area->prepared = OGRCreatePreparedGeometry(area->clip);
    area->probe = OGR_G_CreateGeometry(wkbPoint);
    if (!area->prepared)
        return shepard_io_fail(reading->error, SHEPARD_IO_ERROR_ARGUMENT, "clip",
                               "-clipsrc needs a GDAL with GEOS%s",
                               shepard_gdal_error_scope_text(reading->trap));
    return SHEPARD_IO_OK;
}

void shepard_clip_area_free(struct shepard_clip_area *area)
{
    if (area->prepared)
        OGRDestroyPreparedGeometry(area->prepared);
    OGR_G_DestroyGeometry(area->probe);
    OGR_G_DestroyGeometry(area->filter);
    OGR_G_DestroyGeometry(area->clip);
    *area = (struct shepard_clip_area){0};
}

bool shepard_clip_area_has(const struct shepard_clip_area *area, double x, double y)
{
    const struct shepard_bounds *box = &area->box;
    if (box->given && !(x > box->x_min && x < box->x_max && y > box->y_min && y < box->y_max))
        return false;
    if (!area->clip)
        return true;
    const OGREnvelope *clip = &area->clip_box;
    if (!(x > clip->MinX && x < clip->MaxX && y > clip->MinY && y < clip->MaxY))
        return false;
    OGR_G_SetPoint_2D(area->probe, 0, x, y);
    return OGRPreparedGeometryContains(area->prepared, area->probe);
}
