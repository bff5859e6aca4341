/* SPDX-License-Identifier: MIT */
/**
 * A netCDF file by GDAL's multidimensional interface, after the CF conventions: one variable a
 * band, named after it. GDAL's raster interface calls them Band1, Band2, ... whatever their
 * descriptions.
 */
#ifndef SHEPARD_IO_NETCDF_FILE_H
#define SHEPARD_IO_NETCDF_FILE_H

#include "io_error.h"

#include <gdal.h>

/** A file being written. */
struct shepard_netcdf;

/** Whether it serves a format with these creation options: FORMAT=NC4, COMPRESS and ZLEVEL. Others
 * need GDAL's raster interface; the older formats lack types. */
bool shepard_netcdf_serves(GDALDriverH driver, const char *const *creation_options);

/** Creates the file spec->... at path; NULL on failure, which GDAL has reported to the error
 * handler. */
struct shepard_netcdf *shepard_netcdf_create(const struct shepard_raster_spec *spec,
                                             const char *path, GDALDataType type);

/** Writes a window of band b; false on failure, as above. */
bool shepard_netcdf_write(struct shepard_netcdf *file, size_t b,
                          const struct shepard_window *window, const double *values);

/** Closes the file; NULL is allowed. What goes wrong then only the error handler knows. */
void shepard_netcdf_close(struct shepard_netcdf *file);

#endif
