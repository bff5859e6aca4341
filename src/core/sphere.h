/* SPDX-License-Identifier: MIT */
/* Places on the Earth taken as a sphere: degrees, points of space, arcs and chords (Eq. 96 to 100
 * of docs/math/distances.md). */
#ifndef SHEPARD_CORE_SPHERE_H
#define SHEPARD_CORE_SPHERE_H

#include "core/frame.h"
#include "core/sphere_arc.h"
#include "core/sphere_point.h"
#include "kernel/place.h"

/* The degrees of a point, rounded. */
void shepard_sphere_degrees(double x, double y, double z, double *longitude, double *latitude);

/* The chord of an arc, frame units; beyond half a turn more than any chord (Eq. 97). */
double shepard_sphere_chord(const struct shepard_frame *frame, double arc);

/* Sets the directions of a place: where it is at a pole those of the meridian 0 (Eq. 99). */
void shepard_sphere_orient(const struct shepard_frame *frame, struct shepard_place *place);

/* The offset of a point from a place that has directions, on the plane that touches the sphere
 * there: of the arc's length and its bearing (Eq. 99a). */
void shepard_sphere_offset(const struct shepard_frame *frame, const struct shepard_place *place,
                           const double at[3], double *east, double *north);

/* The area of the smallest box of longitudes and latitudes that holds n >= 1 points, user units
 * squared (Eq. 100). */
double shepard_sphere_area(const struct shepard_frame *frame, const double *x, const double *y,
                           const double *z, size_t n);

#endif
