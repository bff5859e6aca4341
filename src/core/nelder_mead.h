/* SPDX-License-Identifier: MIT */
/* The least value of a function of a few variables by the simplex search of [NM65]. */
#ifndef SHEPARD_CORE_NELDER_MEAD_H
#define SHEPARD_CORE_NELDER_MEAD_H

#include "shepard/shepard.h"

#define SHEPARD_NELDER_MEAD_MAX 5

/* *value: of the function at `at`. Anything but SHEPARD_OK ends the search. */
typedef enum shepard_status shepard_objective_fn(void *context, const double *at, double *value);

struct shepard_nelder_mead {
    shepard_objective_fn *objective;
    void *context;
    size_t dimensions;   /* 1 to SHEPARD_NELDER_MEAD_MAX */
    const double *steps; /* [dimensions] from the start to the other corners */
    size_t evaluations;  /* most of them */
    double tolerance;    /* ends when the values at all corners differ by less */
};

/* Moves `at` [dimensions], where the function has *value, to the least value that it finds. */
enum shepard_status shepard_nelder_mead_run(const struct shepard_nelder_mead *search, double *at,
                                            double *value);

#endif
