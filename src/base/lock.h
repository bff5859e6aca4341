/* SPDX-License-Identifier: MIT */
/* A lock for work that is rarely waited for. Zeroed memory is an open lock. */
#ifndef SHEPARD_BASE_LOCK_H
#define SHEPARD_BASE_LOCK_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

struct shepard_lock {
    atomic_bool taken;
};

static inline void shepard_lock_take(struct shepard_lock *lock)
{
    while (atomic_exchange(&lock->taken, true))
        sched_yield();
}

static inline void shepard_lock_leave(struct shepard_lock *lock)
{
    atomic_store(&lock->taken, false);
}

#endif
