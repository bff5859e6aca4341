/* SPDX-License-Identifier: MIT */
#include "io_error.h"
#include "output_driver.h"
#include "output_stage.h"

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
            shepard_stage_make(&stage, choice->path,
                               shepard_driver_writes_there(driver, choice->path, creation_options),
                               shepard_driver_extension(driver), error);
    shepard_stage_abandon(&stage);
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
