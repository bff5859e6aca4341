/* SPDX-License-Identifier: MIT */
/* Lazy initialization, safe for concurrent threads. Zeroed memory: not initialized. */
#ifndef SHEPARD_BASE_ONCE_H
#define SHEPARD_BASE_ONCE_H

#include "base/lock.h"
#include "shepard/shepard.h"

struct shepard_once {
    struct shepard_lock lock; /* of the making */
    atomic_bool ready;        /* set last: no other thread reads the object before */
};

static inline bool shepard_once_is_ready(const struct shepard_once *once)
{
    return atomic_load(&once->ready);
}

/* Whether the caller has to initialize; then shepard_once_end must follow. */
static inline bool shepard_once_begin(struct shepard_once *once)
{
    if (shepard_once_is_ready(once))
        return false;
    shepard_lock_take(&once->lock);
    if (!shepard_once_is_ready(once))
        return true;
    shepard_lock_leave(&once->lock);
    return false;
}

/* Ends the initialization and returns its status. After a failure the next caller tries again. */
static inline enum shepard_status shepard_once_end(struct shepard_once *once,
                                                   enum shepard_status status)
{
    if (status == SHEPARD_OK)
        atomic_store(&once->ready, true);
    shepard_lock_leave(&once->lock);
    return status;
}

#endif
