/* SPDX-License-Identifier: MIT */
/** A GeoTIFF that a mosaic takes blocks from. */
#ifndef SHEPARD_IO_MOSAIC_SOURCE_H
#define SHEPARD_IO_MOSAIC_SOURCE_H

#include "tiff_file.h"

/** Start from {0}. */
struct shepard_mosaic_source {
    const char *path; /* borrowed */
    GDALDatasetH dataset;
    struct shepard_tiff_file tiff;
    struct shepard_raster_part part; /* which it says it is; {0}: it says nothing */
};

enum shepard_io_status shepard_mosaic_source_open(struct shepard_mosaic_source *source,
                                                  const char *path, struct shepard_io_error *error);

void shepard_mosaic_source_close(struct shepard_mosaic_source *source);

/** Fails, with both names and what differs, where the two are no parts of one raster. */
enum shepard_io_status shepard_mosaic_source_compare(const struct shepard_mosaic_source *first,
                                                     const struct shepard_mosaic_source *other,
                                                     struct shepard_io_error *error);

/** Gives a dataset of the same size what the source says of itself, but not that it is a part. */
void shepard_mosaic_source_copy_header(const struct shepard_mosaic_source *source,
                                       GDALDatasetH dataset);

/** Creation options of a GeoTIFF whose blocks are coded in the same way. */
char **shepard_mosaic_source_options(const struct shepard_mosaic_source *source);

#endif
