/* SPDX-License-Identifier: MIT */
/* A target in space, and the directions that its sectors go by. */
#ifndef SHEPARD_KERNEL_PLACE_H
#define SHEPARD_KERNEL_PLACE_H

#include <math.h>

struct shepard_place {
    double x, y, z;
    double east[3], north[3]; /* of length 1; used where there are sectors */
    double snap;              /* offsets up to this count as 0: they are rounding */
};

/* How far a point is along one of the directions. */
static inline double shepard_place_along(const struct shepard_place *place,
                                         const double direction[3], double x, double y, double z)
{
    const double offset = direction[0] * (x - place->x) + direction[1] * (y - place->y) +
                          direction[2] * (z - place->z);
    return fabs(offset) <= place->snap ? 0 : offset;
}

#endif
