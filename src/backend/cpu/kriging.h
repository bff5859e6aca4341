/* SPDX-License-Identifier: MIT */
/* Kriging on the CPU: the systems of a thread's targets, several at once where double solves them,
 * the others one by one. */
#ifndef SHEPARD_BACKEND_CPU_KRIGING_H
#define SHEPARD_BACKEND_CPU_KRIGING_H

#include "backend/cpu/worker.h"

/* Scratch of one thread. */
struct shepard_cpu_kriging;

/* NULL: out of memory. */
struct shepard_cpu_kriging *shepard_cpu_kriging_create(const struct shepard_cpu_engine *engine);

/* NULL is allowed. */
void shepard_cpu_kriging_free(struct shepard_cpu_kriging *kriging,
                              const struct shepard_allocator *allocator);

/* Predicts a target from the points found, at once or when others have joined it. */
enum shepard_status shepard_cpu_kriging_answer(struct shepard_cpu_worker *worker,
                                               const struct shepard_cpu_found *found);

/* Predicts the targets that wait. */
enum shepard_status shepard_cpu_kriging_flush(struct shepard_cpu_worker *worker);

/* Predicts worker->block from all points. */
enum shepard_status shepard_cpu_kriging_predict_all_points(struct shepard_cpu_worker *worker);

#endif
