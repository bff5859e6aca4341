/* SPDX-License-Identifier: MIT */
/* The part of universal kriging that is the plane's: two equations (Eq. 59 of docs/math.md). */
#ifndef SHEPARD_KERNEL_DRIFT_H
#define SHEPARD_KERNEL_DRIFT_H

#include <math.h>

/* The symmetric matrix F' M^-1 F of both slopes. */
struct shepard_drift {
    long double xx, xy, yy;
};

/* Points nearly on a line do not tell the slope across it: it is 0 where the eigenvalue across is
 * below this part of the other. */
#define SHEPARD_DRIFT_SINGULAR 1e-12L

/* beta = A^+ q: by the eigenvectors (c, s) and (-s, c) of A. Returns the lesser eigenvalue over the
 * greater. */
static inline long double shepard_drift_solve(const struct shepard_drift *a, const long double q[2],
                                              long double beta[2])
{
    const long double difference = a->xx - a->yy, twice = 2 * a->xy;
    const long double root = sqrtl(difference * difference + twice * twice);
    const long double greater = (a->xx + a->yy + root) / 2;
    beta[0] = beta[1] = 0;
    if (!(greater > 0))
        return 0;
    const long double lesser = (a->xx * a->yy - a->xy * a->xy) / greater;
    /* Half of the angle whose tangent is twice / difference. */
    const long double c = sqrtl((1 + (root > 0 ? difference / root : 1)) / 2);
    const long double size = sqrtl((1 - (root > 0 ? difference / root : 1)) / 2);
    const long double s = twice < 0 ? -size : size;
    const long double along = (c * q[0] + s * q[1]) / greater;
    const long double across =
        lesser > SHEPARD_DRIFT_SINGULAR * greater ? (c * q[1] - s * q[0]) / lesser : 0;
    beta[0] = c * along - s * across;
    beta[1] = s * along + c * across;
    return lesser / greater;
}

#endif
