/* SPDX-License-Identifier: MIT */
/** The measurements of the core library. Each records its figures; false, said on stderr, where one
 * failed or was not exact enough. */
#ifndef SHEPARD_BENCH_CASE_H
#define SHEPARD_BENCH_CASE_H

#include "record.h"
#include "task.h"

#define SHEPARD_CASE_K_MAX 256

/** What is asked for on the command line. */
struct shepard_case {
    size_t points;                     /* data points */
    size_t targets;                    /* of the searches and predictions, cells of the raster, */
    size_t sums;                       /* and of the exact sums over all points */
    size_t most;                       /* points and targets of the case growth, at most */
    size_t k;                          /* neighbours; at most SHEPARD_CASE_K_MAX; 0: 10 and 15 */
    size_t repeat;                     /* runs of each measurement, 1 to SHEPARD_REPEAT_MAX */
    size_t threads;                    /* of the cases on several, at most */
    bool kinds[SHEPARD_DATASET_KINDS]; /* datasets to measure on */
    struct shepard_record *record;
};

/** Whether another turn begins, after so many that took so many seconds: three, or those asked for
 * where they are fewer; more of what takes no more than a minute together. */
static inline bool shepard_case_goes_on(const struct shepard_case *bench, size_t turns,
                                        double spent)
{
    return turns < bench->repeat && (turns < 3 || spent < 60);
}

/** Build and search, one thread; a sample of the answers against a look at all points. */
bool shepard_case_knn(const struct shepard_case *bench);

/** Exact sums over all points, one thread: pairs a second, and errors. */
bool shepard_case_pairs(const struct shepard_case *bench);

/** Bytes that points and field hold, and the process's peak while they are made: run it first. */
bool shepard_case_memory(const struct shepard_case *bench);

/** Sums over all points within a tolerance, relative to exact sums: AIDW to as many targets; IDW to
 * a raster, with one value column and with eight; AIDW of four times as many points each time. */
bool shepard_case_sums(const struct shepard_case *bench);
bool shepard_case_raster(const struct shepard_case *bench);
bool shepard_case_growth(const struct shepard_case *bench);

/** Predictions with many parameters on one field, relative to one preparation and the predictions
 * alone, and to points and field made for each. */
bool shepard_case_parameters(const struct shepard_case *bench);

/** Many fields on one set of points, relative to points made for each. */
bool shepard_case_columns(const struct shepard_case *bench);

/** Each point left out of its own prediction, relative to predictions at as many other targets. */
bool shepard_case_leave_one_out(const struct shepard_case *bench);
/** A field whose columns each miss other values, in one call, relative to a field and a call for
 * each column; whether the results have the same bits. */
bool shepard_case_gaps(const struct shepard_case *bench);

/** Searches and sums over 1, 2, 4, ... threads. */
bool shepard_case_threads(const struct shepard_case *bench);

#endif
