/* SPDX-License-Identifier: MIT */
/** Creation options of rasters: those of the user, and defaults for the rest. */
#ifndef SHEPARD_IO_CREATION_OPTIONS_H
#define SHEPARD_IO_CREATION_OPTIONS_H

#include <gdal.h>

/** All options for a raster of this type; to be freed by CSLDestroy. */
char **shepard_creation_options(GDALDriverH driver, GDALDataType type, const char *const *given);

#endif
