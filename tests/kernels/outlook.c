/* SPDX-License-Identifier: MIT */
#include "suite.h"

#include <math.h>

/* With a = X . Y / R^2 and b = |Y|^2 / R^2 the weight is (1 - 2a + b)^-lambda, and its terms by
 * degree are Gegenbauer's polynomials: l D_l = 2 (l + lambda - 1) a D_(l-1) - (l + 2 lambda - 2) b
 * D_(l-2). No moments. */
struct weight_pair expand_weight(const struct outlook *outlook, long double x, long double y)
{
    const long double r2 = outlook->x * outlook->x + outlook->y * outlook->y + outlook->smoothing2;
    const long double a = (outlook->x * x + outlook->y * y) / r2, b = (x * x + y * y) / r2;
    const long double lambda = outlook->power / 2;
    long double before = 0, last = 1;
    const long double dx = outlook->x - x, dy = outlook->y - y;
    struct weight_pair pair = {powl((dx * dx + dy * dy + outlook->smoothing2) / r2, -lambda), 1};
    for (int l = 1; l <= outlook->order; l++) {
        const long double next =
            (2 * (l + lambda - 1) * a * last - (l + 2 * lambda - 2) * b * before) / l;
        before = last;
        last = next;
        pair.part += next;
    }
    return pair;
}

double truncation_bound(double power, int order, double t, double mean_radius_log2)
{
    const double g = fmax(1, (order + 1 + power) / (order + 2));
    double factor = 1;
    for (int l = 0; l <= order; l++)
        factor *= (power + l) / (l + 1);
    return g * mean_radius_log2 < 1 ? factor * pow(t, order + 1) / (1 - g * mean_radius_log2)
                                    : INFINITY;
}

void left_out_add(struct left_out *left_out, double charge, struct weight_pair pair)
{
    const long double off = pair.whole - pair.part;
    left_out->weight += charge * pair.whole;
    left_out->size += charge * fabsl(off);
    left_out->sum += charge * off;
    left_out->largest = fmax(left_out->largest, (double)(fabsl(off) / pair.whole));
}

/* Values at one end of the range where too much weight is left out, at the other where too little,
 * and a mean at one of the ends. */
double left_out_effect(const struct left_out *left_out)
{
    return (double)((left_out->size + fabsl(left_out->sum)) / 2 / left_out->weight);
}
