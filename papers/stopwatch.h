/* SPDX-License-Identifier: MIT */
/** Wall clock and processor time of a stretch of work. */
#ifndef SHEPARD_PAPERS_STOPWATCH_H
#define SHEPARD_PAPERS_STOPWATCH_H

#include <time.h>

/** Seconds of a run, or a moment. Processor time is that of all threads of the process: on a
 * machine that does other work it is the steadier figure for one thread. */
struct shepard_seconds {
    double wall, cpu;
};

static inline double shepard_seconds_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Wall clock, since some moment; never goes back. */
static inline double shepard_seconds_wall(void)
{
    return shepard_seconds_read(CLOCK_MONOTONIC);
}

static inline struct shepard_seconds shepard_seconds_now(void)
{
    struct shepard_seconds now;
    now.wall = shepard_seconds_wall();
    now.cpu = shepard_seconds_read(CLOCK_PROCESS_CPUTIME_ID);
    return now;
}

/** a + sign b. */
static inline struct shepard_seconds shepard_seconds_sum(struct shepard_seconds a, double sign,
                                                         struct shepard_seconds b)
{
    a.wall += sign * b.wall;
    a.cpu += sign * b.cpu;
    return a;
}

/** What has passed since a moment. */
static inline struct shepard_seconds shepard_seconds_since(struct shepard_seconds start)
{
    return shepard_seconds_sum(shepard_seconds_now(), -1, start);
}

#endif
