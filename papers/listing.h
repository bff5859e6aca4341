/* SPDX-License-Identifier: MIT */
/** A study as text of at most 100 columns, printed as it goes. With out NULL nothing is. */
#ifndef SHEPARD_PAPERS_LISTING_H
#define SHEPARD_PAPERS_LISTING_H

#include "study.h"

/** Machine, data, what times and errors are, and who is left out. */
void shepard_listing_head(FILE *out, const struct shepard_study *study);

void shepard_listing_table(FILE *out, enum shepard_table table);

/** Title and column heads of a series; without rows, a line that says so. */
void shepard_listing_series(FILE *out, const struct shepard_series *series, bool rows);

void shepard_listing_case(FILE *out, const struct shepard_workload *job);

void shepard_listing_row(FILE *out, const struct shepard_series *series,
                         const struct shepard_ledger *ledger, const struct shepard_record *record);

/** The comparisons of a series, as measured and as printed. */
void shepard_listing_ratios(FILE *out, const struct shepard_series *series,
                            const struct shepard_ledger *ledger);

void shepard_listing_errata(FILE *out, const struct shepard_erratum *errata, size_t count);

/** Every error above its limit and every failure. */
void shepard_listing_faults(FILE *out, const struct shepard_study *study);

#endif
