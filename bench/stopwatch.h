/* SPDX-License-Identifier: MIT */
/** Wall clock and processor time of a stretch of work. */
#ifndef SHEPARD_BENCH_STOPWATCH_H
#define SHEPARD_BENCH_STOPWATCH_H

#include <stddef.h>

/** Seconds of one run, or a moment. Processor time is that of all threads of the process: on a
 * machine shared with other work it is the steadier figure for one thread. */
struct shepard_seconds {
    double wall;
    double cpu;
};

/** The present moment. */
struct shepard_seconds shepard_seconds_now(void);

/** What has passed since a moment. */
struct shepard_seconds shepard_seconds_since(struct shepard_seconds start);

/** Sorts v [n] and returns its median; n >= 1. */
double shepard_median(double *v, size_t n);

#endif
