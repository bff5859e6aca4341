/* SPDX-License-Identifier: MIT */
/* A raster whose georeference, size and coordinate system another one is to have. */
#include "io_error.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <ogr_srs_api.h>

static enum shepard_io_status read_georeference(GDALDatasetH dataset, const char *path,
                                                struct shepard_raster *raster,
                                                struct shepard_io_error *error)
{
    double transform[6];
    if (GDALGetGeoTransform(dataset, transform) != CE_None)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "\"%.300s\" has no georeference; gdal_edit.py -a_ullr gives it one, "
                               "or say edges and size with -txe, -tye and -outsize",
                               path);
    if (transform[2] != 0 || transform[4] != 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "\"%.300s\" is rotated, and rows of a raster run along x here; "
                               "gdalwarp turns it",
                               path);
    *raster = (struct shepard_raster){.x0 = transform[0],
                                      .y0 = transform[3],
                                      .dx = transform[1],
                                      .dy = transform[5],
                                      .columns = (size_t)GDALGetRasterXSize(dataset),
                                      .rows = (size_t)GDALGetRasterYSize(dataset)};
    return SHEPARD_IO_OK;
}

/* Its code where it has one, which a message can show; else WKT. */
static char *srs_of(GDALDatasetH dataset)
{
    OGRSpatialReferenceH srs = GDALGetSpatialRef(dataset);
    const char *authority = srs ? OSRGetAuthorityName(srs, NULL) : NULL;
    const char *code = srs ? OSRGetAuthorityCode(srs, NULL) : NULL;
    if (authority && code)
        return CPLStrdup(CPLSPrintf("%s:%s", authority, code));
    const char *const options[] = {"FORMAT=WKT2_2019", NULL};
    char *wkt = NULL;
    if (srs && OSRExportToWktEx(srs, &wkt, options) == OGRERR_NONE)
        return wkt;
    CPLFree(wkt);
    return NULL;
}

enum shepard_io_status shepard_raster_read_reference(const char *path,
                                                     struct shepard_raster *raster, char **srs,
                                                     struct shepard_io_error *error)
{
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY, NULL, NULL, NULL);
    enum shepard_io_status status =
        dataset ? read_georeference(dataset, path, raster, error)
                : shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path",
                                  "\"%.300s\" cannot be read as a raster%s", path,
                                  shepard_gdal_error_scope_text(&trap));
    if (!status)
        *srs = srs_of(dataset);
    GDALClose(dataset);
    shepard_gdal_error_scope_clear(&trap);
    return shepard_gdal_error_scope_end(&trap, status);
}
