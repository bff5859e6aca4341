/* SPDX-License-Identifier: MIT */
/* How exact the weights of planes over all points are (docs/math/far-field.md, Planes). A plane
 * magnifies their errors by a factor that is known only afterwards, so a few tolerances are tried,
 * one after the other, before exact sums. C and CUDA share the code. */
#ifndef SHEPARD_CORE_PLANE_LEVELS_H
#define SHEPARD_CORE_PLANE_LEVELS_H

#include "core/fit.h"
#include "core/frame.h"

#include <stdbool.h>

/* The last is followed by exact sums. */
#define SHEPARD_PLANE_LEVELS 3

/* Below this eps sums are exact. */
#define SHEPARD_PLANE_EPS_MIN 1e-9
/* Moments of a node are off by a part of its charge and squared radius, and those of its points
 * about their mean may be as much smaller as the least weight is: below this part of it, too. */
#define SHEPARD_PLANE_EPS_WEIGHT 1e-13

/* What the bound leaves for the change of leverage itself and for rounding. */
#define SHEPARD_PLANE_MARGIN 0.8

/* What the rounding of expansions comes to before a plane magnifies it, for the pivot over the
 * rest; and of their moments, for the squared radius of a node over the rest: 32 units of the last
 * place. */
#define SHEPARD_PLANE_ROUNDING 2e-13
#define SHEPARD_PLANE_MOMENTS 0x1p-48

/* Whether any level is of use. least_weight: of a point, over the largest. */
SHEPARD_HOST_DEVICE bool shepard_plane_bears(double eps, double least_weight)
{
    return eps >= SHEPARD_PLANE_EPS_MIN && eps * least_weight >= SHEPARD_PLANE_EPS_WEIGHT;
}

/* The relative error of each weight: enough where the magnification is at most 1.8, 4 (more than
 * the default damping has), and 1600. */
SHEPARD_HOST_DEVICE double shepard_plane_tolerance(double eps, int level)
{
    return eps * (level == 0 ? 0.85 : level == 1 ? 0.4 : 1. / 1024);
}

/* Of points whose box this is: no node is larger. */
SHEPARD_HOST_DEVICE double shepard_plane_rounding(const struct shepard_box *box,
                                                  const struct shepard_slopes *slopes)
{
    const double x = (box->x_max - box->x_min) / 2, y = (box->y_max - box->y_min) / 2;
    return (SHEPARD_PLANE_ROUNDING * slopes->pivot + SHEPARD_PLANE_MOMENTS * (x * x + y * y)) /
           slopes->rest;
}

/* Whether a plane of this magnification and rounding is within eps of the exact one. */
SHEPARD_HOST_DEVICE bool shepard_plane_is_good(double eps, int level, double magnification,
                                               double rounding)
{
    return (shepard_plane_tolerance(eps, level) / 2 + rounding) * magnification <=
           SHEPARD_PLANE_MARGIN * eps;
}

#endif
