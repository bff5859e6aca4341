/* SPDX-License-Identifier: MIT */
#include "vector_memory.h"

#include <math.h>
#include <string.h>

static const size_t megabyte = (size_t)1 << 20;

/* Nodes of an R-tree, and its table of rows. */
static const size_t index_bytes = 96;

size_t shepard_sqlite_cache(size_t features)
{
    const size_t least = 2 * megabyte, most = 1024 * megabyte;
    return features < (most - least) / index_bytes ? least + index_bytes * features : most;
}

/* Of FlatGeobuf files that wait in memory. */
static const size_t waiting_most = (size_t)512 << 20;

/* A point with its table of offsets; a field without its text. */
enum { POINT_BYTES = 128, FIELD_BYTES = 24 };

bool shepard_flatgeobuf_waits_in_memory(size_t points, int fields, uint64_t source_bytes)
{
    const size_t point_bytes = POINT_BYTES + FIELD_BYTES * (size_t)fields;
    return source_bytes <= waiting_most && points <= (waiting_most - source_bytes) / point_bytes;
}

/* What is held of a feature until all are sorted, measured with 300,000 points. */
static const double sorted_bytes = 200;

double shepard_vector_memory(const char *format, size_t features, double file_bytes)
{
    if (strcmp(format, "FlatGeobuf") == 0)
        return sorted_bytes * (double)features + fmin(file_bytes, (double)waiting_most);
    if (strcmp(format, "GPKG") == 0 || strcmp(format, "SQLite") == 0)
        return fmin(file_bytes, (double)shepard_sqlite_cache(features));
    return 0;
}
