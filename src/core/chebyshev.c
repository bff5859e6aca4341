/* SPDX-License-Identifier: MIT */
#include "core/chebyshev.h"

#include <math.h>

#define PI 3.14159265358979323846
/* Half the diagonal of a square over half its side, rounded up. */
#define CORNER 1.41421356238
/* What rounding of nodes and polynomials may add to an error. */
#define MARGIN 1.001

#define RATIO_MIN 2.5
#define RATIO_MAX 1e4
/* Enough for a ratio to 1 in 10^5 and for a nearly optimal ellipse. The bound holds for any
 * ellipse. */
#define RATIO_STEPS 22
#define ELLIPSE_STEPS 20

void shepard_chebyshev_nodes(int size, double low, double high, double *node)
{
    const double middle = low + (high - low) / 2, half = (high - low) / 2;
    for (int i = 0; i < size; i++)
        node[i] = middle - half * cos(PI * (2 * i + 1) / (2 * size));
}

void shepard_chebyshev_weights(int size, const double *node, double x, double *weight)
{
    for (int i = 0; i < size; i++) {
        double above = 1, below = 1;
        for (int j = 0; j < size; j++)
            if (j != i) {
                above *= x - node[j];
                below *= node[i] - node[j];
            }
        weight[i] = above / below;
    }
}

double shepard_chebyshev_lebesgue(int size)
{
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += 1 / tan(PI * (2 * i + 1) / (4 * size));
    return sum / size;
}

/* log of the bound from the ellipse of parameter rho, the Lebesgue constant apart (Eq. 43). */
static double log_of_bound(int size, double power, double ratio, double rho)
{
    const double clear = ratio - 1 - (rho + 1 / rho) / 2;
    if (!(clear > 0))
        return INFINITY;
    return log(4 / (rho - 1)) - (size - 1) * log(rho) + power * log((ratio + CORNER) / clear);
}

double shepard_chebyshev_error(int size, double power, double ratio)
{
    if (!(ratio >= RATIO_MIN))
        return INFINITY;
    /* The logarithm is convex in rho. */
    double low = 1, high = ratio - 1 + sqrt((ratio - 1) * (ratio - 1) - 1);
    for (int i = 0; i < ELLIPSE_STEPS; i++) {
        const double a = low + 0.4 * (high - low), b = low + 0.6 * (high - low);
        if (log_of_bound(size, power, ratio, a) < log_of_bound(size, power, ratio, b))
            high = b;
        else
            low = a;
    }
    const double best = log_of_bound(size, power, ratio, low + (high - low) / 2);
    return MARGIN * (1 + shepard_chebyshev_lebesgue(size)) * exp(best);
}

double shepard_chebyshev_ratio(int size, double power, double error)
{
    double low = RATIO_MIN, high = RATIO_MAX;
    if (shepard_chebyshev_error(size, power, high) > error)
        return INFINITY;
    for (int i = 0; i < RATIO_STEPS; i++) {
        const double middle = sqrt(low * high);
        if (shepard_chebyshev_error(size, power, middle) <= error)
            high = middle;
        else
            low = middle;
    }
    return high;
}

double shepard_chebyshev_magnification(int size, double power, double ratio)
{
    const double lebesgue = shepard_chebyshev_lebesgue(size);
    return MARGIN * lebesgue * lebesgue * pow((ratio + CORNER) / (ratio - CORNER), power);
}
