/* SPDX-License-Identifier: MIT */
/** The points of a compressed LAS file (LAZ, COPC), by LASzip. */
#ifndef SHEPARD_IO_LAZ_POINTS_H
#define SHEPARD_IO_LAZ_POINTS_H

#include "las_header.h"

struct shepard_laz_points;

/** Fails, and says what to do, where shepard is built without LASzip. */
enum shepard_io_status shepard_laz_check(const char *path, struct shepard_io_error *error);

/** Opens the points of a file. *points is set on success only. */
enum shepard_io_status shepard_laz_open(const char *path, const struct shepard_las_header *header,
                                        struct shepard_laz_points **points,
                                        struct shepard_io_error *error);

/** Goes on with this point, from 0, which takes little where the file has a table of chunks. */
enum shepard_io_status shepard_laz_seek(struct shepard_laz_points *points, uint64_t point,
                                        struct shepard_io_error *error);

/** Reads the next points as records of the header's format, [count, record_length] bytes. */
enum shepard_io_status shepard_laz_read(struct shepard_laz_points *points, unsigned char *records,
                                        size_t count, struct shepard_io_error *error);

/** Closes them; NULL is allowed. */
void shepard_laz_close(struct shepard_laz_points *points);

#endif
