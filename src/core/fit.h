/* SPDX-License-Identifier: MIT */
/* From weighted sums to a prediction: the weighted mean, or the plane of degree 1 (Eq. 10 to 12
 * of docs/math.md). */
#ifndef SHEPARD_CORE_FIT_H
#define SHEPARD_CORE_FIT_H

#include <stdbool.h>

/* Weighted means of offsets about the target, and their centred second moments over the sum of w.
 */
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
        rest; /* pivot 0: no slope at all; rest 0: none across the main direction */
};

/* Eliminates with ridge * h2 added to the diagonal. Where the equations are singular to working
 * precision the slope across their main direction is 0. */
struct shepard_slopes shepard_fit_slopes(const struct shepard_spread *spread, double ridge_h2);

/* The plane's value at the target, for a column with mean z and centred moments xz, yz. */
double shepard_fit_value(const struct shepard_spread *spread, const struct shepard_slopes *slopes,
                         double z, double xz, double yz);

/* The median of a [n >= 1], which is reordered. */
double shepard_fit_median(double *a, long n);

#endif
