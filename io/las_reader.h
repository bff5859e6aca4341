/* SPDX-License-Identifier: MIT */
/** Reading the points of LAS files, as batches of places and numbers. */
#ifndef SHEPARD_IO_LAS_READER_H
#define SHEPARD_IO_LAS_READER_H

#include "point_state.h"

/** Chooses dimensions, CRS and area, and reads all files of the source. */
enum shepard_io_status shepard_las_read_points(struct shepard_point_state *reader);

/** Appends why there is not one point to choose from, for a message. */
void shepard_las_append_why(const struct shepard_point_state *reader, char *text, size_t size);

#endif
