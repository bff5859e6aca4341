/* SPDX-License-Identifier: MIT */
#include "shape_files.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdint.h>

/* The first bytes of the dataset's file that has the layer's name and this extension. */
static bool read_header(const struct shepard_layer_selection *pick, const char *extension,
                        unsigned char *bytes, size_t size)
{
    char **names = GDALGetFileList(pick->dataset);
    bool good = false;
    for (int i = 0; names && names[i] && !good; i++) {
        if (!EQUAL(CPLGetExtension(names[i]), extension) ||
            !EQUAL(CPLGetBasename(names[i]), OGR_L_GetName(pick->layer)))
            continue;
        VSILFILE *file = VSIFOpenL(names[i], "rb");
        good = file && VSIFReadL(bytes, 1, size, file) == size;
        if (file)
            VSIFCloseL(file);
    }
    CSLDestroy(names);
    return good;
}

/* .shx: a header of 100 bytes, the file's length in 16-bit words, big-endian, in byte 24 of it, and
 * 8 bytes for each shape. */
static bool count_shapes(const struct shepard_layer_selection *pick, uint32_t *count)
{
    unsigned char b[28];
    if (!read_header(pick, "shx", b, sizeof b))
        return false;
    const uint32_t words =
        (uint32_t)b[24] << 24 | (uint32_t)b[25] << 16 | (uint32_t)b[26] << 8 | b[27];
    *count = words > 50 ? (words - 50) / 4 : 0;
    return true;
}

/* .dbf: the number of records, little-endian, in byte 4. */
static bool count_records(const struct shepard_layer_selection *pick, uint32_t *count)
{
    unsigned char b[8];
    if (!read_header(pick, "dbf", b, sizeof b))
        return false;
    *count = (uint32_t)b[7] << 24 | (uint32_t)b[6] << 16 | (uint32_t)b[5] << 8 | b[4];
    return true;
}

void shepard_shape_files_check(const struct shepard_layer_selection *pick,
                               const struct shepard_io_control *control)
{
    uint32_t shapes, records;
    if (pick->from_sql ||
        !EQUAL(GDALGetDriverShortName(GDALGetDatasetDriver(pick->dataset)), "ESRI Shapefile") ||
        !count_shapes(pick, &shapes) || !count_records(pick, &records) || shapes == records)
        return;
    shepard_io_warn(control,
                    "layer %s: the .shp file has %u shapes, the .dbf file says that it has %u "
                    "records; only %u can be used: are the files complete, and of one version?",
                    OGR_L_GetName(pick->layer), shapes, records,
                    shapes < records ? shapes : records);
}
