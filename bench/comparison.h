/* SPDX-License-Identifier: MIT */
/** The same work done in two ways, which take turns, so that what else the machine does meets both
 * alike. */
#ifndef SHEPARD_BENCH_COMPARISON_H
#define SHEPARD_BENCH_COMPARISON_H

#include "record.h"

struct shepard_comparison {
    struct shepard_runs own, other;
};

/** Whether another turn begins, after so many that took so many seconds: three, or those asked for
 * where they are fewer; more of what takes no more than a minute together. */
bool shepard_another_turn(size_t asked, size_t turns, double spent);

/** Measures both ways of work, after a run of its own way that touches memory. False where work
 * returns false. */
bool shepard_compare(bool (*work)(void *context, bool other), void *context, size_t turns,
                     struct shepard_comparison *comparison);

/** The median of the turns' ratios, own over other. */
double shepard_comparison_ratio(const struct shepard_comparison *comparison);

#endif
