/* SPDX-License-Identifier: MIT */
/** One size of the studies: what is computed, of how much data. */
#ifndef SHEPARD_PAPERS_WORKLOAD_H
#define SHEPARD_PAPERS_WORKLOAD_H

#include "shepard/shepard.h"

struct shepard_workload {
    enum shepard_method method;
    double power;   /**< of IDW; 0 with AIDW */
    size_t n;       /**< data points of a set */
    size_t m;       /**< targets of a set */
    size_t columns; /**< of values; 1 with several sets */
    size_t sets;    /**< data sets, each with its own places */
    bool apart;     /**< a call for each set or column, in place of one for all */
};

/** Arrays of m predictions. */
static inline size_t shepard_workload_arrays(const struct shepard_workload *job)
{
    return job->sets * job->columns;
}

static inline size_t shepard_workload_calls(const struct shepard_workload *job)
{
    return job->apart ? shepard_workload_arrays(job) : 1;
}

static inline bool shepard_workload_same(const struct shepard_workload *a,
                                         const struct shepard_workload *b)
{
    return a->method == b->method && a->power == b->power && a->n == b->n && a->m == b->m &&
           a->columns == b->columns && a->sets == b->sets && a->apart == b->apart;
}

/** Defaults, with the case's method and power. */
static inline struct shepard_parameters
shepard_workload_parameters(const struct shepard_workload *job)
{
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.method = job->method;
    if (job->method == SHEPARD_METHOD_IDW)
        parameters.power = job->power;
    return parameters;
}

#endif
