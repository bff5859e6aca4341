/* SPDX-License-Identifier: MIT */
/** Points that a reader hands over: which of them are in use, and what is known of all of these. */
#ifndef SHEPARD_IO_USED_POINTS_H
#define SHEPARD_IO_USED_POINTS_H

#include "point_sink.h"

/** Of no point. */
void shepard_used_points_begin(struct shepard_spill_info *info);

/** Whether it has a value and a weight above 0. */
bool shepard_point_is_used(const struct shepard_sunk_points *points, size_t i);

/** Adds a point in use. */
void shepard_used_points_add(struct shepard_spill_info *info,
                             const struct shepard_sunk_points *points, size_t i);

/** Fails on a weight below 0. */
enum shepard_io_status shepard_used_points_check(const struct shepard_sunk_points *points,
                                                 struct shepard_io_error *error);

#endif
