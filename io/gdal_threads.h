/* SPDX-License-Identifier: MIT */
/** How many threads GDAL and this library may read and write with (shepard_io_use_threads). */
#ifndef SHEPARD_IO_GDAL_THREADS_H
#define SHEPARD_IO_GDAL_THREADS_H

/** 1, unless shepard_io_use_threads said more. */
int shepard_gdal_threads(void);

/** Before rasters are written: begins the threads that GDAL compresses blocks on, once. */
void shepard_gdal_begin_threads(void);

#endif
