/* SPDX-License-Identifier: MIT */
/* A target in space, and the directions that its sectors go by. */
#ifndef SHEPARD_KERNEL_PLACE_H
#define SHEPARD_KERNEL_PLACE_H

#include "base/host_device.h"

#include <math.h>

struct shepard_place {
    double x, y, z;
    double east[3], north[3]; /* of length 1; used where there are sectors */
    double snap;              /* offsets up to this count as 0: they are rounding */
};

/* Makes the directions those of x and y. */
SHEPARD_HOST_DEVICE void shepard_place_orient(struct shepard_place *place)
{
    for (int k = 0; k < 3; k++) {
        place->east[k] = k == 0;
        place->north[k] = k == 1;
    }
    place->snap = 0;
}

/* How far a point is along one of the directions. */
SHEPARD_HOST_DEVICE double shepard_place_along(const struct shepard_place *place,
                                               const double direction[3], double x, double y,
                                               double z)
{
    const double offset = direction[0] * (x - place->x) + direction[1] * (y - place->y) +
                          direction[2] * (z - place->z);
    return fabs(offset) <= place->snap ? 0 : offset;
}

#endif
