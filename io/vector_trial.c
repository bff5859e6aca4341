/* SPDX-License-Identifier: MIT */
#include "io_error.h"
#include "output_driver.h"
#include "trial_folder.h"
#include "vector_memory.h"

#include <gdal.h>
#include <math.h>
#include <string.h>

/* What one trial took. */
struct cost {
    double seconds, bytes;
};

static enum shepard_io_status write_some(struct shepard_target_layer *query,
                                         const struct shepard_vector_spec *spec, GDALDriverH driver,
                                         size_t features, struct cost *cost,
                                         struct shepard_io_error *error)
{
    struct shepard_vector_spec some = *spec;
    struct shepard_trial_folder folder = shepard_trial_folder_make(driver, spec->path);
    some.path = folder.path;
    some.format = GDALGetDriverShortName(driver);
    some.guard = (struct shepard_output_guard){0};
    some.features = features;
    const double begin = shepard_trial_clock();
    const enum shepard_io_status status = shepard_target_layer_write(query, &some, NULL, error);
    cost->seconds = shepard_trial_clock() - begin;
    cost->bytes = shepard_trial_folder_bytes(&folder);
    shepard_trial_folder_free(&folder);
    return status;
}

/* On the line through two trials, at all features; not below what is known. */
static double line(double few, double some, double part, double all)
{
    const double slope = (some - few) / (1 - part);
    return slope > 0 ? some + slope * (all - 1) : some;
}

/* Formats with a spatial index sort features, or insert them into a tree: n log n. */
static double index_growth(const struct shepard_vector_trial *trial, size_t count)
{
    static const char *const indexed[] = {"GPKG", "FlatGeobuf", "SQLite"};
    for (size_t i = 0; i < sizeof indexed / sizeof indexed[0]; i++)
        if (strcmp(trial->format, indexed[i]) == 0 && trial->features > 1)
            return log((double)count) / log((double)trial->features);
    return 1;
}

enum shepard_io_status shepard_target_layer_try(struct shepard_target_layer *query,
                                                const struct shepard_vector_spec *spec,
                                                struct shepard_vector_trial *trial,
                                                struct shepard_io_error *error)
{
    const struct shepard_driver_choice choice = {
        .path = spec->path, .format = spec->format, .vector = true};
    struct shepard_target_layer_targets targets;
    GDALDriverH driver;
    struct cost few, some;
    *trial = (struct shepard_vector_trial){.features = spec->features};
    shepard_target_layer_get_targets(query, &targets);
    enum shepard_io_status status = shepard_find_driver(&choice, &driver, error);
    if (status)
        return status;
    shepard_text_append(trial->format, sizeof trial->format, "%s", GDALGetDriverShortName(driver));
    trial->memory_bytes = shepard_vector_memory(trial->format, targets.count, 0);
    if (!shepard_driver_can(driver, GDAL_DCAP_VIRTUALIO) || targets.count == 0)
        return SHEPARD_IO_OK;
    const size_t tenth = spec->features / 10 + 1;
    /* The first trial loads what a process needs once, and reads what the source keeps. */
    status = write_some(query, spec, driver, tenth, &few, error);
    if (!status)
        status = write_some(query, spec, driver, tenth, &few, error);
    if (!status)
        status = write_some(query, spec, driver, spec->features, &some, error);
    if (status)
        return status;
    const double part = (double)tenth / (double)spec->features;
    const double all = (double)targets.count / (double)spec->features;
    trial->seconds = part < 1 ? line(few.seconds, some.seconds, part, all) : some.seconds;
    trial->seconds *= index_growth(trial, targets.count);
    trial->file_bytes = part < 1 ? line(few.bytes, some.bytes, part, all) : some.bytes;
    trial->memory_bytes = shepard_vector_memory(trial->format, targets.count, trial->file_bytes);
    return SHEPARD_IO_OK;
}
