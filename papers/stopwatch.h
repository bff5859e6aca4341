/* SPDX-License-Identifier: MIT */
/* Wall-clock time. */
#ifndef SHEPARD_PAPERS_STOPWATCH_H
#define SHEPARD_PAPERS_STOPWATCH_H

#include <time.h>

/* Seconds since some moment; never goes back. */
static inline double shepard_paper_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
