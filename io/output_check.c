/* SPDX-License-Identifier: MIT */
#include "io_error.h"
#include "output_driver.h"
#include "output_stage.h"
#include "string_list.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <string.h>

/* Layers and rasters of a file of a format that may hold several. */
static int tables_in(const char *path)
{
    static const char *const formats[] = {"GPKG", "SQLite", "XLSX", "ODS", NULL};
    GDALDatasetH old = strncmp(path, "/vsi", 4) == 0
                           ? NULL
                           : GDALOpenEx(path, GDAL_OF_VECTOR | GDAL_OF_RASTER, formats, NULL, NULL);
    if (!old)
        return 0;
    const int rasters = CSLCount(GDALGetMetadata(old, "SUBDATASETS")) / 2;
    const int count =
        GDALDatasetGetLayerCount(old) + (rasters > 0 ? rasters : GDALGetRasterCount(old) > 0);
    GDALClose(old);
    return count;
}

/* A file goes with all that it holds where one output takes its place. */
static enum shepard_io_status check_tables(const char *path, struct shepard_io_error *error)
{
    const int count = tables_in(path);
    if (count <= 1)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "\"%.300s\" holds %d layers and rasters, which would all be lost: an "
                           "output takes the place of a whole file; give it another name, or "
                           "remove the file",
                           path, count);
}

static bool appends(const char *const *creation_options)
{
    const char *value = CSLFetchNameValue(shepard_list(creation_options), "APPEND_SUBDATASET");
    return value && CPLTestBool(value);
}

static enum shepard_io_status try_output(const struct shepard_driver_choice *choice,
                                         const char *const *creation_options,
                                         struct shepard_io_error *error)
{
    struct shepard_stage stage = {0};
    GDALDriverH driver;
    enum shepard_io_status status = shepard_find_driver(choice, &driver, error);
    if (!status)
        status = shepard_check_creation_options(driver, creation_options, error);
    if (!status)
        status =
            shepard_stage_make(&stage, choice->path, shepard_driver_connects(driver, choice->path),
                               shepard_driver_extension(driver), error);
    shepard_stage_abandon(&stage);
    if (!status && !appends(creation_options))
        status = check_tables(choice->path, error);
    return status;
}

enum shepard_io_status shepard_output_check(const char *path, const char *format, bool vector,
                                            const char *const *creation_options,
                                            const struct shepard_io_control *control,
                                            struct shepard_io_error *error)
{
    if (!path || !path[0])
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "no output given: name the file to be written");
    const struct shepard_driver_choice choice = {.path = path, .format = format, .vector = vector};
    struct shepard_trap trap;
    shepard_trap_begin(&trap, control);
    const enum shepard_io_status status = try_output(&choice, creation_options, error);
    shepard_trap_clear(&trap);
    return shepard_trap_end(&trap, status);
}
