/* SPDX-License-Identifier: MIT */
/* Takes the device's memory away, or the device itself, to see what an engine says then. */
#ifndef SHEPARD_TESTS_PAPERS_HOLD_H
#define SHEPARD_TESTS_PAPERS_HOLD_H

#include <stdbool.h>

/* Takes all but a few MiB; NULL where that failed, or the build has no CUDA. */
void *hold_memory(void);
void release_memory(void *held);

/* Runs a kernel that stops by a trap: from then on every call of this process fails. False where it
 * did not. */
bool lose_device(void);

#endif
