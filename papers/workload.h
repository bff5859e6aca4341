/* SPDX-License-Identifier: MIT */
/** One size of the studies: what is computed, of how much data. */
#ifndef SHEPARD_PAPERS_WORKLOAD_H
#define SHEPARD_PAPERS_WORKLOAD_H

#include "shepard/shepard.h"

struct shepard_workload {
    enum shepard_method method;
    double power;   /**< of IDW; 0 with AIDW */
    size_t n;       /**< data points */
    size_t m;       /**< targets */
    size_t columns; /**< of values */
};

static inline bool shepard_workload_same(const struct shepard_workload *a,
                                         const struct shepard_workload *b)
{
    return a->method == b->method && a->power == b->power && a->n == b->n && a->m == b->m &&
           a->columns == b->columns;
}

/** Defaults, with the case's method and power. */
static inline struct shepard_options shepard_workload_options(const struct shepard_workload *job)
{
    struct shepard_options options;
    shepard_options_init(&options);
    options.method = job->method;
    if (job->method == SHEPARD_IDW)
        options.power = job->power;
    return options;
}

#endif
