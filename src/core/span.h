/* SPDX-License-Identifier: MIT */
/* From the least to the largest length that points and parameters are made of: no wider than
 * doubles can square (docs/math/rounding.md). */
#ifndef SHEPARD_CORE_SPAN_H
#define SHEPARD_CORE_SPAN_H

#include "core/geometry.h"

/* Refuses usable coordinates that are not 0, yet less than shepard_frame_least. points: the box and
 * the frame of those that are usable. O(1) unless the box comes that near to 0. */
enum shepard_status shepard_span_check(const struct shepard_coordinates *coordinates,
                                       const struct shepard_geometry *points,
                                       struct shepard_error *error);

/* Whether the usable x, or y, come so near to 0 that one of them may be refused. */
bool shepard_span_reaches(const struct shepard_geometry *points, bool of_y);

/* The error for the refused coordinate i. */
enum shepard_status shepard_span_fail(const struct shepard_geometry *points, bool of_y, size_t i,
                                      double coordinate, struct shepard_error *error);

/* The same for the lengths of parameters. */
enum shepard_status shepard_span_check_lengths(const struct shepard_parameters *parameters,
                                               const struct shepard_frame *frame,
                                               struct shepard_error *error);

#endif
