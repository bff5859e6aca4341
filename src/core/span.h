/* SPDX-License-Identifier: MIT */
/* From the least to the largest length that a model is made of: no wider than doubles can square
 * (docs/math.md, section 7). */
#ifndef SHEPARD_CORE_SPAN_H
#define SHEPARD_CORE_SPAN_H

#include "core/points.h"

/* Refuses lengths of options and coordinates of data that are not 0, yet less than
 * shepard_frame_least. points: the box and the frame of those of data that are usable. O(1) unless
 * the box comes that near to 0. */
enum shepard_status shepard_span_check(const struct shepard_data *data,
                                       const struct shepard_options *options,
                                       const struct shepard_points *points,
                                       struct shepard_error *error);

#endif
