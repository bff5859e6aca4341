/* SPDX-License-Identifier: MIT */
/* Which process this is: a child of fork() has the memory of its parent, but not its threads. */
#ifndef SHEPARD_BASE_PROCESS_H
#define SHEPARD_BASE_PROCESS_H

#include <unistd.h>

static inline long shepard_process_id(void)
{
    return (long)getpid();
}

#endif
