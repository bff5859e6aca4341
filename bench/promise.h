/* SPDX-License-Identifier: MIT */
/** Figures that were promised, beside the measured ones. */
#ifndef SHEPARD_BENCH_PROMISE_H
#define SHEPARD_BENCH_PROMISE_H

#include "record.h"

#define SHEPARD_PROMISES_MAX 32

struct shepard_promise {
    const char *text; /**< with the unit */
    double most;      /**< the measured figure is to be at most this, */
    double aim;       /**< and, better, this; NAN: none */
    double measured;  /**< NAN: it was not measured */
};

struct shepard_promises {
    size_t count;
    struct shepard_promise list[SHEPARD_PROMISES_MAX];
};

/** Adds one; there is room for SHEPARD_PROMISES_MAX. */
void shepard_promises_add(struct shepard_promises *promises, struct shepard_promise promise);

/** Prints the table and records each; false where one that was measured is missed. */
bool shepard_promises_report(const struct shepard_promises *promises,
                             struct shepard_record *record);

#endif
