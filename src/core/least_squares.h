/* SPDX-License-Identifier: MIT */
/* Linear least squares: the factors Q R of a matrix, by modified Gram and Schmidt with a second
 * pass, which leaves Q orthonormal to rounding (Bjorck 1994). */
#ifndef SHEPARD_CORE_LEAST_SQUARES_H
#define SHEPARD_CORE_LEAST_SQUARES_H

#include <stddef.h>

/* Of a column's own size: less than this at right angles to those before it counts as nothing
 * (Eq. 73). Far above rounding, far below what could be told from it. */
#define SHEPARD_LEAST_LEFT 1e-9

struct shepard_least_squares {
    size_t rows, columns;
    double *const *column; /* [columns] arrays [rows]: the matrix, of moderate size; then Q */
    double *triangle;      /* [columns, columns] R, from the factorization on */
};

double shepard_least_squares_norm(size_t rows, const double *column);

/* Factors the matrix. Returns the first column of which not more than its least[] is left at right
 * angles to those before it, and stops there; `columns` if there is none. */
size_t shepard_least_squares_factor(const struct shepard_least_squares *system,
                                    const double *least);

/* The coefficients that leave the least of y, which becomes what is left. */
void shepard_least_squares_solve(const struct shepard_least_squares *system, double *y,
                                 double *coefficients);

/* Roots of the diagonal of (A'A)^-1: standard errors for residuals of variance 1. */
void shepard_least_squares_spreads(const struct shepard_least_squares *system, double *spreads);

#endif
