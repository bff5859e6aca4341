/* SPDX-License-Identifier: MIT */
/* Takes the device's memory away, to see what an engine says then. */
#ifndef SHEPARD_TESTS_PAPERS_HOLD_H
#define SHEPARD_TESTS_PAPERS_HOLD_H

/* Takes all but a few MiB; NULL where that failed, or the build has no CUDA. */
void *hold_memory(void);
void release_memory(void *held);

#endif
