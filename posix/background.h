/* SPDX-License-Identifier: MIT */
/** Work on a thread of its own, beside the caller's. */
#ifndef SHEPARD_POSIX_BACKGROUND_H
#define SHEPARD_POSIX_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>

/** Start from {0}. */
struct shepard_background {
    pthread_t thread;
    bool runs;
};

/** Calls work(user): on a new thread, or before it returns where none can be made. What ran before
 * must have been waited for. */
void shepard_background_start(struct shepard_background *background, void *(*work)(void *user),
                              void *user);

/** Until the work is done. Where nothing runs, nothing is done. */
void shepard_background_wait(struct shepard_background *background);

#endif
