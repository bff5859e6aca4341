/* SPDX-License-Identifier: MIT */
#include "base/lock.h"

#include <pthread.h>

/* One place to sleep for all locks: they are rarely waited for. */
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;

/* A lock is marked, and found taken, behind the door: who opens it then rings after that. */
void shepard_lock_wait(struct shepard_lock *lock)
{
    pthread_mutex_lock(&door);
    while (atomic_exchange(&lock->state, 2) != 0)
        pthread_cond_wait(&bell, &door);
    pthread_mutex_unlock(&door);
}

void shepard_lock_wake(void)
{
    pthread_mutex_lock(&door);
    pthread_cond_broadcast(&bell);
    pthread_mutex_unlock(&door);
}
