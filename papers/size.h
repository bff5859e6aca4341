/* SPDX-License-Identifier: MIT */
/** Numbers of points as the papers write them: 10K is 10240. */
#ifndef SHEPARD_PAPERS_SIZE_H
#define SHEPARD_PAPERS_SIZE_H

#include <stdbool.h>
#include <stddef.h>

/** Reads "10K" (1K = 1024), "1M" (1024K) or digits; false if it is no size, or not from 1 to
 * SHEPARD_POINTS_MAX. */
bool shepard_size_parse(const char *text, size_t *size);

#endif
