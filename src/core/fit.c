/* SPDX-License-Identifier: MIT */
#include "core/fit.h"

#include <math.h>

/* Determinants below this part of the squared trace are taken as 0. */
#define SINGULAR 1e-14

/* The pseudo-inverse along the eigenvector of the larger eigenvalue, which is the trace. */
static struct shepard_slopes along_main_direction(double xx, double xy, double yy)
{
    const double trace = xx + yy;
    if (trace <= 0)
        return (struct shepard_slopes){0, 0, 0};
    double ex = xx >= yy ? xx : xy, ey = xx >= yy ? xy : yy;
    const double length2 = ex * ex + ey * ey;
    if (length2 <= 0)
        return (struct shepard_slopes){0, 0, 0};
    const double scale = 1 / (length2 * trace);
    return (struct shepard_slopes){ex * ex * scale, ex * ey * scale, ey * ey * scale};
}

struct shepard_slopes shepard_fit_slopes(const struct shepard_spread *spread, double ridge_h2)
{
    const double xx = spread->xx + ridge_h2, xy = spread->xy, yy = spread->yy + ridge_h2;
    const double determinant = xx * yy - xy * xy, trace = xx + yy;
    if (!(determinant > SINGULAR * trace * trace))
        return along_main_direction(xx, xy, yy);
    return (struct shepard_slopes){yy / determinant, -xy / determinant, xx / determinant};
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
