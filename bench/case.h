/* SPDX-License-Identifier: MIT */
/** The measurements of the core library. Each prints a table and adds its figures to a record. */
#ifndef SHEPARD_BENCH_CASE_H
#define SHEPARD_BENCH_CASE_H

#include "cloud.h"
#include "record.h"
#include "stopwatch.h"

#define SHEPARD_REPEAT_MAX 100
#define SHEPARD_CASE_K_MAX 256

/** What is asked for on the command line. */
struct shepard_case {
    size_t points;                   /* data points */
    size_t targets;                  /* of the searches and predictions, cells of the raster, */
    size_t sums;                     /* and of the exact sums over all points */
    size_t most;                     /* points and targets of the case growth, at most */
    size_t k;                        /* neighbours; at most SHEPARD_CASE_K_MAX; 0: 10 and 15 */
    size_t repeat;                   /* runs of each measurement, 1 to SHEPARD_REPEAT_MAX */
    int threads;                     /* most threads of the case threads */
    bool kinds[SHEPARD_CLOUD_KINDS]; /* clouds to measure on */
    struct shepard_record *record;
};

/** Build and search, one thread; checks a sample of the answers against brute force. */
bool shepard_case_knn(const struct shepard_case *bench);

/** Sums over all points, one thread: pairs a second, and errors against the backend ref. */
bool shepard_case_pairs(const struct shepard_case *bench);

/** Memory of a model. Run it in a process of its own, or first: it reads the process's peak. */
bool shepard_case_memory(const struct shepard_case *bench);

/** AIDW over all points within a tolerance: time, memory, work and error, beside exact sums. */
bool shepard_case_sums(const struct shepard_case *bench);

/** IDW over all points to a raster, with one value column and with all, likewise. */
bool shepard_case_raster(const struct shepard_case *bench);

/** AIDW with as many points as targets, four times as many each time, likewise. */
bool shepard_case_growth(const struct shepard_case *bench);

/** Searches and sums over 1, 2, 4, ... threads. */
bool shepard_case_threads(const struct shepard_case *bench);

/** Seconds of several runs of the same work. */
struct shepard_runs {
    size_t count;
    double wall[SHEPARD_REPEAT_MAX];
    double cpu[SHEPARD_REPEAT_MAX];
};

void shepard_runs_add(struct shepard_runs *runs, struct shepard_seconds seconds);

/** Medians; the runs keep their order. */
struct shepard_seconds shepard_runs_median(const struct shepard_runs *runs);

/** Least of each. */
struct shepard_seconds shepard_runs_least(const struct shepard_runs *runs);

/** Adds wall, cpu (all runs), wall_median, cpu_median, wall_min and cpu_min to a record. */
void shepard_runs_record(const struct shepard_runs *runs, struct shepard_record *record);

/** Makes a model or says on stderr why not; NULL then. */
struct shepard_model *shepard_case_model(const struct shepard_cloud *cloud, size_t columns,
                                         const struct shepard_options *options);

#endif
