/* SPDX-License-Identifier: MIT */
/** The studies, and the series of cases that each is made of. */
#ifndef SHEPARD_PAPERS_SERIES_H
#define SHEPARD_PAPERS_SERIES_H

#include "workload.h"

enum shepard_study_kind {
    SHEPARD_STUDY_AIDW,  /**< [AIDW15, AIDW16] */
    SHEPARD_STUDY_IDW,   /**< [IDW14] */
    SHEPARD_STUDY_JOINT, /**< [HAP11] */
    SHEPARD_STUDY_COUNT
};

/** A study's word for --study, static. */
const char *shepard_study_name(enum shepard_study_kind study);

/** What changes from case to case. */
enum shepard_series_variable {
    SHEPARD_VARIABLE_SIZE,    /**< n = m */
    SHEPARD_VARIABLE_POINTS,  /**< n */
    SHEPARD_VARIABLE_TARGETS, /**< m */
    SHEPARD_VARIABLE_RATIO,   /**< n / m, at one product of the two */
    SHEPARD_VARIABLE_COLUMNS, /**< value columns */
    SHEPARD_VARIABLE_SETS     /**< data sets */
};

/** "size", "points", "targets", "ratio", "columns" or "sets", static. */
const char *shepard_series_variable_name(enum shepard_series_variable variable);

/** Largest number of cases of a series, and so of sizes. */
#define SHEPARD_SERIES_CASES 24

struct shepard_series {
    enum shepard_study_kind study;
    enum shepard_series_variable variable;
    char id[32]; /**< unique: "aidw", "idw-p3-targets" */
    struct shepard_workload cases[SHEPARD_SERIES_CASES];
    size_t count; /**< of cases */
};

/** Largest number of series. */
#define SHEPARD_SERIES_MAX 24

/**
 * The series of the studies whose bit, 1 << study, is set, into series [SHEPARD_SERIES_MAX];
 * returns how many. sizes: [count], rising, at most SHEPARD_SERIES_CASES, of what varies; none: the
 * papers' own. Sizes that stay fixed, and constant products, shrink to the largest of the sizes
 * given.
 */
size_t shepard_series_make(unsigned studies, const size_t *sizes, size_t count,
                           struct shepard_series series[SHEPARD_SERIES_MAX]);

/** Whether a method computes the cases of this series and belongs into it. */
bool shepard_series_takes(const struct shepard_series *series, size_t method);

#endif
