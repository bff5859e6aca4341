/* SPDX-License-Identifier: MIT */
/* Checks of where the results of a call go. */
#ifndef SHEPARD_API_OUTPUT_H
#define SHEPARD_API_OUTPUT_H

#include "backend/backend.h"

/* Checks an output of the caller for m targets and writes into *resolved what means the same: its
 * columns are arrays of their own, kept in room [SHEPARD_COLUMN_RESULTS, columns], and its strides
 * are not 0. */
enum shepard_status shepard_output_resolve(const struct shepard_output *output,
                                           const struct shepard_points *points, size_t columns,
                                           size_t m, struct shepard_output_array *room,
                                           struct shepard_output *resolved,
                                           struct shepard_error *error);

/* Writes nodata where a resolved output in the host's memory has NaN. */
void shepard_output_name_missing(const struct shepard_output *output, size_t columns, size_t m,
                                 double nodata);

#endif
