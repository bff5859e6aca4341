/* SPDX-License-Identifier: MIT */
/** Checksums that show whether two runs have the same data; not against forgery. */
#ifndef SHEPARD_CLI_CHECKSUM_H
#define SHEPARD_CLI_CHECKSUM_H

#include "input.h"

#include <stdint.h>

/** Adds the bits of count numbers (NULL: none) to a checksum, which starts at 0. */
uint64_t shepard_checksum_add(uint64_t checksum, const double *numbers, size_t count);

/** Of all points: places, weights and values, in their order. */
uint64_t shepard_checksum_of_input(const struct shepard_input *input);

#endif
