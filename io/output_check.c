/* SPDX-License-Identifier: MIT */
#include "io_error.h"
#include "output_driver.h"
#include "output_stage.h"
#include "string_list.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <string.h>

/* A file that holds several layers goes with all of them where one output takes its place. */
static enum shepard_io_status check_layers(const struct shepard_driver_choice *choice,
                                           struct shepard_io_error *error)
{
    static const char *const formats[] = {"GPKG", "SQLite", "XLSX", "ODS", NULL};
    const int most = choice->vector ? 1 : 0;
    GDALDatasetH old = strncmp(choice->path, "/vsi", 4) == 0
                           ? NULL
                           : GDALOpenEx(choice->path, GDAL_OF_VECTOR, formats, NULL, NULL);
    const int count = old ? GDALDatasetGetLayerCount(old) : 0;
    GDALClose(old);
    if (count <= most)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "\"%.300s\" holds %d layer%s, which would all be lost: an output takes "
                           "the place of a whole file; give it another name, or remove the file",
                           choice->path, count, count == 1 ? "" : "s");
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
        status = check_layers(choice, error);
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
