/* SPDX-License-Identifier: MIT */
/** Results on stdout: a flat JSON object a line, as soon as it is measured. */
#ifndef SHEPARD_BENCH_RECORD_H
#define SHEPARD_BENCH_RECORD_H

#include "papers/stopwatch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SHEPARD_REPEAT_MAX 100

/** Seconds of several runs of the same work. */
struct shepard_runs {
    size_t count;
    double wall[SHEPARD_REPEAT_MAX];
    double cpu[SHEPARD_REPEAT_MAX];
};

void shepard_runs_add(struct shepard_runs *runs, struct shepard_seconds seconds);

/** Medians; the runs keep their order. */
struct shepard_seconds shepard_runs_median(const struct shepard_runs *runs);

/** Sorts v [n] and returns its median; n >= 1. */
double shepard_median(double *v, size_t n);

/** Begins an object with a member "case"; ends it. */
void shepard_record_begin(const char *name);
void shepard_record_end(void);

/** Adds members, keys separated by blanks. Texts and keys must need no escapes. Numbers that are
 * not finite become null. */
void shepard_record_text(const char *key, const char *text);
void shepard_record_numbers(const char *keys, const double *v);

/** Adds wall, cpu (all runs), wall_median and cpu_median. */
void shepard_record_runs(const struct shepard_runs *runs);

/** Whether all of it could be written, said on stderr if not. */
bool shepard_record_finish(void);

#endif
