/* SPDX-License-Identifier: MIT */
#include "creation_options.h"

#include "string_list.h"

/* Whether one of the options is given. */
static bool has_any(char **options, const char *const *names)
{
    while (*names && !CSLFetchNameValue(options, *names))
        names++;
    return *names;
}

static const char *predictor_of(GDALDataType type)
{
    return GDALDataTypeIsFloating(type) ? "3" : "2";
}

/* Tiles, for readers take windows; deflate, which every reader knows, at its fastest level: the
 * next ones save some per cent and take twice the time. */
static char **complete_geotiff(char **options, GDALDataType type)
{
    static const char *const layout[] = {"TILED", "BLOCKXSIZE", "BLOCKYSIZE", NULL};
    static const char *const packing[] = {"COMPRESS", "PREDICTOR", "NBITS", "ZLEVEL", NULL};
    if (!has_any(options, layout))
        options = CSLSetNameValue(options, "TILED", "YES");
    if (!has_any(options, packing)) {
        options = CSLSetNameValue(options, "COMPRESS", "DEFLATE");
        options = CSLSetNameValue(options, "ZLEVEL", "1");
        options = CSLSetNameValue(options, "PREDICTOR", predictor_of(type));
    }
    /* A compressed file may outgrow 4 GB before GDAL notices. */
    return shepard_list_default(options, "BIGTIFF", "IF_SAFER");
}

char **shepard_creation_options(GDALDriverH driver, GDALDataType type, const char *const *given)
{
    char **options = CSLDuplicate(shepard_list(given));
    return EQUAL(GDALGetDriverShortName(driver), "GTiff") ? complete_geotiff(options, type)
                                                          : options;
}
