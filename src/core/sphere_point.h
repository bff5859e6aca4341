/* SPDX-License-Identifier: MIT */
/* Degrees turned into points of space (Eq. 96). Products and sums alone, which round the same on
 * every processor: a place has the same bits on a GPU as on the host, and whatever the library of
 * mathematics is. CUDA compiles it without multiply-add. */
#ifndef SHEPARD_CORE_SPHERE_POINT_H
#define SHEPARD_CORE_SPHERE_POINT_H

#include "base/host_device.h"
#include "core/frame.h"

#include <math.h>

/* Whether degrees are a place. */
SHEPARD_HOST_DEVICE bool shepard_sphere_holds(double longitude, double latitude)
{
    return isfinite(longitude) && fabs(latitude) <= 90;
}

/* A finite longitude in (-180, 180]. */
SHEPARD_HOST_DEVICE double shepard_sphere_wrap(double longitude)
{
    if (longitude > -180 && longitude <= 180)
        return longitude;
    const double turn = fmod(longitude, 360.0);
    if (turn > 180)
        return turn - 360;
    return turn <= -180 ? turn + 360 : turn;
}

/* Taylor's series up to pi / 4: what is left out is below 2^-62 of the function. */
SHEPARD_HOST_DEVICE double shepard_sphere_sine(double a)
{
    const double u = a * a;
    const double rest =
        -1.0 / 6 +
        u * (1.0 / 120 + u * (-1.0 / 5040 +
                              u * (1.0 / 362880 + u * (-1.0 / 39916800 +
                                                       u * (1.0 / 6227020800 +
                                                            u * (-1.0 / 1307674368000 +
                                                                 u * (1.0 / 355687428096000)))))));
    return a + a * (u * rest);
}

SHEPARD_HOST_DEVICE double shepard_sphere_cosine(double a)
{
    const double u = a * a, half = u / 2, near = 1 - half;
    const double rest =
        1.0 / 24 +
        u * (-1.0 / 720 +
             u * (1.0 / 40320 +
                  u * (-1.0 / 3628800 + u * (1.0 / 479001600 + u * (-1.0 / 87178291200 +
                                                                    u * (1.0 / 20922789888000))))));
    /* What `near` has lost to rounding comes back. */
    return near + ((1 - near - half) + u * u * rest);
}

/* Sine and cosine of degrees within a turn: those of quarters are exact, and mirrored angles have
 * mirrored bits. */
SHEPARD_HOST_DEVICE void shepard_sphere_direction(double degrees, double *sine, double *cosine)
{
    const int quarters = (int)rint(degrees / 90);
    const double rest = (degrees - 90 * quarters) * (3.14159265358979323846 / 180);
    const double s = shepard_sphere_sine(rest), c = shepard_sphere_cosine(rest);
    *sine = quarters & 1 ? c : s;
    *cosine = quarters & 1 ? s : c;
    if (quarters & 2)
        *sine = -*sine;
    if ((quarters + 1) & 2)
        *cosine = -*cosine;
}

/* Turns the longitude *x and latitude *y into the point (*x, *y, *z), frame units (Eq. 96). The
 * same place gives the same bits, whatever its longitude is called. */
SHEPARD_HOST_DEVICE void shepard_sphere_place(const struct shepard_frame *frame, double *x,
                                              double *y, double *z)
{
    const double radius = frame->space.radius * frame->scale;
    double sine, cosine, height, across;
    shepard_sphere_direction(*y, &height, &across);
    shepard_sphere_direction(shepard_sphere_wrap(*x), &sine, &cosine);
    if (fabs(*y) == 90) {
        sine = 0;
        cosine = 1;
    }
    /* 0 without a sign: places are compared. */
    *x = radius * across * cosine + 0;
    *y = radius * across * sine + 0;
    *z = radius * height + 0;
}

#endif
