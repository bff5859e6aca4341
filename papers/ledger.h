/* SPDX-License-Identifier: MIT */
/** What was measured, or why not: a record for each contestant and case. */
#ifndef SHEPARD_PAPERS_LEDGER_H
#define SHEPARD_PAPERS_LEDGER_H

#include "engine.h"
#include "workload.h"

enum shepard_record_state {
    SHEPARD_RECORD_MEASURED,
    SHEPARD_RECORD_EXTRAPOLATED, /**< serial, past the budget: times.total is an estimate */
    SHEPARD_RECORD_SKIPPED,      /**< past the budget: times.total is an estimate */
    SHEPARD_RECORD_FAILED        /**< see message */
};

struct shepard_record {
    size_t who; /**< a contestant */
    struct shepard_workload job;
    enum shepard_record_state state;
    struct shepard_paper_times times; /**< of the run whose total is the median */
    int runs;                         /**< 0 where it was not measured */
    double error;      /**< largest over the sample, a fraction of the value range; NaN where it was
                            not measured, or a value is NaN */
    double limit;      /**< largest error that it may have */
    char message[400]; /**< of a failure */
};

struct shepard_ledger {
    struct shepard_record *records; /**< [count] */
    size_t count, room;
};

/** Appends a record; false where memory ran out. Pointers to records are then stale. */
bool shepard_ledger_add(struct shepard_ledger *ledger, const struct shepard_record *record);

/** The record of a contestant and a case; NULL where there is none. */
const struct shepard_record *shepard_ledger_find(const struct shepard_ledger *ledger, size_t who,
                                                 const struct shepard_workload *job);

/** The largest work of the contestant that was measured with the case's method, power and columns
 * and is not above the case's; NULL where there is none. */
const struct shepard_record *shepard_ledger_below(const struct shepard_ledger *ledger, size_t who,
                                                  const struct shepard_workload *job);

void shepard_ledger_free(struct shepard_ledger *ledger);

/** Whether a record has a time: measured or extrapolated. */
bool shepard_record_has_time(const struct shepard_record *record);

/** Whether it was measured, and its error is above the limit, or NaN. */
bool shepard_record_is_wrong(const struct shepard_record *record);

/** Speed-up over the serial engine of the same case; NaN where one of the two has no time.
 * *estimated, if not NULL: whether one of them is an estimate. */
double shepard_ledger_speedup(const struct shepard_ledger *ledger,
                              const struct shepard_record *record, bool *estimated);

/** Seconds of contestant a in units of b's, both measured, on one case; NaN where one was not. */
double shepard_ledger_ratio(const struct shepard_ledger *ledger, size_t a, size_t b,
                            const struct shepard_workload *job);

#endif
