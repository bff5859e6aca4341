/* SPDX-License-Identifier: MIT */
/** Which series are made. */
#ifndef SHEPARD_PAPERS_PLAN_H
#define SHEPARD_PAPERS_PLAN_H

#include "series.h"

/** Largest number of series. */
#define SHEPARD_PLAN_SERIES 32

struct shepard_plan {
    struct shepard_series series[SHEPARD_PLAN_SERIES];
    size_t count;
};

/**
 * Plans the tables whose bit, 1 << table, is set.
 * sizes: [count], rising, at most SHEPARD_SERIES_CASES, of what varies; with none the papers' own.
 * Sizes that a table keeps fixed, and constant products, shrink to the largest of the sizes given.
 */
void shepard_plan_make(struct shepard_plan *plan, unsigned tables, const size_t *sizes,
                       size_t count);

#endif
