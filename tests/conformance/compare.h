/* SPDX-License-Identifier: MIT */
/* Predictions of one backend against the reference. */
#ifndef SHEPARD_TESTS_COMPARE_H
#define SHEPARD_TESTS_COMPARE_H

#include "results.h"
#include "trial.h"

/* Predictions by the equations, without the library. */
struct results compare_slow(const struct trial *trial);

/* Checks got against want within the documented accuracy; measures the largest errors. */
void compare_results(const struct trial *trial, const struct results *got,
                     const struct results *want);

#endif
