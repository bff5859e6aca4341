/* SPDX-License-Identifier: MIT */
#include "core/fit.h"

#include "core/selection.h"

#include <string.h>

static bool is_rising(const double *a, long n)
{
    bool rising = true;
    for (long i = 1; i < n; i++)
        rising = rising & (a[i - 1] <= a[i]);
    return rising;
}

double shepard_fit_median2(const double *d2, long n, double *room)
{
    const long middle = n / 2;
    const bool rising = is_rising(d2, n);
    const double *const a = rising ? d2 : room;
    if (!rising) {
        memcpy(room, d2, (size_t)n * sizeof *room);
        shepard_select(room, n, middle);
    }
    double below = a[middle];
    if (n % 2 == 0)
        below = a[rising ? middle - 1 : 0];
    for (long i = 1; n % 2 == 0 && !rising && i < middle; i++)
        below = a[i] > below ? a[i] : below;
    const double above = sqrt(a[middle]), median = (sqrt(below) + above) / 2;
    return median * median;
}
