/* SPDX-License-Identifier: MIT */
#include "core/sphere.h"

#include "base/arithmetic.h"

#include <math.h>

#define PI 3.14159265358979323846
#define RADIANS (PI / 180)

/* ---- degrees --------------------------------------------------------------------------------- */

void shepard_sphere_degrees(double x, double y, double z, double *longitude, double *latitude)
{
    *longitude = atan2(y, x) / RADIANS;
    *latitude = atan2(z, sqrt(x * x + y * y)) / RADIANS;
}

/* ---- arcs and chords ------------------------------------------------------------------------- */

double shepard_sphere_chord(const struct shepard_frame *frame, double arc)
{
    const double diameter = shepard_frame_diameter(frame), angle = arc / diameter;
    return angle < PI / 2 ? diameter * sin(angle) : 2 * diameter;
}

/* ---- area ------------------------------------------------------------------------------------ */

/* Parts of a turn: gaps between longitudes that are narrower count as none. */
#define PARTS 512

/* The least and the largest longitude of each part of a turn, degrees; the former infinite: none.
 */
struct parts {
    double low[PARTS], high[PARTS];
};

/* The smallest range of longitudes that holds all: a turn without the widest gap. */
static double width_of(const struct parts *parts)
{
    double first = INFINITY, last = -INFINITY, widest = 0;
    for (size_t i = 0; i < PARTS; i++) {
        if (parts->low[i] == INFINITY)
            continue;
        if (first == INFINITY)
            first = parts->low[i];
        else
            widest = fmax(widest, parts->low[i] - last);
        last = parts->high[i];
    }
    if (first == INFINITY)
        return 0;
    widest = fmax(widest, first + 360 - last);
    return widest < 360.0 / PARTS ? 360 : 360 - widest;
}

double shepard_sphere_area(const struct shepard_frame *frame, const double *x, const double *y,
                           const double *z, size_t n)
{
    const double scaled = frame->space.radius * frame->scale, radius = frame->space.radius;
    struct parts parts;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < PARTS; i++) {
        parts.low[i] = INFINITY;
        parts.high[i] = -INFINITY;
    }
    for (size_t i = 0; i < n; i++) {
        low = z[i] < low ? z[i] : low;
        high = z[i] > high ? z[i] : high;
        if (x[i] == 0 && y[i] == 0)
            continue; /* a pole is at every longitude */
        const double longitude = atan2(y[i], x[i]) / RADIANS;
        const size_t part = shepard_smaller((size_t)((longitude + 180) / 360 * PARTS), PARTS - 1);
        parts.low[part] = longitude < parts.low[part] ? longitude : parts.low[part];
        parts.high[part] = longitude > parts.high[part] ? longitude : parts.high[part];
    }
    return radius * radius * (width_of(&parts) * RADIANS) * ((high - low) / scaled);
}
