/* SPDX-License-Identifier: MIT */
#include "file_end.h"

#include <cpl_string.h>
#include <cpl_vsi.h>
#include <ogr_api.h>
#include <sys/stat.h>

static bool has_last_feature(OGRLayerH layer)
{
    const GIntBig count = OGR_L_GetFeatureCount(layer, FALSE);
    if (count <= 0 || !OGR_L_TestCapability(layer, OLCRandomRead))
        return true;
    OGRFeatureH last = OGR_L_GetFeature(layer, count - 1);
    const bool found = last != NULL;
    OGR_F_Destroy(last);
    OGR_L_ResetReading(layer);
    return found;
}

enum shepard_io_status shepard_check_last_feature(GDALDatasetH dataset, const char *path,
                                                  struct shepard_io_error *error)
{
    if (!EQUAL(GDALGetDriverShortName(GDALGetDatasetDriver(dataset)), "FlatGeobuf"))
        return SHEPARD_IO_OK;
    for (int i = 0; i < GDALDatasetGetLayerCount(dataset); i++) {
        OGRLayerH layer = GDALDatasetGetLayer(dataset, i);
        if (!has_last_feature(layer))
            return shepard_io_fail(error, SHEPARD_IO_ERROR_READ, "path",
                                   "\"%.300s\" ends before the last of the " CPL_FRMT_GIB
                                   " features of layer \"%.100s\": it is damaged or cut off; take "
                                   "a whole copy",
                                   path, OGR_L_GetFeatureCount(layer, FALSE), OGR_L_GetName(layer));
    }
    return SHEPARD_IO_OK;
}

void shepard_warn_open_line(const char *path, const struct shepard_io_control *control)
{
    struct stat info;
    const bool on_disk = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    VSILFILE *file = on_disk ? VSIFOpenL(path, "rb") : NULL;
    if (!file)
        return;
    char last = '\n';
    if (VSIFSeekL(file, 0, SEEK_END) == 0 && VSIFTellL(file) > 0 &&
        VSIFSeekL(file, VSIFTellL(file) - 1, SEEK_SET) == 0)
        VSIFReadL(&last, 1, 1, file);
    VSIFCloseL(file);
    if (last != '\n' && last != '\r')
        shepard_io_warn(control,
                        "the last line of \"%.300s\" has no line break: if the file was cut off, "
                        "the last value is wrong",
                        path);
}
