/* SPDX-License-Identifier: MIT */
#include "mosaic_source.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <stdio.h>
#include <string.h>

static const char part_key[] = "SHEPARD_PART";

/* ---- Opening --------------------------------------------------------------------------------- */

static struct shepard_raster_part part_of(GDALDatasetH dataset)
{
    const char *text = GDALGetMetadataItem(dataset, part_key, NULL);
    struct shepard_raster_part part = {0};
    char rest;
    if (!text || sscanf(text, "%zu/%zu%c", &part.number, &part.count, &rest) != 2 ||
        part.number == 0 || part.number > part.count)
        return (struct shepard_raster_part){0};
    return part;
}

enum shepard_io_status shepard_mosaic_source_open(struct shepard_mosaic_source *source,
                                                  const char *path, struct shepard_io_error *error)
{
    static const char *const drivers[] = {"GTiff", NULL};
    *source = (struct shepard_mosaic_source){.path = path};
    source->dataset = GDALOpenEx(path, GDAL_OF_RASTER, drivers, NULL, NULL);
    if (!source->dataset || !shepard_tiff_open(&source->tiff, path, "rb"))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "sources",
                               "\"%.300s\" cannot be read as a GeoTIFF; a mosaic takes the parts "
                               "that shepard grid --part writes",
                               path);
    if (GDALGetMaskFlags(GDALGetRasterBand(source->dataset, 1)) & GMF_PER_DATASET)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "sources",
                               "\"%.300s\" has a mask of its own, whose blocks a mosaic does not "
                               "take; use gdalbuildvrt",
                               path);
    source->part = part_of(source->dataset);
    return SHEPARD_IO_OK;
}

void shepard_mosaic_source_close(struct shepard_mosaic_source *source)
{
    GDALClose(source->dataset);
    shepard_tiff_close(&source->tiff);
    *source = (struct shepard_mosaic_source){0};
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool same_place(GDALDatasetH a, GDALDatasetH b)
{
    double of_a[6], of_b[6];
    const bool has_a = GDALGetGeoTransform(a, of_a) == CE_None;
    const bool has_b = GDALGetGeoTransform(b, of_b) == CE_None;
    return has_a == has_b && (!has_a || memcmp(of_a, of_b, sizeof of_a) == 0);
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_nodata(GDALRasterBandH a, GDALRasterBandH b)
{
    int has_a = FALSE, has_b = FALSE;
    const double of_a = GDALGetRasterNoDataValue(a, &has_a);
    const double of_b = GDALGetRasterNoDataValue(b, &has_b);
    return !has_a == !has_b && (!has_a || of_a == of_b || (isnan(of_a) && isnan(of_b)));
}

static const char *band_difference(GDALDatasetH a, GDALDatasetH b)
{
    for (int i = 1; i <= GDALGetRasterCount(a); i++) {
        GDALRasterBandH of_a = GDALGetRasterBand(a, i), of_b = GDALGetRasterBand(b, i);
        if (GDALGetRasterDataType(of_a) != GDALGetRasterDataType(of_b))
            return "type of the cells";
        if (!same_nodata(of_a, of_b))
            return "nodata value";
        if (!same_text(GDALGetDescription(of_a), GDALGetDescription(of_b)))
            return "names of the bands";
    }
    return NULL;
}

/* What shepard says of a raster's data and method, but not which part a file is. */
static bool is_origin(const char *item)
{
    return STARTS_WITH(item, "SHEPARD_") && !STARTS_WITH(item, "SHEPARD_PART=");
}

/* The first item of one that the other does not have, as its name; to be freed by CPLFree. */
static char *lacking_item(GDALDatasetH has, GDALDatasetH lacks)
{
    char **items = GDALGetMetadata(has, NULL), **others = GDALGetMetadata(lacks, NULL);
    char *key = NULL;
    for (int i = 0; !key && items && items[i]; i++)
        if (is_origin(items[i]) && CSLFindStringCaseSensitive(others, items[i]) < 0)
            CPLParseNameValue(items[i], &key);
    return key;
}

static const char *difference(const struct shepard_mosaic_source *a,
                              const struct shepard_mosaic_source *b)
{
    if (a->tiff.layout.columns != b->tiff.layout.columns ||
        a->tiff.layout.rows != b->tiff.layout.rows)
        return "numbers of columns and rows";
    if (GDALGetRasterCount(a->dataset) != GDALGetRasterCount(b->dataset))
        return "number of bands";
    if (!same_place(a->dataset, b->dataset))
        return "georeference";
    if (!same_text(GDALGetProjectionRef(a->dataset), GDALGetProjectionRef(b->dataset)))
        return "coordinate system";
    const char *of_bands = band_difference(a->dataset, b->dataset);
    return of_bands ? of_bands : shepard_tiff_difference(&a->tiff, &b->tiff);
}

/* From the first key=value on that differs: parameters are long. */
static size_t differing_from(const char *a, const char *b)
{
    size_t begin = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        begin = a[i] == ':' || a[i] == ' ' ? i + 1 : begin;
    return begin;
}

static enum shepard_io_status fail_origin(const struct shepard_mosaic_source *first,
                                          const struct shepard_mosaic_source *other,
                                          const char *key, struct shepard_io_error *error)
{
    const char *of_first = GDALGetMetadataItem(first->dataset, key, NULL);
    const char *of_other = GDALGetMetadataItem(other->dataset, key, NULL);
    of_first = of_first ? of_first : "";
    of_other = of_other ? of_other : "";
    const size_t begin = differing_from(of_first, of_other);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "sources",
                           "\"%.300s\" and \"%.300s\" were not computed from the same data in the "
                           "same way: %s is \"%.60s\" and \"%.60s\"; compute one of them again",
                           first->path, other->path, key, of_first + begin, of_other + begin);
}

enum shepard_io_status shepard_mosaic_source_compare(const struct shepard_mosaic_source *first,
                                                     const struct shepard_mosaic_source *other,
                                                     struct shepard_io_error *error)
{
    const char *what = difference(first, other);
    if (what)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "sources",
                               "\"%.300s\" and \"%.300s\" are no parts of one raster: they differ "
                               "in the %s",
                               first->path, other->path, what);
    char *key = lacking_item(first->dataset, other->dataset);
    if (!key)
        key = lacking_item(other->dataset, first->dataset);
    const enum shepard_io_status status =
        key ? fail_origin(first, other, key, error) : SHEPARD_IO_OK;
    CPLFree(key);
    return status;
}

