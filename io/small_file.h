/* SPDX-License-Identifier: MIT */
/** A file that is written at once. */
#ifndef SHEPARD_IO_SMALL_FILE_H
#define SHEPARD_IO_SMALL_FILE_H

#include <stdbool.h>
#include <stddef.h>

/** Writes these bytes to a file of GDAL's, as in /vsimem/, in place of one of that name. */
bool shepard_small_file_write(const char *path, const void *bytes, size_t length);

#endif
