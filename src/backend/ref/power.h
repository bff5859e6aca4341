/* SPDX-License-Identifier: MIT */
/* Powers and roots of pairs. */
#ifndef SHEPARD_REF_POWER_H
#define SHEPARD_REF_POWER_H

#include "backend/ref/pair.h"

/* a^exponent for a normal a > 0; right to about 2^-90 of itself where |exponent| <= 50. 0 where
 * that is below 2^-1000; it must not be above 2^1000. */
struct shepard_pair shepard_pair_power(struct shepard_pair a, double exponent);

/* The root of a >= 0. */
struct shepard_pair shepard_pair_root(struct shepard_pair a);

#endif