/* ---- What an output takes from it ------------------------------------------------------------ */

static void copy_band(GDALRasterBandH from, GDALRasterBandH to)
{
    int has = FALSE;
    const double nodata = GDALGetRasterNoDataValue(from, &has);
    if (has)
        GDALSetRasterNoDataValue(to, nodata);
    const char *name = GDALGetDescription(from), *unit = GDALGetRasterUnitType(from);
    if (name && name[0])
        GDALSetDescription(to, name);
    if (unit && unit[0])
        GDALSetRasterUnitType(to, unit);
    const double scale = GDALGetRasterScale(from, &has);
    if (has && scale != 1)
        GDALSetRasterScale(to, scale);
    const double offset = GDALGetRasterOffset(from, &has);
    if (has && offset != 0)
        GDALSetRasterOffset(to, offset);
}

void shepard_mosaic_source_copy_header(const struct shepard_mosaic_source *source,
                                       GDALDatasetH dataset)
{
    double transform[6];
    char **metadata = CSLDuplicate(GDALGetMetadata(source->dataset, NULL));
    metadata = CSLSetNameValue(metadata, part_key, NULL);
    if (GDALGetGeoTransform(source->dataset, transform) == CE_None)
        GDALSetGeoTransform(dataset, transform);
    if (GDALGetSpatialRef(source->dataset))
        GDALSetSpatialRef(dataset, GDALGetSpatialRef(source->dataset));
    GDALSetMetadata(dataset, metadata, NULL);
    CSLDestroy(metadata);
    for (int i = 1; i <= GDALGetRasterCount(source->dataset); i++)
        copy_band(GDALGetRasterBand(source->dataset, i), GDALGetRasterBand(dataset, i));
}

static char **set_size(char **options, const char *name, size_t size)
{
    return CSLSetNameValue(options, name, CPLSPrintf("%zu", size));
}

char **shepard_mosaic_source_options(const struct shepard_mosaic_source *source)
{
    const struct shepard_tiff_file *tiff = &source->tiff;
    const char *compression =
        GDALGetMetadataItem(source->dataset, "COMPRESSION", "IMAGE_STRUCTURE");
    const char *bits =
        GDALGetMetadataItem(GDALGetRasterBand(source->dataset, 1), "NBITS", "IMAGE_STRUCTURE");
    const uint64_t predictor = shepard_tiff_number(tiff, SHEPARD_TIFF_PREDICTOR);
    char **options = NULL;
    if (shepard_tiff_number(tiff, SHEPARD_TIFF_TILE_COLUMNS) > 0) {
        options = CSLSetNameValue(options, "TILED", "YES");
        options = set_size(options, "BLOCKXSIZE", tiff->layout.block_columns);
    }
    options = set_size(options, "BLOCKYSIZE", tiff->layout.block_rows);
    options = CSLSetNameValue(options, "INTERLEAVE", tiff->planes > 1 ? "BAND" : "PIXEL");
    options = CSLSetNameValue(options, "ENDIANNESS", tiff->big_endian ? "BIG" : "LITTLE");
    options = CSLSetNameValue(options, "COMPRESS", compression ? compression : "NONE");
    if (predictor > 0)
        options = set_size(options, "PREDICTOR", (size_t)predictor);
    if (bits)
        options = CSLSetNameValue(options, "NBITS", bits);
    return CSLSetNameValue(options, "SPARSE_OK", "TRUE");
}
