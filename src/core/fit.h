/* SPDX-License-Identifier: MIT */
/* From weighted sums to a prediction: the weighted mean, or the plane of degree 1 (Eq. 10 to 12c
 * of docs/math.md). */
#ifndef SHEPARD_CORE_FIT_H
#define SHEPARD_CORE_FIT_H

#include "base/host_device.h"
#include "kernel/axes.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Weighted means of offsets about the target, and their centred second moments over the sum of w; x
 * and y are those of the data or any other two axes at a right angle. */
struct shepard_spread {
    double x, y;
    double xx, xy, yy;
};

/* The normal equations, eliminated from the larger diagonal element: for centred moments (first,
 * second) of a column, first along the axis of the pivot, slope of the second = (second - factor
 * first) / rest, slope of the first  = first / pivot - factor slope of the second. An explicit
 * inverse loses five digits on a line of points with a small ridge. */
struct shepard_slopes {
    bool y_first;
    double pivot, factor,
        rest;    /* pivot 0: no slope at all; rest 0: none across the main direction */
    double kept; /* part of the plane's rise that a prediction keeps (Eq. 12b) */
};

/* The slope of the longer axis of the ellipse of second moments, where xx >= yy. Moments that
 * consist of rounding errors may not belong to any ellipse. */
SHEPARD_HOST_DEVICE double shepard_fit_main_slope(double xx, double xy, double yy)
{
    const double trace = xx + yy, difference = (xx - yy) / trace, twice = 2 * xy / trace;
    const double slope = twice / (difference + sqrt(difference * difference + twice * twice));
    return fabs(slope) <= 1 ? (double)(float)slope : 0;
}

/* The plane from moments about the target, where these determine it well (Eq. 12c). */
struct shepard_direct {
    bool good;          /* else the members below are undefined */
    double x, y;        /* the mean place as seen from the target */
    double u, v, whole; /* the rise is -(u xz + v yz) / whole */
};

SHEPARD_HOST_DEVICE struct shepard_direct shepard_fit_direct(const struct shepard_spread *about,
                                                             double ridge_h2, double damping)
{
    const double x = about->x, y = about->y, xy = about->xy;
    const double xx = about->xx + ridge_h2, yy = about->yy + ridge_h2;
    const double trace = xx + yy + (x * x + y * y), determinant = xx * yy - xy * xy;
    const double u = yy * x - xy * y, v = xx * y - xy * x;
    const struct shepard_direct direct = {determinant > SHEPARD_FIT_GOOD * (trace * trace) &&
                                              determinant >= SHEPARD_FIT_NORMAL,
                                          x,
                                          y,
                                          u,
                                          v,
                                          determinant + damping * (x * u + y * v)};
    return direct;
}

/* The axes (Eq. 12a) of points whose spread about (x, y) is known roughly. */
SHEPARD_HOST_DEVICE struct shepard_axes shepard_fit_axes(double x, double y,
                                                         const struct shepard_spread *rough)
{
    struct shepard_axes axes = {x + rough->x, y + rough->y, 1, 1};
    if (rough->xx >= rough->yy)
        axes.main_y = shepard_fit_main_slope(rough->xx, rough->xy, rough->yy);
    else
        axes.main_x = shepard_fit_main_slope(rough->yy, rough->xy, rough->xx);
    return axes;
}

/* Eliminates with ridge * h2 added to the diagonal. Where the equations are singular to working
 * precision the slope across their main direction is 0. The whole rise is kept. */
SHEPARD_HOST_DEVICE struct shepard_slopes shepard_fit_slopes(const struct shepard_spread *spread,
                                                             double ridge_h2)
{
    const double xx = spread->xx + ridge_h2, yy = spread->yy + ridge_h2, trace = xx + yy;
    const struct shepard_slopes none = {false, 0, 0, 0, 1};
    if (!(trace >= DBL_MIN && trace <= DBL_MAX))
        return none;
    const bool y_first = yy > xx;
    const double pivot = y_first ? yy : xx, other = y_first ? xx : yy;
    const double factor = spread->xy / pivot, rest = other - factor * spread->xy;
    /* The determinant is pivot * rest; divided by the trace first, tiny moments do not vanish. */
    const bool singular = !(pivot / trace * (rest / trace) > SHEPARD_FIT_SINGULAR);
    const struct shepard_slopes slopes = {y_first, pivot, factor, singular ? 0 : rest, 1};
    return slopes;
}

