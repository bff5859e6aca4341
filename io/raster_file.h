/* SPDX-License-Identifier: MIT */
/** Rasters being written, as the estimate of them needs to know. */
#ifndef SHEPARD_IO_RASTER_FILE_H
#define SHEPARD_IO_RASTER_FILE_H

#include <gdal.h>

/** Bytes that GDAL holds at most while it writes a raster of so many. */
double shepard_raster_file_memory(GDALDriverH driver, double bytes);

#endif
