/* SPDX-License-Identifier: MIT */
/* Parallel loops over blocks of work, with progress and cancellation. */
#ifndef SHEPARD_BASE_PARALLEL_H
#define SHEPARD_BASE_PARALLEL_H

#include "shepard/shepard.h"

/* Threads that a loop with this option uses: the option, or OpenMP's own number for 0. */
int shepard_threads(int option);

/* One block of work; thread in [0, threads). Anything but SHEPARD_OK stops the loop. */
typedef enum shepard_status shepard_block_fn(void *context, size_t block, int thread);

struct shepard_loop {
    int threads; /* >= 1 */
    size_t blocks;
    shepard_block_fn *body;
    void *context;
    const struct shepard_control *control; /* may be NULL */
};

/* Runs body for each block once, in no fixed order. Returns the status of the first block that
 * failed, or SHEPARD_ERROR_CANCELLED if control stopped it. The callback runs on the caller's
 * thread only. */
enum shepard_status shepard_loop_run(const struct shepard_loop *loop);

#endif
