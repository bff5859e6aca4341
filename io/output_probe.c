/* SPDX-License-Identifier: MIT */
#include "output_probe.h"

#include "crs.h"
#include "string_list.h"

#include <cpl_conv.h>

/* Any will do: with one some formats write a file for it. */
static const char crs[] = "EPSG:4326";

/* ---- Vectors --------------------------------------------------------------------------------- */

static void add_field(OGRLayerH layer)
{
    OGRFieldDefnH field = OGR_Fld_Create("value", OFTReal);
    OGR_L_CreateField(layer, field, TRUE);
    OGR_Fld_Destroy(field);
}

static void write_vector(const struct shepard_output_spec *spec, GDALDriverH driver,
                         const char *path)
{
    GDALDatasetH dataset =
        GDALCreate(driver, path, 0, 0, 0, GDT_Unknown, shepard_list(spec->creation_options));
    if (!dataset)
        return;
    char *name = CPLStrdup(spec->layer_name ? spec->layer_name : CPLGetBasename(path));
    OGRSpatialReferenceH srs = shepard_crs_open(crs);
    OGRLayerH layer =
        GDALDatasetCreateLayer(dataset, name, srs, wkbPoint, shepard_list(spec->layer_options));
    if (layer)
        add_field(layer);
    if (srs)
        OSRRelease(srs);
    CPLFree(name);
    GDALClose(dataset);
}

/* ---- Rasters --------------------------------------------------------------------------------- */

/* A raster with all that some formats write into files of their own. */
static GDALDatasetH make_raster(void)
{
    enum { SIZE = 16 };
    GDALDatasetH dataset =
        GDALCreate(GDALGetDriverByName("MEM"), "", SIZE, SIZE, 1, GDT_Float64, NULL);
    if (!dataset)
        return NULL;
    double transform[6] = {0, 1.0 / SIZE, 0, 1, 0, -1.0 / SIZE};
    GDALSetGeoTransform(dataset, transform);
    OGRSpatialReferenceH srs = shepard_crs_open(crs);
    GDALSetSpatialRef(dataset, srs);
    if (srs)
        OSRRelease(srs);
    GDALSetMetadataItem(dataset, "key", "value", NULL);
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    GDALSetDescription(band, "value");
    GDALSetRasterNoDataValue(band, -1);
    return dataset;
}

static void write_raster(const struct shepard_output_spec *spec, GDALDriverH driver,
                         const char *path)
{
    GDALDatasetH raster = make_raster();
    if (!raster)
        return;
    GDALClose(GDALCreateCopy(driver, path, raster, FALSE, shepard_list(spec->creation_options),
                             NULL, NULL));
    GDALClose(raster);
}

void shepard_output_probe(const struct shepard_output_spec *spec, GDALDriverH driver,
                          const char *path)
{
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    if (spec->vector)
        write_vector(spec, driver, path);
    else
        write_raster(spec, driver, path);
    shepard_gdal_error_scope_clear(&trap);
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_OK);
}
