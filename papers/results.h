/* SPDX-License-Identifier: MIT */
/** The measurements of a study: one for each method and case. */
#ifndef SHEPARD_PAPERS_RESULTS_H
#define SHEPARD_PAPERS_RESULTS_H

#include "papers_engine.h"
#include "workload.h"

enum shepard_measurement_state {
    SHEPARD_MEASUREMENT_MEASURED,
    SHEPARD_MEASUREMENT_EXTRAPOLATED, /**< serial, over the budget: times.total is an estimate */
    SHEPARD_MEASUREMENT_SKIPPED,      /**< over the budget: times.total is an estimate */
    SHEPARD_MEASUREMENT_FAILED        /**< see message */
};

struct shepard_measurement {
    size_t method; /**< its number, see method.h */
    struct shepard_workload job;
    enum shepard_measurement_state state;
    struct shepard_paper_times times; /**< of the run whose total is the median */
    double mean;                      /**< of the runs' totals; 0 if it was not measured */
    int runs;                         /**< 0 if it was not measured */
    double error;       /**< largest over the sample, as a fraction of the value range; NaN if it
                             was not measured, if a value is NaN, or without a limit */
    double error_limit; /**< see shepard_paper_method_error_limit; infinite: none */
    char message[400];  /**< of a failure, or why there is no limit */
};

struct shepard_paper_results {
    struct shepard_measurement *list; /**< [count] */
    size_t count, room;
};

/** Appends a measurement; false if memory ran out. Pointers to measurements are then stale. */
bool shepard_paper_results_add(struct shepard_paper_results *results,
                               const struct shepard_measurement *measurement);

/** The measurement of a method and a case; NULL if there is none. */
const struct shepard_measurement *
shepard_paper_results_find(const struct shepard_paper_results *results, size_t method,
                           const struct shepard_workload *job);

/** The method's measured case with the most work among those of the same method, power, columns,
 * sets and calls as job whose work is not above job's; NULL if there is none. */
const struct shepard_measurement *
shepard_paper_results_below(const struct shepard_paper_results *results, size_t method,
                            const struct shepard_workload *job);

void shepard_paper_results_free(struct shepard_paper_results *results);

/** "measured", "extrapolated", "skipped" or "failed", static. */
const char *shepard_measurement_state_name(enum shepard_measurement_state state);

/** Whether it failed, or was measured with an error above the limit, or NaN where there is a limit.
 */
bool shepard_measurement_is_wrong(const struct shepard_measurement *measurement);

#endif
