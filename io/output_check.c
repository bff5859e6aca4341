/* SPDX-License-Identifier: MIT */
#include "io_error.h"
#include "kept_raster.h"
#include "output_driver.h"
#include "output_probe.h"
#include "output_stage.h"
#include "raster_part.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <string.h>

/* Whether an input lies where the output will and has its name up to the extension. */
static bool has_input_beside(const struct shepard_output_stage *stage)
{
    char *folder = CPLStrdup(CPLGetPath(stage->target));
    char *stem = CPLStrdup(CPLGetBasename(stage->target));
    char **names = VSIReadDir(folder[0] ? folder : ".");
    bool found = false;
    for (int i = 0; !found && names && names[i]; i++)
        found = strncmp(names[i], stem, strlen(stem)) == 0 &&
                shepard_input_files_check(stage->inputs, CPLFormFilename(folder, names[i], NULL),
                                          NULL) != SHEPARD_IO_OK;
    CSLDestroy(names);
    CPLFree(stem);
    CPLFree(folder);
    return found;
}

static enum shepard_io_status try_output(const struct shepard_output_spec *spec,
                                         const struct shepard_io_control *control,
                                         struct shepard_io_error *error)
{
    const struct shepard_driver_choice choice = {
        .path = spec->path, .format = spec->format, .vector = spec->vector};
    struct shepard_output_stage stage = {0};
    GDALDriverH driver;
    enum shepard_io_status status = shepard_find_driver(&choice, &driver, error);
    if (!status)
        status = shepard_check_creation_options(driver, spec->creation_options, error);
    if (!status)
        status = shepard_part_check(&spec->part, spec->path, driver, spec->creation_options, error);
    if (!status && spec->resume)
        status = shepard_kept_raster_check(spec->path, driver, error);
    if (status)
        return status;
    const struct shepard_output_place place = {
        .path = spec->path,
        .direct = shepard_driver_writes_there(driver, spec->path, spec->creation_options),
        .extension = shepard_driver_extension(driver),
        .vector = spec->vector,
        .layer_name = spec->layer_name,
        .zarr = EQUAL(GDALGetDriverShortName(driver), "Zarr"),
        .trial = true,
        .guard = spec->guard,
        .control = control,
    };
    status = shepard_stage_make(&stage, &place, error);
    if (!status && stage.folder.path && !stage.to_stdout && has_input_beside(&stage)) {
        shepard_output_probe(spec, driver, stage.path);
        status = shepard_stage_check_names(&stage, error);
    }
    shepard_stage_abandon(&stage);
    return status;
}

enum shepard_io_status shepard_output_check(const struct shepard_output_spec *spec,
                                            const struct shepard_io_control *control,
                                            struct shepard_io_error *error)
{
    if (!spec || !spec->path || !spec->path[0])
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "no output given: name the file to be written");
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, control);
    const enum shepard_io_status status = try_output(spec, control, error);
    shepard_gdal_error_scope_clear(&trap);
    return shepard_gdal_error_scope_end(&trap, status);
}
