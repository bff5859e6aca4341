/* SPDX-License-Identifier: MIT */
/** Several threads that do the same work, each its share of it. */
#ifndef SHEPARD_POSIX_THREAD_TEAM_H
#define SHEPARD_POSIX_THREAD_TEAM_H

#include <stddef.h>

/** Threads of a team, at most. */
enum { SHEPARD_TEAM_MAX = 64 };

/** The threads of a team of so many: 1 to SHEPARD_TEAM_MAX. */
int shepard_team_size(int threads);

/** Where thread's share of some things begins; that of the next thread is its end. */
size_t shepard_team_share(size_t count, int thread, int threads);

/** Calls work(user, thread) for each thread from 0 to threads - 1, as shepard_team_size gave them,
 * and waits for all. The caller's has number 0, and does the work of threads that cannot be made.
 */
void shepard_team_run(int threads, void (*work)(void *user, int thread), void *user);

#endif
