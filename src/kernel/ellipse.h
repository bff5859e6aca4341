/* SPDX-License-Identifier: MIT */
/* The ellipse of a neighbourhood, round a target (Eq. 13 of docs/math.md). */
#ifndef SHEPARD_KERNEL_ELLIPSE_H
#define SHEPARD_KERNEL_ELLIPSE_H

#include <math.h>
#include <stdbool.h>

/* Frame units; radius1 = radius2: a circle, tested by radius1^2. With offsets u along the angle of
 * radius1 and v across it, a point is inside any other where along u^2 + across v^2 <= limit. */
struct shepard_ellipse {
    double radius1, radius2;
    double cosine, sine; /* of the angle of radius1 */
    double along, across, limit;
};

/* Eq. 13 times both squared radii, each radius taken without its power of two: as exact as with it,
 * and no product of small radii vanishes. */
static inline struct shepard_ellipse shepard_ellipse_of(double radius1, double radius2,
                                                        double cosine, double sine)
{
    int exponent1, exponent2;
    const double a = frexp(radius1, &exponent1), b = frexp(radius2, &exponent2);
    const double a2 = a * a, b2 = b * b;
    const struct shepard_ellipse ellipse = {
        radius1, radius2, cosine, sine, ldexp(b2, -2 * exponent1), ldexp(a2, -2 * exponent2),
        a2 * b2};
    return ellipse;
}

/* Whether a point at the offset (dx, dy) from the target is inside, the edge included. */
static inline bool shepard_ellipse_holds(const struct shepard_ellipse *ellipse, double dx,
                                         double dy)
{
    if (ellipse->radius1 == ellipse->radius2)
        return dx * dx + dy * dy <= ellipse->radius1 * ellipse->radius1;
    const double u = dx * ellipse->cosine + dy * ellipse->sine;
    const double v = dy * ellipse->cosine - dx * ellipse->sine;
    return ellipse->along * (u * u) + ellipse->across * (v * v) <= ellipse->limit;
}

#endif
