/* SPDX-License-Identifier: MIT */
#include "core/least_squares.h"

#include <math.h>

static double product(size_t rows, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < rows; i++)
        sum += a[i] * b[i];
    return sum;
}

double shepard_least_squares_norm(size_t rows, const double *column)
{
    return sqrt(product(rows, column, column));
}

/* Takes from y its part along the first `columns` of Q, and adds that to the coefficients. */
static void project(const struct shepard_least_squares *system, size_t columns, double *y,
                    double *coefficients, size_t stride)
{
    for (size_t k = 0; k < columns; k++) {
        const double *q = system->column[k];
        const double part = product(system->rows, q, y);
        coefficients[k * stride] += part;
        for (size_t i = 0; i < system->rows; i++)
            y[i] -= part * q[i];
    }
}

size_t shepard_least_squares_factor(const struct shepard_least_squares *system, const double *least)
{
    const size_t p = system->columns;
    for (size_t i = 0; i < p * p; i++)
        system->triangle[i] = 0;
    for (size_t j = 0; j < p; j++) {
        double *column = system->column[j];
        for (int pass = 0; pass < 2; pass++)
            project(system, j, column, system->triangle + j, p);
        const double norm = shepard_least_squares_norm(system->rows, column);
        if (!(norm > least[j]))
            return j;
        system->triangle[j * p + j] = norm;
        for (size_t i = 0; i < system->rows; i++)
            column[i] /= norm;
    }
    return p;
}

void shepard_least_squares_solve(const struct shepard_least_squares *system, double *y,
                                 double *coefficients)
{
    const size_t p = system->columns;
    for (size_t j = 0; j < p; j++)
        coefficients[j] = 0;
    for (int pass = 0; pass < 2; pass++)
        project(system, p, y, coefficients, 1);
    for (size_t j = p; j-- > 0;) {
        for (size_t k = j + 1; k < p; k++)
            coefficients[j] -= system->triangle[j * p + k] * coefficients[k];
        coefficients[j] /= system->triangle[j * p + j];
    }
}

void shepard_least_squares_spreads(const struct shepard_least_squares *system, double *spreads)
{
    const size_t p = system->columns;
    const double *r = system->triangle;
    for (size_t j = 0; j < p; j++) {
        /* Row j of R^-1, x, solves x R = e_j; it is written over the spreads from j on. */
        double squares = 0;
        for (size_t k = j; k < p; k++) {
            double x = k == j ? 1 : 0;
            for (size_t l = j; l < k; l++)
                x -= spreads[l] * r[l * p + k];
            spreads[k] = x / r[k * p + k];
            squares += spreads[k] * spreads[k];
        }
        spreads[j] = sqrt(squares);
    }
}
