/* SPDX-License-Identifier: MIT */
/** The comparisons of a series: times of one contestant in units of another's. */
#ifndef SHEPARD_PAPERS_RATIO_H
#define SHEPARD_PAPERS_RATIO_H

#include "ledger.h"
#include "printed.h"

struct shepard_ratio {
    size_t a, b; /**< contestants; the same one twice: its time in units of the first case's */
};

/** Largest number of comparisons of a series. */
#define SHEPARD_RATIOS_MAX 24

/** The comparisons of a series into ratios [SHEPARD_RATIOS_MAX]; returns how many. */
size_t shepard_ratio_list(const struct shepard_series *series,
                          struct shepard_ratio ratios[SHEPARD_RATIOS_MAX]);

/** One comparison at case i as measured; NaN where a time is missing. */
double shepard_ratio_measured(const struct shepard_ratio *ratio,
                              const struct shepard_series *series, size_t i,
                              const struct shepard_ledger *ledger);

/** What is compared, in words. */
void shepard_ratio_label(const struct shepard_ratio *ratio, char label[100]);

#endif
