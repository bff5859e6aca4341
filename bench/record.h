/* SPDX-License-Identifier: MIT */
/** Results: printed as tables, and written as a JSON array of flat objects. */
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

struct shepard_record {
    FILE *file; /* NULL: only tables are printed */
    size_t objects, members;
    char name[32], head[1024], keys[1024], row[1024]; /* of the table; of the object that is open */
};

/** Opens a file; NULL: writes none. False where that failed. */
bool shepard_record_open(struct shepard_record *record, const char *file);

/** Ends the array and closes the file; false where anything could not be written. */
bool shepard_record_close(struct shepard_record *record);

/** Begins an object with a member "case"; ends it and prints its row, below its keys where these
 * are not those of the row before. */
void shepard_record_begin(struct shepard_record *record, const char *name);
void shepard_record_end(struct shepard_record *record);

/** Adds members, keys separated by blanks. Texts and keys must need no escapes. Numbers that are
 * not finite become null. Details are not in the table. */
void shepard_record_text(struct shepard_record *record, const char *key, const char *text);
void shepard_record_numbers(struct shepard_record *record, const char *keys, const double *v);
void shepard_record_details(struct shepard_record *record, const char *keys, const double *v);

/** Adds wall, cpu (all runs), wall_median and cpu_median. */
void shepard_record_runs(struct shepard_record *record, const struct shepard_runs *runs);

#endif
