/* SPDX-License-Identifier: MIT */
/* Directions at a place of a sphere, and the plane that touches it there (Eq. 99, 99a of
 * docs/math/distances.md). Products, sums and roots alone but for the arc: directions have the same
 * bits on a GPU as on the host, where CUDA compiles them without multiply-add. */
#ifndef SHEPARD_CORE_SPHERE_TANGENT_H
#define SHEPARD_CORE_SPHERE_TANGENT_H

#include "base/host_device.h"
#include "core/sphere_arc.h"
#include "kernel/place.h"

#include <math.h>

/* What products of coordinates and directions round off, of the radius. */
#define SHEPARD_SPHERE_SNAP 0x1p-50

/* Sets the directions of a place: where it is at a pole those of the meridian 0 (Eq. 99). */
SHEPARD_HOST_DEVICE void shepard_sphere_orient(double diameter, struct shepard_place *place)
{
    const double radius = diameter / 2;
    const double across = sqrt(place->x * place->x + place->y * place->y);
    const double sine = across > 0 ? place->y / across : 0;
    const double cosine = across > 0 ? place->x / across : 1;
    const double height = place->z / radius, width = across / radius;
    place->east[0] = -sine;
    place->east[1] = cosine;
    place->east[2] = 0;
    place->north[0] = -height * cosine;
    place->north[1] = -height * sine;
    place->north[2] = width;
    place->snap = SHEPARD_SPHERE_SNAP * radius;
}

/* The offset of a point from a place that has directions, on the plane that touches the sphere
 * there: of the arc's length and its bearing (Eq. 99a). */
SHEPARD_HOST_DEVICE void shepard_sphere_offset(double diameter, const struct shepard_place *place,
                                               const double at[3], double *east, double *north)
{
    const double from[3] = {place->x, place->y, place->z};
    double chord2 = 0, opposite2 = 0;
    *east = *north = 0;
    for (int k = 0; k < 3; k++) {
        const double difference = at[k] - from[k], sum = at[k] + from[k];
        chord2 += difference * difference;
        opposite2 += sum * sum;
        *east += place->east[k] * difference;
        *north += place->north[k] * difference;
    }
    const double length = sqrt(*east * *east + *north * *north);
    const double arc = sqrt(shepard_sphere_arc2(chord2, opposite2, diameter));
    /* Every bearing leads to the opposite point. */
    *east = length > 0 ? *east / length * arc : 0;
    *north = length > 0 ? *north / length * arc : arc;
}

#endif
