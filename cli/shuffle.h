/* SPDX-License-Identifier: MIT */
/** A random sample that is the same in every run. */
#ifndef SHEPARD_CLI_SHUFFLE_H
#define SHEPARD_CLI_SHUFFLE_H

#include <stddef.h>

/** Brings a random sample of `most` items to the front, in random order; returns its size, at most
 * count. */
size_t shepard_shuffle_sample(size_t *items, size_t count, size_t most);

#endif
