/* SPDX-License-Identifier: MIT */
/** A task on the backend cuda beside the same on the CPU. */
#ifndef SHEPARD_BENCH_BESIDE_CPU_H
#define SHEPARD_BENCH_BESIDE_CPU_H

#include "record.h"
#include "task.h"

/** Records the seconds of points, field and predictions on both, and the largest difference of a
 * value, a fraction of the value range. values: room for the predictions of either. False, said on
 * stderr, where it failed or the device left the work to the CPU. */
bool shepard_beside_cpu_measure(const struct shepard_task *task, const char *name, size_t turns,
                                double *const values[2]);

#endif
