/* SPDX-License-Identifier: MIT */
/* From weighted sums to a prediction: the weighted mean, or the plane of degree 1 (docs/math.md,
 * section Degree 1). */
#ifndef SHEPARD_CORE_FIT_H
#define SHEPARD_CORE_FIT_H

/* Weighted means of offsets about the target, and their centred second moments over the sum of w.
 */
struct shepard_spread {
    double x, y;
    double xx, xy, yy;
};

/* The linear map from centred moments of a column to its slopes: (b, c) = map (xz, yz). */
struct shepard_slopes {
    double xx, xy, yy;
};

/* Solves the normal equations with ridge * h2 added to the diagonal. Where they are singular to
 * working precision the slope across their main direction is 0. */
struct shepard_slopes shepard_fit_slopes(const struct shepard_spread *spread, double ridge_h2);

/* The plane's value at the target, for a column with mean z and centred moments xz, yz. */
double shepard_fit_value(const struct shepard_spread *spread, const struct shepard_slopes *slopes,
                         double z, double xz, double yz);

/* The median of a [n >= 1], which is reordered. */
double shepard_fit_median(double *a, long n);

#endif
