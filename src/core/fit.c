/* SPDX-License-Identifier: MIT */
#include "core/fit.h"

#include <float.h>

/* Determinants below this part of the squared trace are taken as 0. */
#define SINGULAR 1e-14

/* The inverse of a symmetric matrix of trace 1; where it is singular, its pseudo-inverse along the
 * eigenvector of the larger eigenvalue, which then is the trace. */
static struct shepard_slopes invert(double xx, double xy, double yy)
{
    const double determinant = xx * yy - xy * xy;
    if (determinant > SINGULAR)
        return (struct shepard_slopes){yy / determinant, -xy / determinant, xx / determinant};
    const double ex = xx >= yy ? xx : xy, ey = xx >= yy ? xy : yy;
    const double length2 = ex * ex + ey * ey;
    return (struct shepard_slopes){ex * ex / length2, ex * ey / length2, ey * ey / length2};
}

struct shepard_slopes shepard_fit_slopes(const struct shepard_spread *spread, double ridge_h2)
{
    const double xx = spread->xx + ridge_h2, yy = spread->yy + ridge_h2, trace = xx + yy;
    if (!(trace >= DBL_MIN))
        return (struct shepard_slopes){0, 0, 0};
    /* Scaled by the trace first: products of tiny moments would vanish. */
    struct shepard_slopes slopes = invert(xx / trace, spread->xy / trace, yy / trace);
    slopes.xx /= trace;
    slopes.xy /= trace;
    slopes.yy /= trace;
    return slopes;
}

double shepard_fit_value(const struct shepard_spread *spread, const struct shepard_slopes *slopes,
                         double z, double xz, double yz)
{
    const double b = slopes->xx * xz + slopes->xy * yz;
    const double c = slopes->xy * xz + slopes->yy * yz;
    return z - b * spread->x - c * spread->y;
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
