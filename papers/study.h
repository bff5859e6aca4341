/* SPDX-License-Identifier: MIT */
/** The papers' tables made again: plans, measures, and prints as it goes. */
#ifndef SHEPARD_PAPERS_STUDY_H
#define SHEPARD_PAPERS_STUDY_H

#include "errata.h"
#include "ledger.h"
#include "machine.h"
#include "measure.h"
#include "plan.h"

#include <stdint.h>
#include <stdio.h>

struct shepard_study_settings {
    unsigned tables;            /**< bits 1 << enum shepard_table */
    const size_t *sizes;        /**< [size_count], see shepard_plan_make */
    size_t size_count;          /**< 0: the papers' sizes */
    const char *const *engines; /**< [engine_count] words, see shepard_contestant_means */
    size_t engine_count;        /**< 0: all */
    struct shepard_terms terms;
    uint64_t seed;
    FILE *out; /**< where the tables go, row by row; NULL: nowhere */
};

struct shepard_study {
    struct shepard_study_settings settings;
    struct shepard_machine machine;
    struct shepard_plan plan;
    struct shepard_ledger
        ledger; /**< a contestant and a case stand once, whatever tables have it */
    struct shepard_erratum errata[SHEPARD_ERRATA_MAX];
    size_t errata_count;
};

/** A study without settings, to be freed by shepard_study_free; NULL: no memory. */
struct shepard_study *shepard_study_new(void);

/** Runs a study whose settings are set. Failures of single engines are records; errors are memory
 * and what the exact values need. */
enum shepard_status shepard_study_run(struct shepard_study *study, struct shepard_error *error);

/** Whether every engine stayed within its error, none failed, and all errata are as described. */
bool shepard_study_is_right(const struct shepard_study *study);

/** Whether a contestant is asked for, and whether it also can run here. */
bool shepard_study_asks(const struct shepard_study *study, size_t who);
bool shepard_study_takes(const struct shepard_study *study, size_t who);

/** NULL: does nothing. */
void shepard_study_free(struct shepard_study *study);

#endif
