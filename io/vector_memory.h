/* SPDX-License-Identifier: MIT */
/** Memory that GDAL's writers of vector files take to be fast. */
#ifndef SHEPARD_IO_VECTOR_MEMORY_H
#define SHEPARD_IO_VECTOR_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of SQLite's cache in which the spatial index of so many features is made. */
size_t shepard_sqlite_cache(size_t features);

/** Whether so many points, with so many fields and with texts from a file of this size, wait in
 * memory for FlatGeobuf's spatial index. */
bool shepard_flatgeobuf_waits_in_memory(size_t points, int fields, uint64_t source_bytes);

/** Bytes that the writer of a format (GDAL's short name) takes for a file of this size, beyond a
 * few megabytes. */
double shepard_vector_memory(const char *format, size_t features, double file_bytes);

#endif
