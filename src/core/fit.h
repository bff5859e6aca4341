/* SPDX-License-Identifier: MIT */
/* From weighted sums to a prediction: the weighted mean, or the plane of degree 1 (Eq. 10 to 12
 * of docs/math.md). */
#ifndef SHEPARD_CORE_FIT_H
#define SHEPARD_CORE_FIT_H

#include "kernel/axes.h"

#include <stdbool.h>

/* Weighted means of offsets about the target, and their centred second moments over the sum of w; x
 * and y are those of the data or any other two axes at a right angle. */
struct shepard_spread {
    double x, y;
    double xx, xy, yy;
};

/* The axes (Eq. 12a) of points whose spread about (x, y) is known roughly. */
struct shepard_axes shepard_fit_axes(double x, double y, const struct shepard_spread *rough);

/* The normal equations, eliminated from the larger diagonal element: for centred moments (first,
 * second) of a column, first along the axis of the pivot, slope of the second = (second - factor
 * first) / rest, slope of the first  = first / pivot - factor slope of the second. An explicit
 * inverse loses five digits on a line of points with a small ridge. */
struct shepard_slopes {
    bool y_first;
    double pivot, factor,
        rest; /* pivot 0: no slope at all; rest 0: none across the main direction */
};

/* Eliminates with ridge * h2 added to the diagonal. Where the equations are singular to working
 * precision the slope across their main direction is 0. */
struct shepard_slopes shepard_fit_slopes(const struct shepard_spread *spread, double ridge_h2);

/* The plane's value at the target, for a column with mean z and centred moments xz, yz. */
double shepard_fit_value(const struct shepard_spread *spread, const struct shepard_slopes *slopes,
                         double z, double xz, double yz);

/* x' (S + ridge)^-1 x', x' the mean place as seen from the target: how much farther from it than
 * from the mean a relative error of the weights shows (Eq. 36). INFINITY where the equations are
 * near singular. */
double shepard_fit_leverage(const struct shepard_spread *spread,
                            const struct shepard_slopes *slopes);

/* The median of a [n >= 1], which is reordered. */
double shepard_fit_median(double *a, long n);

#endif
