/* SPDX-License-Identifier: MIT */
/** Data types of cells, by name. */
#ifndef SHEPARD_IO_RASTER_TYPE_H
#define SHEPARD_IO_RASTER_TYPE_H

#include "io_error.h"

#include <gdal.h>

/** GDT_Unknown for an unknown name; NULL is "Float64". */
GDALDataType shepard_type_by_name(const char *name);

/** Fails for an unknown name with a list of the known ones. */
enum shepard_io_status shepard_fail_type(const char *type, struct shepard_io_error *error);

#endif
