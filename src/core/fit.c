/* SPDX-License-Identifier: MIT */
#include "core/fit.h"

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
