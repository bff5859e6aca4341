/* SPDX-License-Identifier: MIT */
/* Places with three coordinates: points of a sphere (core/sphere.h), or of space as it is. */
#ifndef SHEPARD_CORE_SPACE_H
#define SHEPARD_CORE_SPACE_H

#include "core/frame.h"
#include "kernel/place.h"

/* A data point's coordinates, user units, in frame units. A target at the same place gets the same.
 */
void shepard_space_place(const struct shepard_frame *frame, double *x, double *y, double *z);

/* The same of a target, held near the data as by shepard_frame_target. False where it is no place:
 * a coordinate is not finite, or a latitude none. */
bool shepard_space_target(const struct shepard_frame *frame, double *x, double *y, double *z);

/* What targets near each other are sorted by. */
void shepard_space_flatten(const struct shepard_frame *frame, double x, double y, double z,
                           double *across, double *up);

/* The squared distance, on a sphere of the arc, of a point from a place that it is so far from in
 * space. */
double shepard_space_distance2(const struct shepard_frame *frame, double d2,
                               const struct shepard_place *place, double x, double y, double z);

/* Sets the directions of a place that sectors go by. */
void shepard_space_orient(const struct shepard_frame *frame, struct shepard_place *place);

/* The area that n >= 1 points take on a sphere (Eq. 100), in space the volume of their box; user
 * units, z by the vertical factor. */
double shepard_space_extent(const struct shepard_frame *frame, const double *x, const double *y,
                            const double *z, size_t n);

#endif
