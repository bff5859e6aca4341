/* SPDX-License-Identifier: MIT */
#include "core/fit.h"

#include "core/selection.h"

double shepard_fit_median(double *a, long n)
{
    const long middle = n / 2;
    shepard_select(a, n, middle);
    if (n % 2 == 1)
        return a[middle];
    double below = a[0];
    for (long i = 1; i < middle; i++)
        below = a[i] > below ? a[i] : below;
    return (below + a[middle]) / 2;
}
