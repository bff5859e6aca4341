/* SPDX-License-Identifier: MIT */
/** The papers' mistakes as counterexamples: the rule as printed and the corrected rule are both
 * run, and the answers that differ from the truth are counted. papers/report/errata.json has the
 * texts. */
#ifndef SHEPARD_PAPERS_ERRATA_H
#define SHEPARD_PAPERS_ERRATA_H

#include "shepard/shepard.h"

#include <stdint.h>

/** Room for all of them. */
#define SHEPARD_ERRATA_MAX 16

struct shepard_erratum {
    const char *id;   /**< "stop-uniform"; static */
    size_t tried;     /**< queries, points or powers */
    size_t wrong;     /**< of these, wrong by the printed rule */
    size_t corrected; /**< of these, wrong by the corrected rule */
};

/** Runs all errata into errata [SHEPARD_ERRATA_MAX] and their number into *count. */
enum shepard_status shepard_errata_run(uint64_t seed, struct shepard_erratum *errata, size_t *count,
                                       struct shepard_error *error);

#endif
