/* SPDX-License-Identifier: MIT */
/* Places on the Earth taken as a sphere: degrees, points of space, arcs and chords (Eq. 96 to 100
 * of docs/math/distances.md). */
#ifndef SHEPARD_CORE_SPHERE_H
#define SHEPARD_CORE_SPHERE_H

#include "core/frame.h"
#include "core/sphere_arc.h"
#include "core/sphere_point.h"
#include "core/sphere_tangent.h"

/* The degrees of a point, rounded. */
void shepard_sphere_degrees(double x, double y, double z, double *longitude, double *latitude);

/* The chord of an arc, frame units; beyond half a turn more than any chord (Eq. 97). */
double shepard_sphere_chord(const struct shepard_frame *frame, double arc);

/* The area of the smallest box of longitudes and latitudes that holds n >= 1 points, user units
 * squared (Eq. 100). */
double shepard_sphere_area(const struct shepard_frame *frame, const double *x, const double *y,
                           const double *z, size_t n);

#endif
