/* SPDX-License-Identifier: MIT */
#include "io_error.h"
#include "output_driver.h"
#include "output_stage.h"

static enum shepard_io_status try_output(const struct shepard_output_spec *spec,
                                         const struct shepard_io_control *control,
                                         struct shepard_io_error *error)
{
    const struct shepard_driver_choice choice = {
        .path = spec->path, .format = spec->format, .vector = spec->vector};
    struct shepard_stage stage = {0};
    GDALDriverH driver;
    enum shepard_io_status status = shepard_find_driver(&choice, &driver, error);
    if (!status)
        status = shepard_check_creation_options(driver, spec->creation_options, error);
    if (status)
        return status;
    const struct shepard_place place = {
        .path = spec->path,
        .direct = shepard_driver_writes_there(driver, spec->path, spec->creation_options),
        .extension = shepard_driver_extension(driver),
        .vector = spec->vector,
        .layer_name = spec->layer_name,
        .trial = true,
        .guard = spec->guard,
        .control = control,
    };
    status = shepard_stage_make(&stage, &place, error);
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
    struct shepard_trap trap;
    shepard_trap_begin(&trap, control);
    const enum shepard_io_status status = try_output(spec, control, error);
    shepard_trap_clear(&trap);
    return shepard_trap_end(&trap, status);
}
