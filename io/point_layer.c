/* SPDX-License-Identifier: MIT */
#include "crs.h"
#include "io_error.h"
#include "source.h"
#include "target_layer.h"

#include <cpl_conv.h>
#include <ogr_api.h>

static bool add_point(OGRLayerH layer, double x, double y)
{
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
    OGR_G_SetPoint_2D(point, 0, x, y);
    OGR_F_SetGeometryDirectly(feature, point);
    const bool good = OGR_L_CreateFeature(layer, feature) == OGRERR_NONE;
    OGR_F_Destroy(feature);
    return good;
}

/* A layer of the places in memory; NULL: out of memory. */
static GDALDatasetH make_layer(const struct shepard_point_layer *points)
{
    OGRSpatialReferenceH srs = points->srs ? shepard_crs_open(points->srs) : NULL;
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("Memory"), "", 0, 0, 0, GDT_Unknown, NULL);
    OGRLayerH layer =
        dataset ? GDALDatasetCreateLayer(dataset, "points", srs, wkbPoint, NULL) : NULL;
    bool good = layer != NULL;
    for (size_t i = 0; good && i < points->count; i++)
        good = add_point(layer, points->x[i], points->y[i]);
    if (srs)
        OSRRelease(srs);
    if (!good)
        GDALClose(dataset);
    return good ? dataset : NULL;
}

enum shepard_io_status shepard_point_layer_write(const struct shepard_point_layer *points,
                                                 const struct shepard_vector_spec *spec,
                                                 const struct shepard_io_control *control,
                                                 struct shepard_io_error *error)
{
    char path[] = "memory";
    struct shepard_source source = {.path = path, .dataset = make_layer(points)};
    struct shepard_target_layer query = {.source = &source, .points = {.count = points->count}};
    if (!source.dataset)
        return shepard_io_fail_memory(error);
    enum shepard_io_status status = shepard_crs_wkt(points->srs, &query.srs, error);
    if (!status)
        status = shepard_target_layer_write(&query, spec, control, error);
    CPLFree(query.srs);
    GDALClose(source.dataset);
    return status;
}
