/* SPDX-License-Identifier: MIT */
#include "clip_area.h"

#include "polygon_layer.h"

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

static enum shepard_io_status clip_from_file(struct shepard_clip_area *area,
                                             const struct shepard_reading *reading, const char *srs)
{
    const struct shepard_clip *clip = &reading->options->clip;
    const struct shepard_polygon_source source = {.option = "-clipsrc",
                                                  .argument = "clip.path",
                                                  .path = clip->path,
                                                  .layer = clip->layer,
                                                  .sql = clip->sql,
                                                  .where = clip->where};
    char *own = NULL;
    enum shepard_io_status status =
        shepard_polygons_read(&source, &area->clip, &own, reading->trap, reading->error);
    if (!status)
        status = shepard_polygons_transform(&source, area->clip, own, srs, reading->trap,
                                            reading->error);
    CPLFree(own);
    return status;
}

static enum shepard_io_status clip_from_wkt(struct shepard_clip_area *area, const char *wkt,
                                            struct shepard_gdal_error_scope *trap,
                                            struct shepard_io_error *error)
{
    char *text = CPLStrdup(wkt), *rest = text;
    const OGRErr failed = OGR_G_CreateFromWkt(&rest, NULL, &area->clip);
    CPLFree(text);
    if (!failed && area->clip && shepard_is_polygonal(area->clip))
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
