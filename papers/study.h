/* SPDX-License-Identifier: MIT */
/** Measures the methods on the cases of the studies, and writes the results as JSON. */
#ifndef SHEPARD_PAPERS_STUDY_H
#define SHEPARD_PAPERS_STUDY_H

#include "machine.h"
#include "measure.h"
#include "results.h"
#include "series.h"

#include <stdint.h>
#include <stdio.h>

struct shepard_study_settings {
    unsigned studies;           /**< bits 1 << enum shepard_study_kind */
    const size_t *sizes;        /**< [size_count], see shepard_series_make */
    size_t size_count;          /**< 0: the papers' sizes */
    const char *const *methods; /**< [method_count] words, see shepard_paper_method_matches */
    size_t method_count;        /**< 0: all */
    struct shepard_measure_options options;
    uint64_t seed;
    const char *commit; /**< of the source, for the JSON; NULL: not known */
    FILE *log;          /**< gets a line for each measurement */
};

struct shepard_study {
    struct shepard_study_settings settings;
    struct shepard_machine machine;
    const struct shepard_allocator
        *allocator; /**< of all arrays, so that a GPU reads and writes
                         them by itself; NULL: malloc, no method on one */
    struct shepard_series series[SHEPARD_SERIES_MAX];
    size_t series_count;
    struct shepard_paper_results results; /**< each method and case once */
};

/** Runs a study whose settings are set and all else is zero; free it with shepard_study_free in
 * either case. A method that fails is a measurement; errors are memory and exact values. */
enum shepard_status shepard_study_run(struct shepard_study *study, struct shepard_error *error);

/** Whether no method failed and all errors are within their limits. */
bool shepard_study_is_right(const struct shepard_study *study);

/** Writes settings, machine, series and measurements; docs in papers/README.md. False if
 * the file could not be written. */
bool shepard_study_write_json(const struct shepard_study *study, FILE *file);

void shepard_study_free(struct shepard_study *study);

#endif
