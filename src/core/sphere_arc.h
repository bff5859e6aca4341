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

/* The same for sums over many pairs, which divide by the squared arc once: numerator over
 * denominator (Eq. 98a). Rational functions of the least relative error, 1.5e-15 with these
 * coefficients; a root in place of the arcsine, and that for far points alone. */
struct shepard_arc_quotient {
    double over, under;
};

/* Up to this squared sine the arc is near, an eighth of a turn. */
#define SHEPARD_SPHERE_NEAR_MAX 0.5

/* curvature: 1 over the squared diameter. */
SHEPARD_HOST_DEVICE struct shepard_arc_quotient shepard_sphere_near_arc2(double chord2,
                                                                         double curvature)
{
    const double u = chord2 * curvature;
    const double over =
        0.9999999999999999 +
        u * (-2.664703964664082 +
             u * (2.565393608723919 +
                  u * (-1.0603501045996564 +
                       u * (0.16706721977509192 +
                            u * (-0.004521444756692724 + u * -0.00011684965884707052)))));
    const double under =
        1 +
        u * (-2.9980372979974628 +
             u * (3.3869615969486913 +
                  u * (-1.7706386094308615 + u * (0.4165165776248576 + u * -0.03357948978758636))));
    const struct shepard_arc_quotient arc2 = {chord2 * over, under};
    return arc2;
}

/* Of the squared distance from the opposite point. */
SHEPARD_HOST_DEVICE struct shepard_arc_quotient shepard_sphere_far_arc2(double opposite2,
                                                                        double curvature)
{
    const double c = sqrt(opposite2 * curvature);
    const double over =
        2.4674011002723395 +
        c * (2.622766539708116 +
             c * (-1.553889765356465 +
                  c * (-2.589754723515213 +
                       c * (-0.8665634802986006 +
                            c * (-0.07925674665726182 + c * -0.0007029241947451529)))));
    const double under =
        1 +
        c * (2.3362067856181206 +
             c * (1.939498328457448 +
                  c * (0.6852355567475406 + c * (0.0958785596702032 + c * 0.0036969496860320685))));
    const struct shepard_arc_quotient arc2 = {over, under * curvature};
    return arc2;
}

#endif
