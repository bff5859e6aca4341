/* SPDX-License-Identifier: MIT */
/** Whether all ranks of a job can go on. */
#ifndef SHEPARD_CLI_TOGETHER_H
#define SHEPARD_CLI_TOGETHER_H

#include <stdbool.h>

/** Errors of several ranks wait for shepard_together, and only rank 0 writes notes. */
void shepard_together_begin(void);

/**
 * Of all ranks, before each step that all of them take part in: whether it was good so far on all.
 * If not, the first on which it was not writes its error, and the job is over: from then on this is
 * false without asking the others. A rank that fails calls it, sooner or later, on its way out.
 */
bool shepard_together(bool good);

/** Of all ranks, at the very end: waits for all. */
void shepard_together_end(void);

#endif
