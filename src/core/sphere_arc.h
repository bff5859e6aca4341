/* SPDX-License-Identifier: MIT */
/* Arcs over chords (Eq. 98). */
#ifndef SHEPARD_CORE_SPHERE_ARC_H
#define SHEPARD_CORE_SPHERE_ARC_H

#include "base/host_device.h"

#include <math.h>

/* Up to this squared sine the series is as exact as the function, and faster: 400 km. */
#define SHEPARD_SPHERE_SERIES_MAX 1e-3

/* The squared arc over a squared chord, frame units. opposite2: the squared distance of one end
 * from the point opposite the other. */
SHEPARD_HOST_DEVICE double shepard_sphere_arc2(double chord2, double opposite2, double diameter)
{
    const double u = chord2 / (diameter * diameter);
    if (u <= SHEPARD_SPHERE_SERIES_MAX)
        return chord2 * (1 + u * (1.0 / 3 + u * (8.0 / 45 + u * (4.0 / 35 + u * (128.0 / 1575)))));
    const double rest = sqrt(opposite2) / diameter;
    const double angle =
        u <= 0.5 ? asin(sqrt(u)) : 3.14159265358979323846 / 2 - asin(rest < 1 ? rest : 1);
    const double arc = diameter * angle;
    return arc * arc;
}

#endif
