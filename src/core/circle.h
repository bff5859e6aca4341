/* SPDX-License-Identifier: MIT */
/* The circle round a node's box. C and CUDA share the code. */
#ifndef SHEPARD_CORE_CIRCLE_H
#define SHEPARD_CORE_CIRCLE_H

#include "base/host_device.h"
#include "core/accuracy.h"

#include <math.h>

struct shepard_circle {
    double x, y;  /* the middle of the box */
    double scale; /* half of the box's diagonal, a little too large; 0 below SHEPARD_SCALE_MIN */
};

/* Below this a radius is 0: its square is, and those of all distances like it. */
#define SHEPARD_SCALE_MIN 0x1p-1000

/* The longer half of an interval: its middle is rounded. */
SHEPARD_HOST_DEVICE double shepard_circle_halve(double low, double high, double *middle)
{
    *middle = low + (high - low) / 2;
    return fmax(high - *middle, *middle - low);
}

/* hypot, a little too large. */
SHEPARD_HOST_DEVICE double shepard_circle_diagonal(double a, double b)
{
    const double longer = fmax(a, b), ratio = longer > 0 ? fmin(a, b) / longer : 0;
    return longer * sqrt(1 + ratio * ratio) * (1 + 0x1p-50);
}

SHEPARD_HOST_DEVICE struct shepard_circle shepard_circle_round(double x_min, double x_max,
                                                               double y_min, double y_max)
{
    struct shepard_circle circle;
    const double half_width = shepard_circle_halve(x_min, x_max, &circle.x);
    const double half_height = shepard_circle_halve(y_min, y_max, &circle.y);
    circle.scale = shepard_circle_diagonal(half_width, half_height);
    circle.scale = circle.scale < SHEPARD_SCALE_MIN ? 0 : circle.scale;
    return circle;
}

/* The least log2 of a mean radius for a radius scale > 0. Bounds allow for a limited ratio of the
 * two only: heavy points near the centre and light ones at the rim would exceed it. */
SHEPARD_HOST_DEVICE float shepard_circle_least_mean_radius(double scale)
{
    return (float)log2(scale / SHEPARD_ACCURACY_RATIO) + 0x1p-14f;
}

#endif
