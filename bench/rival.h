/* SPDX-License-Identifier: MIT */
/** What else computes such sums on this machine. Each prints a line and records it, or says why it
 * is left out. */
#ifndef SHEPARD_BENCH_RIVAL_H
#define SHEPARD_BENCH_RIVAL_H

#include "record.h"
#include "task.h"

/** The papers' improved AIDW with tiles in shared memory, float, one run: all pairs. */
void shepard_rival_papers(const struct shepard_cloud *cloud, struct shepard_record *record);

/** Brute force in float by PyTorch with torch.compile, powers given, in a process of its own:
 * targets by points. script: torch_brute.py. */
void shepard_rival_torch(const char *script, size_t points, size_t targets,
                         struct shepard_record *record);

#endif
