/* SPDX-License-Identifier: MIT */
/** Data types of cells, by name. */
#ifndef SHEPARD_IO_RASTER_TYPE_H
#define SHEPARD_IO_RASTER_TYPE_H

#include "io_error.h"

#include <gdal.h>

/** GDT_Unknown where there is none of the name; NULL is "Float64". */
GDALDataType shepard_type_by_name(const char *name);

/** Fails for a name that is none, with the names that there are. */
enum shepard_io_status shepard_fail_type(const char *type, struct shepard_io_error *error);

#endif
