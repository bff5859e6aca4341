/* SPDX-License-Identifier: MIT */
/** Files that were cut off, as by a copy that stopped: where GDAL does not notice it. */
#ifndef SHEPARD_IO_FILE_END_H
#define SHEPARD_IO_FILE_END_H

#include "io_error.h"

#include <gdal.h>

/**
 * Fails if an indexed FlatGeobuf file lacks its last feature: GDAL takes an end between two
 * features for the end of the layer. path: for the message.
 */
enum shepard_io_status shepard_check_last_feature(GDALDatasetH dataset, const char *path,
                                                  struct shepard_io_error *error);

/** Warns if the last line of a text file on disk has no line break. */
void shepard_warn_open_line(const char *path, const struct shepard_io_control *control);

#endif
