/* SPDX-License-Identifier: MIT */
/* Pictures for documents, in memory: the format PNG of GDAL. */
#include "io_error.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>

static bool fill(GDALDatasetH dataset, const struct shepard_png_image *image)
{
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    GDALColorTableH colors = GDALCreateColorTable(GPI_RGB);
    for (int i = 0; i < 256; i++) {
        const unsigned char *color = image->palette[i];
        const GDALColorEntry entry = {color[0], color[1], color[2], color[3]};
        GDALSetColorEntry(colors, i, &entry);
    }
    /* GF_Write only reads the buffer, which has no const in GDAL's signature. */
    void *cells = (void *)(uintptr_t)image->cells;
    const int columns = (int)image->columns, rows = (int)image->rows;
    const bool good = GDALSetRasterColorTable(band, colors) == CE_None &&
                      GDALRasterIO(band, GF_Write, 0, 0, columns, rows, cells, columns, rows,
                                   GDT_Byte, 0, 0) == CE_None;
    GDALDestroyColorTable(colors);
    return good;
}

static bool encode(const struct shepard_png_image *image, GDALDriverH png, const char *path)
{
    GDALDatasetH dataset = GDALCreate(GDALGetDriverByName("MEM"), "", (int)image->columns,
                                      (int)image->rows, 1, GDT_Byte, NULL);
    GDALDatasetH copy = dataset && fill(dataset, image)
                            ? GDALCreateCopy(png, path, dataset, FALSE, NULL, NULL, NULL)
                            : NULL;
    GDALClose(copy);
    GDALClose(dataset);
    return copy != NULL;
}

enum shepard_io_status shepard_png_encode(const struct shepard_png_image *image,
                                          unsigned char **bytes, size_t *size,
                                          struct shepard_io_error *error)
{
    if (!image || !bytes || !size || image->columns == 0 || image->rows == 0 ||
        image->columns > 65535 || image->rows > 65535)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "image",
                               "a picture needs 1 to 65535 columns and rows");
    GDALDriverH png = GDALGetDriverByName("PNG");
    if (!png)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "format",
                               "GDAL has no driver PNG here, which pictures need; install one "
                               "with it");
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    char *path = CPLStrdup(CPLSPrintf("/vsimem/shepard-%p.png", (const void *)image));
    enum shepard_io_status status = SHEPARD_IO_OK;
    vsi_l_offset length = 0;
    unsigned char *encoded =
        encode(image, png, path) ? VSIGetMemFileBuffer(path, &length, TRUE) : NULL;
    if (encoded) {
        *bytes = encoded;
        *size = (size_t)length;
    } else {
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "image",
                                 "a picture of %zu x %zu cells cannot be made%s", image->columns,
                                 image->rows, shepard_gdal_error_scope_text(&trap));
    }
    VSIUnlink(path);
    VSIUnlink(CPLSPrintf("%s.aux.xml", path));
    CPLFree(path);
    shepard_gdal_error_scope_clear(&trap);
    return shepard_gdal_error_scope_end(&trap, status);
}
