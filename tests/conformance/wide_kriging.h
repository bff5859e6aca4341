/* SPDX-License-Identifier: MIT */
/* Ordinary kriging with smooth models, without a nugget and of points near each other: their
 * systems are too hard for long double. Shares nothing with the library. */
#ifndef SHEPARD_TESTS_WIDE_KRIGING_H
#define SHEPARD_TESTS_WIDE_KRIGING_H

#include "slow_kriging.h"

#include <stdbool.h>

/* The most points of a system. */
#define WIDE_KRIGING_POINTS 32

/* Matern 3/2 or gaussian; all distances are below the range. Returns false where the compiler has
 * no number of 113 bits. */
bool wide_kriging_solve(struct slow_system *system);

#endif
