/* SPDX-License-Identifier: MIT */
/* Checks of the estimate behind SHEPARD_BACKEND_AUTO. */
#ifndef SHEPARD_TESTS_COST_H
#define SHEPARD_TESTS_COST_H

#include <stdint.h>

void check_costs(uint64_t seed);

#endif
