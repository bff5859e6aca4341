/* SPDX-License-Identifier: MIT */
#include "core/selection.h"

static void swap(double *a, double *b)
{
    const double t = *a;
    *a = *b;
    *b = t;
}

/* Hoare's selection. */
void shepard_select(double *a, long n, long k)
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

double shepard_select_quantile(double *a, long n, double part)
{
    const double place = part * (double)(n - 1);
    const long below = (long)place;
    shepard_select(a, n, below);
    if (below + 1 >= n)
        return a[below];
    double above = a[below + 1];
    for (long i = below + 2; i < n; i++)
        above = a[i] < above ? a[i] : above;
    return a[below] + (place - (double)below) * (above - a[below]);
}
