/* SPDX-License-Identifier: MIT */
#include "core/space.h"

#include "base/arithmetic.h"
#include "core/range.h"
#include "core/sphere.h"

#include <math.h>

static bool is_sphere(const struct shepard_frame *frame)
{
    return frame->space.metric == SHEPARD_METRIC_SPHERE;
}

void shepard_space_place(const struct shepard_frame *frame, double *x, double *y, double *z)
{
    if (is_sphere(frame)) {
        shepard_sphere_place(frame, x, y, z);
        return;
    }
    shepard_frame_place(frame, x, y);
    *z = shepard_frame_seen(*z * frame->scale * frame->space.vertical);
}

bool shepard_space_target(const struct shepard_frame *frame, double *x, double *y, double *z)
{
    if (is_sphere(frame)) {
        if (!shepard_sphere_holds(*x, *y))
            return false;
        shepard_sphere_place(frame, x, y, z);
        return true;
    }
    if (!isfinite(*x) || !isfinite(*y) || !isfinite(*z))
        return false;
    shepard_frame_target(frame, x, y);
    *z = shepard_clamp(shepard_frame_seen(*z * frame->scale * frame->space.vertical),
                       frame->z_min - SHEPARD_FRAME_AWAY, frame->z_max + SHEPARD_FRAME_AWAY);
    return true;
}

void shepard_space_flatten(const struct shepard_frame *frame, double x, double y, double z,
                           double *across, double *up)
{
    *across = x;
    *up = y;
    if (is_sphere(frame))
        shepard_sphere_degrees(x, y, z, across, up);
}

double shepard_space_distance2(const struct shepard_frame *frame, double d2,
                               const struct shepard_place *place, double x, double y, double z)
{
    const double a = x + place->x, b = y + place->y, c = z + place->z;
    return is_sphere(frame)
               ? shepard_sphere_arc2(d2, a * a + b * b + c * c, shepard_frame_diameter(frame))
               : d2;
}

void shepard_space_orient(const struct shepard_frame *frame, struct shepard_place *place)
{
    if (is_sphere(frame))
        shepard_sphere_orient(shepard_frame_diameter(frame), place);
    else
        shepard_place_orient(place);
}

double shepard_space_extent(const struct shepard_frame *frame, const double *x, const double *y,
                            const double *z, size_t n)
{
    if (is_sphere(frame))
        return shepard_sphere_area(frame, x, y, z, n);
    const struct shepard_range of_x = shepard_range_of(x, n, 1);
    const struct shepard_range of_y = shepard_range_of(y, n, 1);
    const struct shepard_range of_z = shepard_range_of(z, n, 1);
    return (of_x.high - of_x.low) / frame->scale * ((of_y.high - of_y.low) / frame->scale) *
           ((of_z.high - of_z.low) / frame->scale) * frame->stretch.ratio;
}
