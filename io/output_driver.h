/* SPDX-License-Identifier: MIT */
/** The GDAL driver that writes an output. */
#ifndef SHEPARD_IO_OUTPUT_DRIVER_H
#define SHEPARD_IO_OUTPUT_DRIVER_H

#include "io_error.h"

#include <gdal.h>

struct shepard_driver_choice {
    const char *path;
    const char
        *format; /* short name; NULL: from the path's extension, or GTiff, GPKG, CSV (stdout) */
    bool vector;
};

/** Finds the driver. */
enum shepard_io_status shepard_find_driver(const struct shepard_driver_choice *choice,
                                           GDALDriverH *driver, struct shepard_io_error *error);

/** Fails where the driver does not know a creation option or its value. */
enum shepard_io_status shepard_check_creation_options(GDALDriverH driver,
                                                      const char *const *options,
                                                      struct shepard_io_error *error);

/** Whether the driver has a capability, a GDAL_DCAP_... name. */
bool shepard_driver_can(GDALDriverH driver, const char *capability);

/** Whether a list in its metadata, a GDAL_DMD_... name, has a word; true without such a list. */
bool shepard_driver_lists(GDALDriverH driver, const char *list, const char *word);

/** Whether an output is written at its place, not as a file to be moved there: the path is a
 * connection that the driver opens (PG:..., a database), or APPEND_SUBDATASET adds to a file. */
bool shepard_driver_writes_there(GDALDriverH driver, const char *path,
                                 const char *const *creation_options);

/** The driver's first extension, "" if it has none. Static. */
const char *shepard_driver_extension(GDALDriverH driver);

#endif
