/* SPDX-License-Identifier: MIT */
/* Great circles from degrees by the haversine formula (Eq. 96a of docs/math/distances.md), without
 * points of space. */
#ifndef SHEPARD_REF_SPHERE_H
#define SHEPARD_REF_SPHERE_H

#include "core/geometry.h"

/* Points on a sphere, in the geometry's order. */
struct shepard_ref_sphere {
    double *longitude, *latitude; /* [n] degrees: a longitude within a turn, 0 at a pole */
    double radius;                /* frame units */
    const struct shepard_allocator *allocator;
};

/* The degrees of a place as they are kept. */
void shepard_ref_sphere_name(double *longitude, double *latitude);

/* Reads the degrees of the geometry's points. False: out of memory; nothing is held. */
bool shepard_ref_sphere_create(const struct shepard_coordinates *coordinates,
                               const struct shepard_geometry *geometry,
                               struct shepard_ref_sphere *sphere);

/* The same of a subset of the points of `all`. */
bool shepard_ref_sphere_subset(const struct shepard_ref_sphere *all,
                               const struct shepard_geometry *of,
                               const struct shepard_geometry *subset,
                               struct shepard_ref_sphere *sphere);

void shepard_ref_sphere_free(struct shepard_ref_sphere *sphere);

/* The length of the arc from a place, degrees, to a point, frame units. */
double shepard_ref_sphere_arc(const struct shepard_ref_sphere *sphere, double longitude,
                              double latitude, size_t point);

/* Its components to the east and to the north at its start, of a length that does not count. */
void shepard_ref_sphere_bearing(const struct shepard_ref_sphere *sphere, double longitude,
                                double latitude, size_t point, double *east, double *north);

#endif
