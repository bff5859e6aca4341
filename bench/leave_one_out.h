/* SPDX-License-Identifier: MIT */
/** Predictions at the places of the data, each point left out of its own, relative to those at as
 * many other places. */
#ifndef SHEPARD_BENCH_LEAVE_ONE_OUT_H
#define SHEPARD_BENCH_LEAVE_ONE_OUT_H

#include "record.h"
#include "task.h"

/** Measures a task with as many targets as points, called `way` in the record: turns of both into
 * values, room for as many. *ratio: the median of the turns' ratios. False, said on stderr, where
 * one failed. */
bool shepard_leave_one_out_measure(const struct shepard_task *task, const char *way, size_t turns,
                                   double *values, struct shepard_record *record, double *ratio);

#endif
