/* SPDX-License-Identifier: MIT */
#include "cf_file.h"
#include "creation_options.h"
#include "io_error.h"
#include "output_driver.h"
#include "raster_file.h"
#include "raster_type.h"
#include "trial_folder.h"

#include <cpl_string.h>

/* Bytes a second to a disk, where a format cannot be tried in memory. */
static const double disk_speed = 500e6;

static enum shepard_io_status write_values(const struct shepard_raster_spec *spec,
                                           const double *values, struct shepard_io_error *error)
{
    struct shepard_raster_file *file = NULL;
    const size_t cells = spec->raster.columns * spec->raster.rows;
    const struct shepard_window all = {.columns = spec->raster.columns, .rows = spec->raster.rows};
    enum shepard_io_status status = shepard_raster_file_create(spec, &file, NULL, error);
    for (size_t b = 0; !status && b < spec->bands; b++)
        status = shepard_raster_file_write(file, b, &all, values + b * cells, NULL, error);
    if (status)
        shepard_raster_file_abandon(file);
    else
        status = shepard_raster_file_commit(file, NULL, error);
    return status;
}

static enum shepard_io_status write_in_memory(const struct shepard_raster_spec *spec,
                                              GDALDriverH driver, const double *values,
                                              struct shepard_raster_trial *trial,
                                              struct shepard_io_error *error)
{
    struct shepard_raster_spec small = *spec;
    struct shepard_trial_folder folder = shepard_trial_folder_make(driver, spec->path);
    small.path = folder.path;
    small.format = GDALGetDriverShortName(driver);
    small.raster.columns = trial->columns;
    small.raster.rows = trial->rows;
    small.guard = (struct shepard_output_guard){0};
    small.part = (struct shepard_raster_part){0};
    small.resume_inputs = NULL;
    /* The better of two times: the first one loads what a process needs once. */
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (int i = 0; i < 2 && !status; i++) {
        const double begin = shepard_trial_clock();
        status = write_values(&small, values, error);
        const double seconds = shepard_trial_clock() - begin;
        trial->seconds = i == 0 || seconds < trial->seconds ? seconds : trial->seconds;
    }
    trial->file_bytes = shepard_trial_folder_bytes(&folder);
    shepard_trial_folder_free(&folder);
    return status;
}

static void list_options(struct shepard_raster_trial *trial, GDALDriverH driver, GDALDataType type,
                         const char *const *given)
{
    char **options = shepard_creation_options(driver, type, given);
    for (int i = 0; options && options[i]; i++)
        shepard_text_append(trial->options, sizeof trial->options, "%s%s", i > 0 ? " " : "",
                            options[i]);
    CSLDestroy(options);
}

/* Scales what was measured to the whole raster. */
static void scale(struct shepard_raster_trial *trial, const struct shepard_raster_spec *spec)
{
    const double part = (double)trial->columns * (double)trial->rows;
    const double share = spec->part.number > 0 ? 1 / (double)spec->part.count : 1;
    const double whole = share * (double)spec->raster.columns * (double)spec->raster.rows;
    trial->seconds *= whole / part;
    trial->file_bytes *= whole / part;
}

enum shepard_io_status shepard_raster_file_try(const struct shepard_raster_spec *spec,
                                               size_t columns, size_t rows, const double *values,
                                               struct shepard_raster_trial *trial,
                                               struct shepard_io_error *error)
{
    const struct shepard_driver_choice choice = {.path = spec->path, .format = spec->format};
    const GDALDataType type = shepard_type_by_name(spec->type);
    const double bytes = (double)spec->raster.columns * (double)spec->raster.rows *
                         (double)spec->bands * GDALGetDataTypeSizeBytes(type);
    GDALDriverH driver;
    *trial = (struct shepard_raster_trial){.columns = columns, .rows = rows};
    enum shepard_io_status status = shepard_find_driver(&choice, &driver, error);
    if (status)
        return status;
    shepard_text_append(trial->format, sizeof trial->format, "%s", GDALGetDriverShortName(driver));
    list_options(trial, driver, type, spec->creation_options);
    /* GDAL's multidimensional interface does not use its cache of blocks. */
    trial->memory_bytes = shepard_cf_file_serves(driver, spec->creation_options)
                              ? 0
                              : shepard_raster_file_memory(driver, bytes);
    const bool in_memory =
        shepard_driver_can(driver, GDAL_DCAP_VIRTUALIO) && !EQUAL(trial->format, "netCDF");
    if (in_memory) {
        status = write_in_memory(spec, driver, values, trial, error);
        scale(trial, spec);
    } else {
        trial->file_bytes = bytes;
        trial->seconds = bytes / disk_speed;
    }
    return status;
}
