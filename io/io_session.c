/* SPDX-License-Identifier: MIT */
/* GDAL as a whole: registration, general options, coordinate systems as users write them. */
#include "io_error.h"

#include <cpl_conv.h>
#include <cpl_http.h>
#include <cpl_string.h>
#include <gdal.h>
#include <ogr_srs_api.h>

void shepard_io_init(void)
{
    GDALAllRegister();
}

static CPLHTTPResult *refuse_fetch(const char *url, CSLConstList options, GDALProgressFunc progress,
                                   void *progress_user, CPLHTTPFetchWriteFunc write,
                                   void *write_user, void *user)
{
    (void)options, (void)progress, (void)progress_user, (void)write, (void)write_user, (void)user;
    CPLHTTPResult *result = CPLCalloc(1, sizeof *result);
    result->nStatus = 1;
    result->pszErrBuf = CPLStrdup("no network access from data");
    CPLError(CE_Warning, CPLE_AppDefined,
             "\"%.300s\" is not fetched: data may not use the network unless the command names an "
             "address",
             url);
    return result;
}

void shepard_io_allow_network(bool allowed)
{
    /* Of GDAL's two ways, the first serves documents, the second files under /vsicurl/, /vsis3/...,
     * none of which has this name. */
    CPLHTTPSetFetchCallback(allowed ? NULL : refuse_fetch, NULL);
    CPLSetConfigOption("CPL_VSIL_CURL_ALLOWED_FILENAME", allowed ? NULL : "no network access");
}

void shepard_io_limit_cache(size_t bytes)
{
    if (!CPLGetConfigOption("GDAL_CACHEMAX", NULL) && GDALGetCacheMax64() > (GIntBig)bytes)
        GDALSetCacheMax64((GIntBig)bytes);
}

void shepard_io_exit(void)
{
    GDALDestroyDriverManager();
    OSRCleanup();
    VSICleanupFileManager();
}

const char *shepard_io_gdal_version(void)
{
    return GDALVersionInfo("RELEASE_NAME");
}

enum shepard_io_status shepard_io_arguments(int *argc, char ***argv, bool *done,
                                            struct shepard_io_error *error)
{
    *done = false;
    char **list = *argv;
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    const int count = GDALGeneralCmdLineProcessor(*argc, &list, GDAL_OF_RASTER | GDAL_OF_VECTOR);
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (count < 0)
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "argv",
                                 "a general option is not complete%s",
                                 shepard_gdal_error_scope_text(&trap));
    else if (count == 0)
        *done = true;
    else {
        *argc = count;
        *argv = list;
    }
    return shepard_gdal_error_scope_end(&trap, status);
}

void shepard_io_arguments_free(char **argv)
{
    CSLDestroy(argv);
}

void shepard_io_free(void *memory)
{
    CPLFree(memory);
}

enum shepard_io_status shepard_io_srs(const char *definition, char **wkt, bool *geographic,
                                      struct shepard_io_error *error)
{
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    enum shepard_io_status status = SHEPARD_IO_OK;
    OGRSpatialReferenceH srs = OSRNewSpatialReference(NULL);
    char *text = NULL;
    if (OSRSetFromUserInput(srs, definition) != OGRERR_NONE ||
        OSRExportToWkt(srs, &text) != OGRERR_NONE) {
        status = shepard_io_fail(error, SHEPARD_IO_ERROR_SRS, "srs",
                                 "\"%.200s\" is not a coordinate system that PROJ knows%s; write, "
                                 "for example, EPSG:32632 or the name of a file with WKT",
                                 definition, shepard_gdal_error_scope_text(&trap));
        CPLFree(text);
    } else {
        *wkt = text;
        if (geographic)
            *geographic = OSRIsGeographic(srs);
    }
    OSRDestroySpatialReference(srs);
    return shepard_gdal_error_scope_end(&trap, status);
}
