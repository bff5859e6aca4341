/* SPDX-License-Identifier: MIT */
#include "core/fit.h"

#include "core/selection.h"

#include <assert.h>
#include <string.h>

static bool is_rising(const double *a, long n)
{
    bool rising = true;
    for (long i = 1; i < n; i++)
        rising = rising & (a[i - 1] <= a[i]);
    return rising;
}

static double median2_of(double below, double above)
{
    const double median = (sqrt(below) + sqrt(above)) / 2;
    return median * median;
}

double shepard_fit_median2(const double *d2, long n, double *room)
{
    const long middle = n / 2, before = (n - 1) / 2;
    assert(n >= 1);
    if (is_rising(d2, n))
        return median2_of(d2[before], d2[middle]);
    memcpy(room, d2, (size_t)n * sizeof *room);
    shepard_select(room, n, middle);
    if (before == middle)
        return median2_of(room[middle], room[middle]);
    double below = room[0];
    for (long i = 1; i < middle; i++)
        below = room[i] > below ? room[i] : below;
    return median2_of(below, room[middle]);
}
