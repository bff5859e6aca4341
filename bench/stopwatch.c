/* SPDX-License-Identifier: MIT */
#include "stopwatch.h"

#include <stdlib.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct shepard_seconds shepard_seconds_now(void)
{
    return (struct shepard_seconds){.wall = read_clock(CLOCK_MONOTONIC),
                                    .cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

struct shepard_seconds shepard_seconds_since(struct shepard_seconds start)
{
    const struct shepard_seconds now = shepard_seconds_now();
    return (struct shepard_seconds){.wall = now.wall - start.wall, .cpu = now.cpu - start.cpu};
}

static int compare_doubles(const void *a, const void *b)
{
    const double u = *(const double *)a;
    const double v = *(const double *)b;
    return (u > v) - (u < v);
}

double shepard_median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, compare_doubles);
    return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}
