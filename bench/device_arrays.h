/* SPDX-License-Identifier: MIT */
/** A task whose arrays lie on device 0, as those of a program that computes there. */
#ifndef SHEPARD_BENCH_DEVICE_ARRAYS_H
#define SHEPARD_BENCH_DEVICE_ARRAYS_H

#include "record.h"
#include "task.h"

/**
 * Measures points, field and prediction of a list of targets together, so many times after a first
 * time, arrays of a device in and out, and adds what the runs took. *same: they gave the bits that
 * arrays of the host give. SHEPARD_OK, or what failed, said on stderr.
 */
enum shepard_status shepard_device_arrays_measure(const struct shepard_task *task, size_t repeat,
                                                  struct shepard_runs *runs, bool *same);

#endif
