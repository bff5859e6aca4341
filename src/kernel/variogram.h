/* SPDX-License-Identifier: MIT */
/* What kriging knows of values: semivariances over the sill (Eq. 52 to 54 of docs/math.md). */
#ifndef SHEPARD_KERNEL_VARIOGRAM_H
#define SHEPARD_KERNEL_VARIOGRAM_H

#include "shepard/shepard.h"

/* In units of psill + nugget, which is the sill where there is one. */
struct shepard_variogram {
    enum shepard_covariance covariance;
    double structure; /* psill */
    double nugget;
    double unit; /* h / a = unit times a distance in frame units */
    double p;
    bool simple;    /* the mean is known */
    bool universal; /* the mean is a plane */
};

#endif
