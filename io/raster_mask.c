/* SPDX-License-Identifier: MIT */
#include "polygon_layer.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <gdal_alg.h>
#include <limits.h>
#include <string.h>

struct shepard_raster_mask {
    char *path, *layer, *sql, *where;
    struct shepard_polygon_source source; /* with these texts */
    OGRGeometryH polygons;                /* a MultiPolygon */
    char *srs;                            /* of the polygons, WKT; NULL: unknown */
    size_t count;
    OGRGeometryH *part;   /* [count] of polygons */
    OGREnvelope *box;     /* [count] of part */
    OGRGeometryH *chosen; /* [count] scratch: those that reach a window */
};

static char *copy_of(const char *text)
{
    return text ? CPLStrdup(text) : NULL;
}

static struct shepard_raster_mask *new_mask(const struct shepard_raster_mask_options *options)
{
    struct shepard_raster_mask *mask = CPLCalloc(1, sizeof *mask);
    mask->path = CPLStrdup(options->path);
    mask->layer = copy_of(options->layer);
    mask->sql = copy_of(options->sql);
    mask->where = copy_of(options->where);
    mask->source = (struct shepard_polygon_source){.option = "-mask",
                                                   .argument = "mask.path",
                                                   .path = mask->path,
                                                   .layer = mask->layer,
                                                   .sql = mask->sql,
                                                   .where = mask->where};
    return mask;
}

enum shepard_io_status shepard_raster_mask_open(const struct shepard_raster_mask_options *options,
                                                struct shepard_raster_mask **mask,
                                                const struct shepard_io_control *control,
                                                struct shepard_io_error *error)
{
    if (!options || !options->path || !options->path[0] || !mask)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "mask.path",
                               "-mask needs a data source of polygons");
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    struct shepard_raster_mask *made = new_mask(options);
    const enum shepard_io_status status =
        shepard_polygons_read(&made->source, &made->polygons, &made->srs, &trap, error);
    if (status)
        shepard_raster_mask_free(made);
    else
        *mask = made;
    return shepard_gdal_error_scope_end(&trap, status);
}

static void list_parts(struct shepard_raster_mask *mask)
{
    mask->count = (size_t)OGR_G_GetGeometryCount(mask->polygons);
    mask->part = CPLRealloc(mask->part, mask->count * sizeof(OGRGeometryH));
    mask->chosen = CPLRealloc(mask->chosen, mask->count * sizeof(OGRGeometryH));
    mask->box = CPLRealloc(mask->box, mask->count * sizeof *mask->box);
    for (size_t i = 0; i < mask->count; i++) {
        mask->part[i] = OGR_G_GetGeometryRef(mask->polygons, (int)i);
        OGR_G_GetEnvelope(mask->part[i], &mask->box[i]);
    }
}

enum shepard_io_status shepard_raster_mask_transform(struct shepard_raster_mask *mask,
                                                     const char *srs,
                                                     const struct shepard_io_control *control,
                                                     struct shepard_io_error *error)
{
    if (!mask)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "mask", "mask must not be NULL");
    char *wkt = NULL;
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    enum shepard_io_status status = srs ? shepard_io_srs(srs, &wkt, NULL, error) : SHEPARD_IO_OK;
    if (!status)
        status =
            shepard_polygons_transform(&mask->source, mask->polygons, mask->srs, wkt, &trap, error);
    if (!status) {
        CPLFree(mask->srs);
        mask->srs = copy_of(wkt);
        list_parts(mask);
    }
    shepard_io_free(wkt);
    return shepard_gdal_error_scope_end(&trap, status);
}

struct shepard_bounds shepard_raster_mask_extent(const struct shepard_raster_mask *mask)
{
    OGREnvelope box;
    OGR_G_GetEnvelope(mask->polygons, &box);
    return (struct shepard_bounds){
        .given = true, .x_min = box.MinX, .y_min = box.MinY, .x_max = box.MaxX, .y_max = box.MaxY};
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* The polygons that may reach into a raster; returns how many. */
static size_t choose(const struct shepard_raster_mask *mask, const struct shepard_raster *raster)
{
    const double x_end = raster->x0 + raster->dx * (double)raster->columns;
    const double y_end = raster->y0 + raster->dy * (double)raster->rows;
    size_t count = 0;
    for (size_t i = 0; i < mask->count; i++) {
        const OGREnvelope *box = &mask->box[i];
        if (box->MinX <= most(raster->x0, x_end) && box->MaxX >= least(raster->x0, x_end) &&
            box->MinY <= most(raster->y0, y_end) && box->MaxY >= least(raster->y0, y_end))
            mask->chosen[count++] = mask->part[i];
    }
    return count;
}

static bool burn(const struct shepard_raster_mask *mask, const struct shepard_raster *raster,
                 size_t count, unsigned char *inside)
{
    const int columns = (int)raster->columns, rows = (int)raster->rows;
    double transform[6] = {raster->x0, raster->dx, 0.0, raster->y0, 0.0, raster->dy};
    int band = 1;
    double *ones = VSIMalloc2(count, sizeof *ones);
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("MEM"), "", columns, rows, 1, GDT_Byte, NULL);
    bool good = ones && dataset && GDALSetGeoTransform(dataset, transform) == CE_None;
    for (size_t i = 0; good && i < count; i++)
        ones[i] = 1;
    good = good &&
           GDALRasterizeGeometries(dataset, 1, &band, (int)count, mask->chosen, NULL, NULL, ones,
                                   NULL, NULL, NULL) == CE_None &&
           GDALRasterIO(GDALGetRasterBand(dataset, 1), GF_Read, 0, 0, columns, rows, inside,
                        columns, rows, GDT_Byte, 0, 0) == CE_None;
    GDALClose(dataset);
    VSIFree(ones);
    return good;
}

enum shepard_io_status shepard_raster_mask_cells(const struct shepard_raster_mask *mask,
                                                 const struct shepard_raster *raster,
                                                 const struct shepard_window *window,
                                                 unsigned char *inside,
                                                 struct shepard_io_error *error)
{
    if (!mask || !mask->part || !raster || !window || !inside || window->columns > INT_MAX ||
        window->rows > INT_MAX)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "mask",
                               "a mask that was transformed, a raster, a window and room for its "
                               "cells are needed");
    const struct shepard_raster part = {.x0 = raster->x0 + (double)window->column * raster->dx,
                                        .y0 = raster->y0 + (double)window->row * raster->dy,
                                        .dx = raster->dx,
                                        .dy = raster->dy,
                                        .columns = window->columns,
                                        .rows = window->rows};
    const size_t count = choose(mask, &part);
    if (count == 0) {
        memset(inside, 0, window->columns * window->rows);
        return SHEPARD_IO_OK;
    }
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (!burn(mask, &part, count, inside))
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_MEMORY, "mask",
                                 "the polygons of -mask cannot be rasterized%s",
                                 shepard_gdal_error_scope_text(&trap));
    return shepard_gdal_error_scope_end(&trap, status);
}

void shepard_raster_mask_free(struct shepard_raster_mask *mask)
{
    if (!mask)
        return;
    OGR_G_DestroyGeometry(mask->polygons);
    CPLFree(mask->part);
    CPLFree(mask->chosen);
    CPLFree(mask->box);
    CPLFree(mask->srs);
    CPLFree(mask->path);
    CPLFree(mask->layer);
    CPLFree(mask->sql);
    CPLFree(mask->where);
    CPLFree(mask);
}
