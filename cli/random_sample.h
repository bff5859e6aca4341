/* SPDX-License-Identifier: MIT */
/** A random sample that is the same in every run. */
#ifndef SHEPARD_CLI_RANDOM_SAMPLE_H
#define SHEPARD_CLI_RANDOM_SAMPLE_H

#include <stddef.h>

/** Brings a random sample of `most` items to the front, in random order; returns its size, at most
 * count. */
size_t shepard_random_sample(size_t *items, size_t count, size_t most);

#endif
