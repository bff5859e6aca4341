/* SPDX-License-Identifier: MIT */
/** One LAS file: what it says of its points, and its point records. */
#ifndef SHEPARD_IO_LAS_FILE_H
#define SHEPARD_IO_LAS_FILE_H

#include "las_dimension.h"

/** Start from {0}. */
struct shepard_las_file {
    char *path;
    struct shepard_las_header header;
    struct shepard_las_dimensions dimensions;
    char *wkt; /* of the CRS; NULL: unknown */
};

/** Whether a file begins as LAS files do. */
bool shepard_las_begins(const char *path);

/** Reads all but the points; the file is closed again. Free it after a failure too. */
enum shepard_io_status shepard_las_file_open(struct shepard_las_file *file, const char *path,
                                             const struct shepard_io_control *control,
                                             struct shepard_io_error *error);

void shepard_las_file_free(struct shepard_las_file *file);

/** The point records of a file, from the first one on. */
struct shepard_las_stream;

/** *stream is set on success only. file is borrowed. */
enum shepard_io_status shepard_las_stream_open(const struct shepard_las_file *file,
                                               struct shepard_las_stream **stream,
                                               struct shepard_io_error *error);

/** Goes on with this record, from 0. */
enum shepard_io_status shepard_las_stream_seek(struct shepard_las_stream *stream, uint64_t record,
                                               struct shepard_io_error *error);

/** Reads the next count records, [count, header.record_length] bytes. */
enum shepard_io_status shepard_las_stream_read(struct shepard_las_stream *stream,
                                               unsigned char *records, size_t count,
                                               struct shepard_io_error *error);

/** Closes it; NULL is allowed. */
void shepard_las_stream_close(struct shepard_las_stream *stream);

#endif
