/* SPDX-License-Identifier: MIT */
/* A lock whose waiting threads sleep. Zeroed memory is an open lock, and nothing is to be closed.
 */
#ifndef SHEPARD_BASE_LOCK_H
#define SHEPARD_BASE_LOCK_H

#include <stdatomic.h>

/* 0: open; 1: taken; 2: taken, and somebody may sleep. */
struct shepard_lock {
    atomic_int state;
};

/* Where threads sleep that want a lock which is taken, and what wakes them. */
void shepard_lock_wait(struct shepard_lock *lock);
void shepard_lock_wake(void);

static inline void shepard_lock_take(struct shepard_lock *lock)
{
    int open = 0;
    if (!atomic_compare_exchange_strong(&lock->state, &open, 1))
        shepard_lock_wait(lock);
}

static inline void shepard_lock_leave(struct shepard_lock *lock)
{
    if (atomic_exchange(&lock->state, 0) == 2)
        shepard_lock_wake();
}

#endif
