/* SPDX-License-Identifier: MIT */
/**
 * A netCDF file, or a Zarr, by GDAL's multidimensional interface, after the CF conventions: one
 * variable a band, named after it, or one a stack of bands. GDAL's raster interface calls them
 * Band1, Band2, ... whatever their descriptions.
 */
#ifndef SHEPARD_IO_CF_FILE_H
#define SHEPARD_IO_CF_FILE_H

#include "io_error.h"

#include <gdal.h>

/** A file being written. */
struct shepard_cf_file;

/** Whether it serves a format with these creation options: of netCDF FORMAT=NC4, COMPRESS and
 * ZLEVEL, of Zarr FORMAT, COMPRESS and BLOCKSIZE. Others need GDAL's raster interface; the older
 * formats of netCDF lack types. */
bool shepard_cf_file_serves(GDALDriverH driver, const char *const *creation_options);

/** Creates the file spec->... at path; NULL on failure, which GDAL has reported to the error
 * handler. */
struct shepard_cf_file *shepard_cf_file_create(const struct shepard_raster_spec *spec,
                                               GDALDriverH driver, const char *path,
                                               GDALDataType type);

/** Sets the size of the chunks of a band; leaves both where it has none. */
void shepard_cf_file_block(const struct shepard_cf_file *file, int *columns, int *rows);

/** Writes a window of band b; false on failure, as above. */
bool shepard_cf_file_write(struct shepard_cf_file *file, size_t b,
                           const struct shepard_window *window, const double *values);

/** Closes the file; NULL is allowed. What goes wrong then only the error handler knows. */
void shepard_cf_file_close(struct shepard_cf_file *file);

#endif