/* Slopes along the axes of the pivot and the other. */
SHEPARD_HOST_DEVICE void shepard_fit_solve(const struct shepard_slopes *slopes, double first,
                                           double second, double *along, double *across)
{
    const double factor = slopes->factor;
    *along = *across = 0;
    if (slopes->pivot == 0)
        return;
    if (slopes->rest == 0) {
        /* The eigenvector (1, factor) of the one eigenvalue, the trace pivot (1 + factor^2). */
        const double length2 = 1 + factor * factor;
        *along = (first + factor * second) / (slopes->pivot * length2 * length2);
        *across = factor * *along;
        return;
    }
    *across = (second - factor * first) / slopes->rest;
    *along = first / slopes->pivot - factor * *across;
}

/* What the plane rises from the mean place to the target, as far as it is kept, for a column with
 * centred moments xz, yz. */
SHEPARD_HOST_DEVICE double shepard_fit_rise(const struct shepard_spread *spread,
                                            const struct shepard_slopes *slopes, double xz,
                                            double yz)
{
    double b, c;
    if (slopes->y_first)
        shepard_fit_solve(slopes, yz, xz, &c, &b);
    else
        shepard_fit_solve(slopes, xz, yz, &b, &c);
    return -slopes->kept * (b * spread->x + c * spread->y);
}

/* The leverage x' (S + ridge)^-1 x', x' the mean place as seen from the target: the square of its
 * distance in units of the spread. A sum of squares: never below 0. */
SHEPARD_HOST_DEVICE double shepard_fit_leverage(const struct shepard_spread *spread,
                                                const struct shepard_slopes *slopes)
{
    const double first = slopes->y_first ? spread->y : spread->x;
    const double second = slopes->y_first ? spread->x : spread->y;
    const double factor = slopes->factor;
    if (slopes->pivot == 0)
        return 0;
    if (slopes->rest == 0) {
        const double along = (first + factor * second) / (1 + factor * factor);
        return along * along / slopes->pivot;
    }
    const double across = second - factor * first;
    return first * first / slopes->pivot + across * across / slopes->rest;
}

/* Keeps the part 1 / (1 + damping L) of the rise, once the mean place is that from the target. */
SHEPARD_HOST_DEVICE void shepard_fit_damp(const struct shepard_spread *spread, double damping,
                                          struct shepard_slopes *slopes)
{
    if (damping > 0)
        slopes->kept = 1 / (1 + damping * shepard_fit_leverage(spread, slopes));
}

/* Below this fraction of the pivot, the other diagonal element is affected by rounding. */
#define SHEPARD_FIT_NEARLY_SINGULAR 1e-8
/* From this damping on the factor of Eq. 36b is bounded by that of all leverages. */
#define SHEPARD_FIT_DAMPING_BOUNDED 1

/* Twice the error of a prediction in value ranges over the relative error of the weights
 * (Eq. 36b). INFINITY where the equations are near singular. */
SHEPARD_HOST_DEVICE double shepard_fit_magnification(const struct shepard_spread *spread,
                                                     const struct shepard_slopes *slopes,
                                                     double damping)
{
    if (!(slopes->rest > SHEPARD_FIT_NEARLY_SINGULAR * slopes->pivot))
        return INFINITY;
    if (damping > SHEPARD_FIT_DAMPING_BOUNDED)
        return 3;
    const double leverage = shepard_fit_leverage(spread, slopes), kept = slopes->kept;
    return 1 - kept + kept * sqrt(1 + leverage) + 2 * kept * (1 - kept) * (1 + sqrt(leverage));
}

/* The square of the median of distances, from their squares d2 [n >= 1]. room [n]: overwritten
 * where these do not rise, which takes longer. */
double shepard_fit_median2(const double *d2, long n, double *room);

#endif
