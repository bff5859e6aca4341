/* SPDX-License-Identifier: MIT */
/* Order statistics. */
#ifndef SHEPARD_CORE_SELECTION_H
#define SHEPARD_CORE_SELECTION_H

/* Puts a[k], 0 <= k < n, in its sorted place, smaller numbers before it, larger ones after it. No
 * NaN. O(n) on average. */
void shepard_select(double *a, long n, long k);

/* The quantile for a part of 1, interpolated between order statistics (Hyndman and Fan's type 7),
 * n >= 1. Reorders a. */
double shepard_select_quantile(double *a, long n, double part);

#endif
