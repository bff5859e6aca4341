/* SPDX-License-Identifier: MIT */
#include "core/fit.h"

#include "core/selection.h"

double shepard_fit_median2(double *d2, long n)
{
    const long middle = n / 2;
    shepard_select(d2, n, middle);
    double below = n % 2 == 1 ? d2[middle] : d2[0];
    for (long i = 1; n % 2 == 0 && i < middle; i++)
        below = d2[i] > below ? d2[i] : below;
    const double above = sqrt(d2[middle]);
    const double median = n % 2 == 1 ? above : (sqrt(below) + above) / 2;
    return median * median;
}
