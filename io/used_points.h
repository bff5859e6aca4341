/* SPDX-License-Identifier: MIT */
/** Points that a reader hands over: which of them are in use, and what is known of all of these. */
#ifndef SHEPARD_IO_USED_POINTS_H
#define SHEPARD_IO_USED_POINTS_H

#include "point_sink.h"

/** Of no point; counts: [columns]; ends: [2, columns], for value_min and value_max. */
void shepard_used_points_begin(struct shepard_spill_info *info, size_t *counts, double *ends,
                               size_t columns);

/** Whether point i is in use: it has a value in any column, and a weight above 0. Adds it then;
 * its gaps and numbers count in any case. */
bool shepard_used_points_add(struct shepard_spill_info *info,
                             const struct shepard_sunk_points *points, size_t i);

/** Fails on a weight below 0. */
enum shepard_io_status shepard_used_points_check(const struct shepard_sunk_points *points,
                                                 struct shepard_io_error *error);

#endif
