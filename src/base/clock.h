/* SPDX-License-Identifier: MIT */
/* The time that passes, whatever is done to the clock of the day. */
#ifndef SHEPARD_BASE_CLOCK_H
#define SHEPARD_BASE_CLOCK_H

#include <time.h>

/* Seconds since some moment. */
static inline double shepard_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
