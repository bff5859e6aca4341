/* SPDX-License-Identifier: MIT */
/* Interpolation of weights that are smooth over a rectangle, at the Chebyshev nodes of its sides,
 * with a proven error bound (docs/math.md, Eq. 40 to 46). */
#ifndef SHEPARD_CORE_CHEBYSHEV_H
#define SHEPARD_CORE_CHEBYSHEV_H

/* Nodes of a side, at most. */
#define SHEPARD_CHEBYSHEV_MAX 8

/* The nodes of a side. */
void shepard_chebyshev_nodes(int size, double low, double high, double *node);

/* Lagrange's polynomials of the nodes at x, which is exact at nodes that are rounded. */
void shepard_chebyshev_weights(int size, const double *node, double x, double *weight);

/* How many times as large as the largest of the values at the nodes an interpolant can be. */
double shepard_chebyshev_lebesgue(int size);

/* Interpolation over a rectangle at size x size nodes of the weight of a point whose R (distance
 * from the middle, with smoothing) is ratio times the longer half-side: a bound of the error
 * relative to the weight, anywhere in the rectangle. INFINITY if no bound holds. */
double shepard_chebyshev_error(int size, double power, double ratio);

/* The least ratio from which on the error is at most this much; INFINITY where it is very large. */
double shepard_chebyshev_ratio(int size, double power, double error);

/* The factor by which interpolation magnifies relative errors at the nodes of a sum of weights from
 * that ratio on (Eq. 45). */
double shepard_chebyshev_magnification(int size, double power, double ratio);

#endif
