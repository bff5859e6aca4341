/* SPDX-License-Identifier: MIT */
#include "core/fit.h"

#include <float.h>
#include <math.h>

/* Determinants below this part of the squared trace are taken as 0. */
#define SINGULAR 1e-14

/* The slope of the longer axis of the ellipse of second moments, where xx >= yy. Moments that are
 * nothing but rounding may be those of no ellipse. */
static double main_slope(double xx, double xy, double yy)
{
    const double trace = xx + yy, difference = (xx - yy) / trace, twice = 2 * xy / trace;
    const double slope = twice / (difference + sqrt(difference * difference + twice * twice));
    return fabs(slope) <= 1 ? (double)(float)slope : 0;
}

struct shepard_axes shepard_fit_axes(double x, double y, const struct shepard_spread *rough)
{
    struct shepard_axes axes = {x + rough->x, y + rough->y, 1, 1};
    if (rough->xx >= rough->yy)
        axes.main_y = main_slope(rough->xx, rough->xy, rough->yy);
    else
        axes.main_x = main_slope(rough->yy, rough->xy, rough->xx);
    return axes;
}

struct shepard_slopes shepard_fit_slopes(const struct shepard_spread *spread, double ridge_h2)
{
    const double xx = spread->xx + ridge_h2, yy = spread->yy + ridge_h2, trace = xx + yy;
    if (!(trace >= DBL_MIN && trace <= DBL_MAX))
        return (struct shepard_slopes){false, 0, 0, 0};
    const bool y_first = yy > xx;
    const double pivot = y_first ? yy : xx, other = y_first ? xx : yy;
    const double factor = spread->xy / pivot, rest = other - factor * spread->xy;
    /* The determinant is pivot * rest; divided by the trace first, tiny moments do not vanish. */
    const bool singular = !(pivot / trace * (rest / trace) > SINGULAR);
    return (struct shepard_slopes){y_first, pivot, factor, singular ? 0 : rest};
}

/* Slopes along the axes of the pivot and the other. */
static void solve(const struct shepard_slopes *slopes, double first, double second, double *along,
                  double *across)
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

double shepard_fit_value(const struct shepard_spread *spread, const struct shepard_slopes *slopes,
                         double z, double xz, double yz)
{
    double b, c;
    if (slopes->y_first)
        solve(slopes, yz, xz, &c, &b);
    else
        solve(slopes, xz, yz, &b, &c);
    return z - b * spread->x - c * spread->y;
}

/* Below this part of the pivot, rounding has its part in what is left of the other. */
#define NEARLY_SINGULAR 1e-8

double shepard_fit_leverage(const struct shepard_spread *spread,
                            const struct shepard_slopes *slopes)
{
    if (!(slopes->rest > NEARLY_SINGULAR * slopes->pivot))
        return INFINITY;
    return -shepard_fit_value(spread, slopes, 0, spread->x, spread->y);
}

static void swap(double *a, double *b)
{
    const double t = *a;
    *a = *b;
    *b = t;
}

/* Hoare's selection: afterwards a[k] is in its sorted place, smaller ones before it. */
static void select_kth(double *a, long n, long k)
{
    long low = 0, high = n - 1;
    while (low < high) {
        const double pivot = a[low + (high - low) / 2];
        long i = low, j = high;
        while (i <= j) {
            for (; a[i] < pivot; i++)
                ;
            for (; a[j] > pivot; j--)
                ;
            if (i <= j)
                swap(&a[i++], &a[j--]);
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            return;
    }
}

double shepard_fit_median(double *a, long n)
{
    const long middle = n / 2;
    select_kth(a, n, middle);
    if (n % 2 == 1)
        return a[middle];
    double below = a[0];
    for (long i = 1; i < middle; i++)
        below = a[i] > below ? a[i] : below;
    return (below + a[middle]) / 2;
}
