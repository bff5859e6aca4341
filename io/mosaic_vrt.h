/* SPDX-License-Identifier: MIT */
/** A mosaic as a virtual raster (VRT). */
#ifndef SHEPARD_IO_MOSAIC_VRT_H
#define SHEPARD_IO_MOSAIC_VRT_H

#include "mosaic_blocks.h"

/** Its text, to be freed by CPLFree; NULL where GDAL cannot make it. Each source is read only where
 * it has blocks. target: path of the VRT, relative to which files in or
 * below its folder are named; NULL: none. */
char *shepard_mosaic_vrt(const struct shepard_mosaic_blocks *blocks, const char *target);

#endif
