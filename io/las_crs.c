/* SPDX-License-Identifier: MIT */
#include "las_crs.h"

#include "crs.h"
#include "las_bytes.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <string.h>

static char *from_wkt(const struct shepard_las_records *records)
{
    char *text = (char *)records->record[SHEPARD_LAS_WKT].bytes;
    if (!text)
        return NULL;
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    char *wkt = OSRImportFromWkt(srs, &text) == OGRERR_NONE ? shepard_crs_export(srs) : NULL;
    OSRDestroySpatialReference(srs);
    return wkt;
}

/* ---- Keys of GeoTIFF ------------------------------------------------------------------------- */

/* The keys are tags of a TIFF, and GDAL reads them in one: a TIFF of one cell is built around them
 * in memory. */
enum { TIFF_ASCII = 2, TIFF_SHORT = 3, TIFF_DOUBLE = 12 };
enum { TIFF_HEADER = 8, TIFF_ENTRY = 12, TIFF_CELL_TAGS = 9, TIFF_TAGS_MAX = 12 };

struct tiff {
    unsigned char *bytes;
    size_t size; /* so far */
    unsigned char *entry;
};

static void add_entry(struct tiff *tiff, unsigned tag, unsigned type, uint32_t count,
                      uint32_t value)
{
    shepard_las_put16(tiff->entry, tag);
    shepard_las_put16(tiff->entry + 2, type);
    shepard_las_put32(tiff->entry + 4, count);
    shepard_las_put32(tiff->entry + 8, value);
    tiff->entry += TIFF_ENTRY;
}

/* Up to four bytes stand in the entry itself: a GeoTIFF's keys never are that short, but texts. */
static void add_record(struct tiff *tiff, unsigned tag, unsigned type, size_t item,
                       const struct shepard_las_records *records, enum shepard_las_record kind)
{
    const unsigned char *bytes = records->record[kind].bytes;
    const size_t count = records->record[kind].size / item;
    if (count == 0)
        return;
    if (count * item <= 4) {
        unsigned char value[4] = {0};
        memcpy(value, bytes, count * item);
        add_entry(tiff, tag, type, (uint32_t)count, shepard_las_u32(value));
        return;
    }
    add_entry(tiff, tag, type, (uint32_t)count, (uint32_t)tiff->size);
    memcpy(tiff->bytes + tiff->size, bytes, count * item);
    tiff->size += (count * item + 1) & ~(size_t)1;
}

static void add_cell(struct tiff *tiff)
{
    static const struct {
        unsigned tag, value;
    } tags[TIFF_CELL_TAGS] = {{256, 1},           {257, 1}, {258, 8}, {259, 1}, {262, 1},
                              {273, TIFF_HEADER}, {277, 1}, {278, 1}, {279, 1}};
    for (size_t i = 0; i < TIFF_CELL_TAGS; i++)
        add_entry(tiff, tags[i].tag, TIFF_SHORT, 1, tags[i].value);
}

/* The records have at most 2^24 bytes each. NULL: out of memory. */
static unsigned char *build_tiff(const struct shepard_las_records *records, size_t *size)
{
    const size_t room = TIFF_HEADER + 2 + TIFF_TAGS_MAX * TIFF_ENTRY + 4 + 6 +
                        records->record[SHEPARD_LAS_GEO_KEYS].size +
                        records->record[SHEPARD_LAS_GEO_DOUBLES].size +
                        records->record[SHEPARD_LAS_GEO_TEXTS].size;
    struct tiff tiff = {.bytes = VSICalloc(1, room)};
    if (!tiff.bytes)
        return NULL;
    enum { CELL = 2 };
    unsigned char *folder = tiff.bytes + TIFF_HEADER + CELL;
    tiff.entry = folder + 2;
    tiff.size = TIFF_HEADER + CELL + 2 + TIFF_TAGS_MAX * TIFF_ENTRY + 4;
    memcpy(tiff.bytes, "II*", 4);
    shepard_las_put32(tiff.bytes + 4, TIFF_HEADER + CELL);
    add_cell(&tiff);
    add_record(&tiff, 34735, TIFF_SHORT, 2, records, SHEPARD_LAS_GEO_KEYS);
    add_record(&tiff, 34736, TIFF_DOUBLE, 8, records, SHEPARD_LAS_GEO_DOUBLES);
    add_record(&tiff, 34737, TIFF_ASCII, 1, records, SHEPARD_LAS_GEO_TEXTS);
    shepard_las_put16(folder, (unsigned)((tiff.entry - folder - 2) / TIFF_ENTRY));
    *size = tiff.size;
    return tiff.bytes;
}

static char *crs_of_tiff(const char *path)
{
    static const char *const drivers[] = {"GTiff", NULL};
    GDALDatasetH dataset = GDALOpenEx(path, GDAL_OF_RASTER, drivers, NULL, NULL);
    OGRSpatialReferenceH srs = dataset ? GDALGetSpatialRef(dataset) : NULL;
    char *wkt = srs ? shepard_crs_export(srs) : NULL;
    GDALClose(dataset);
    return wkt;
}

static char *from_keys(const struct shepard_las_records *records)
{
    size_t size;
    unsigned char *bytes =
        records->record[SHEPARD_LAS_GEO_KEYS].bytes ? build_tiff(records, &size) : NULL;
    if (!bytes)
        return NULL;
    char *path = CPLStrdup(CPLSPrintf("/vsimem/shepard-keys-%p.tif", (void *)bytes));
    VSILFILE *file = VSIFileFromMemBuffer(path, bytes, size, TRUE);
    char *wkt = NULL;
    if (file) {
        VSIFCloseL(file);
        wkt = crs_of_tiff(path);
        VSIUnlink(path);
    } else {
        VSIFree(bytes);
    }
    CPLFree(path);
    return wkt;
}

char *shepard_las_crs(const struct shepard_las_records *records, bool wkt_first)
{
    char *wkt = wkt_first ? from_wkt(records) : from_keys(records);
    if (wkt)
        return wkt;
    return wkt_first ? from_keys(records) : from_wkt(records);
}
