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

/* ---- directions ------------------------------------------------------------------------------ */

/* What products of coordinates and directions round off, of the radius. */
#define SNAP 0x1p-50

void shepard_sphere_orient(const struct shepard_frame *frame, struct shepard_place *place)
{
    const double radius = frame->space.radius * frame->scale;
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
    place->snap = SNAP * radius;
}

void shepard_sphere_offset(const struct shepard_frame *frame, const struct shepard_place *place,
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
    const double arc = sqrt(shepard_sphere_arc2(chord2, opposite2, shepard_frame_diameter(frame)));
    /* Every bearing leads to the opposite point. */
    *east = length > 0 ? *east / length * arc : 0;
    *north = length > 0 ? *north / length * arc : arc;
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
