/* SPDX-License-Identifier: MIT */
/**
 * What the papers print. Seconds, on the machines of the papers:
 * [AIDW15, AIDW16] GeForce GT 730M, Core i7-4700MQ; [IDW14] GeForce GT 640;
 * [HAP11] Quadro FX 4800. GPU engines in float.
 */
#ifndef SHEPARD_PAPERS_PRINTED_H
#define SHEPARD_PAPERS_PRINTED_H

#include "contestant.h"
#include "series.h"

/** A printed number, or a range; NaN where the papers print none. */
struct shepard_range {
    double low, high;
};

/** Seconds printed for a contestant and a case of a table; NaN where there are none. */
double shepard_printed_seconds(enum shepard_table table, size_t who,
                               const struct shepard_workload *job);

/** Speed-up over the paper's own serial program; NaN where none is printed. */
double shepard_printed_speedup(enum shepard_table table, size_t who,
                               const struct shepard_workload *job);

/** Time of contestant a in units of b's. */
struct shepard_range shepard_printed_ratio(enum shepard_table table, size_t a, size_t b,
                                           const struct shepard_workload *job);

/** The stages of an improved engine: seconds of kNN search and of weighting; NaN where none. */
struct shepard_paper_times shepard_printed_stages(size_t who, const struct shepard_workload *job);

#endif
