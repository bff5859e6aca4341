/* SPDX-License-Identifier: MIT */
/** What else computes such sums on this GPU. Each is recorded, or says why it is left out. */
#ifndef SHEPARD_BENCH_GPU_PEERS_H
#define SHEPARD_BENCH_GPU_PEERS_H

#include "accuracy_run.h"

/** The papers' improved AIDW with tiles in shared memory, float, one run: all pairs. values: [m],
 * room for its predictions. */
void shepard_gpu_peer_papers(const struct shepard_dataset *dataset, double *values,
                             struct shepard_record *record);

/** Brute force in float by PyTorch with torch.compile, powers given, in a process of its own:
 * targets by points. script: torch_brute.py. */
void shepard_gpu_peer_torch(const char *script, size_t points, size_t targets,
                            struct shepard_record *record);

#endif
