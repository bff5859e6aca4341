/* SPDX-License-Identifier: MIT */
/** Times a contestant on a case, within a budget. */
#ifndef SHEPARD_PAPERS_MEASURE_H
#define SHEPARD_PAPERS_MEASURE_H

#include "dataset.h"
#include "judge.h"
#include "ledger.h"

/** Runs of a measurement, at most. */
#define SHEPARD_REPEAT_MAX 100

/** How a measurement goes. */
struct shepard_terms {
    double budget; /**< seconds that one run may take */
    int repeat;    /**< runs, of which the median counts, at most SHEPARD_REPEAT_MAX; one where it
                      takes over 5 seconds */
    int threads;   /**< of shepard itself; 0: OpenMP's own number */
};

/** One case and its data. */
struct shepard_scene {
    struct shepard_workload job;
    const struct shepard_dataset *dataset; /**< of at least the case's sizes */
    const struct shepard_judge *judge;
    double **values; /**< [columns] of [m]: room for predictions */
};

/**
 * Measures contestant who on a scene, into *record. Before, it runs small once, untimed. Its time
 * is estimated from what the ledger has of it, or from runs of 1K x 1K points and more; what would
 * pass the budget is extrapolated where the contestant is serial, else skipped. A failure is a
 * record too.
 */
void shepard_measure(size_t who, const struct shepard_scene *scene,
                     const struct shepard_terms *terms, const struct shepard_ledger *ledger,
                     struct shepard_record *record);

#endif
