/* SPDX-License-Identifier: MIT */
/** The measurements of the core library. Each records its figures; false, said on stderr, where one
 * failed or was not exact enough. */
#ifndef SHEPARD_BENCH_CASE_H
#define SHEPARD_BENCH_CASE_H

#include "record.h"
#include "task.h"

#define SHEPARD_CASE_K_MAX 256

/** What is asked for on the command line, and what is drawn for a case. */
struct shepard_case {
    size_t points;                     /* data points */
    size_t targets;                    /* of the searches and predictions, cells of the raster, */
    size_t sums;                       /* and of the exact sums over all points */
    size_t most;                       /* points and targets of the case growth, at most */
    size_t k;                          /* neighbours; at most SHEPARD_CASE_K_MAX; 0: 10 and 15 */
    size_t repeat;                     /* runs of each measurement, 1 to SHEPARD_REPEAT_MAX */
    size_t threads;                    /* of the cases on several */
    bool kinds[SHEPARD_DATASET_KINDS]; /* datasets to measure on */
    struct shepard_dataset dataset;    /* all but growth, which draws its own */
    double *values[SHEPARD_TASK_COLUMNS]; /* [columns] of [m]: room for predictions */
};

/** Build and search, one thread; a sample of the answers against a look at all points. */
bool shepard_case_knn(const struct shepard_case *bench);

/** Exact sums over all points, one thread: pairs a second, and errors. */
bool shepard_case_pairs(const struct shepard_case *bench);

/** Bytes that points and field hold. */
bool shepard_case_memory(const struct shepard_case *bench);

/** Sums over all points within a tolerance: AIDW to as many targets; IDW to
 * a raster, with one value column and with eight; AIDW to rasters of as many cells, a tenth and a
 * hundredth, and a cell's time relative to one of the first; IDW and AIDW with smoothing, and
 * with planes, relative to those without; AIDW of data of other shapes, relative to uniform ones;
 * AIDW of four times as many points each time. */
bool shepard_case_sums(const struct shepard_case *bench);
bool shepard_case_raster(const struct shepard_case *bench);
bool shepard_case_coarse(const struct shepard_case *bench);
bool shepard_case_smoothing(const struct shepard_case *bench);
bool shepard_case_planes(const struct shepard_case *bench);
bool shepard_case_shapes(const struct shepard_case *bench);
bool shepard_case_growth(const struct shepard_case *bench);

/** Predictions with many parameters on one field, relative to one preparation and the predictions
 * alone, and to points and field made for each. */
bool shepard_case_parameters(const struct shepard_case *bench);

/** 2 points of each of 8 sectors and 3 of each of 4, to a raster, relative to the 16 nearest. */
bool shepard_case_sectors(const struct shepard_case *bench);

/** Neighbourhoods on the sphere and in space: their speed, as a part of the plane's. */
bool shepard_case_distances(const struct shepard_case *bench);

/** The same of exact sums over all points, on the backend of one task, by so many turns. values:
 * room for the predictions. */
bool shepard_distances_measure_sums(const struct shepard_task *task, size_t turns, double *values);

/** A field whose columns each miss other values, in one call, relative to a field and a call for
 * each column; whether the results have the same bits. */
bool shepard_case_gaps(const struct shepard_case *bench);

/** Fit of a covariance, and kriging with it from 2 and from 3 points of each of 8 sectors; with k,
 * of the k nearest with a covariance that is given. */
bool shepard_case_krige(const struct shepard_case *bench);

/** Preparing points, and predictions from 12 nearest and from all points, with 1, 2, 4 threads and
 * so on up to those asked for: seconds a million points, and how many times as fast as one. */
bool shepard_case_threads(const struct shepard_case *bench);

/** Each point left out of its own prediction, relative to predictions at as many other targets. */
bool shepard_case_leave_one_out(const struct shepard_case *bench);

/** The last case's measurement of one task, with as many targets as points, by so many turns.
 * values: room for the predictions. */
bool shepard_leave_one_out_measure(const struct shepard_task *task, const char *way, size_t turns,
                                   double *values);

#endif
