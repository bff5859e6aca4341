/* SPDX-License-Identifier: MIT */
/* Where a thread cannot be given a stack to watch. */
#include "suite.h"

#include <stdio.h>

void suite_stack(const struct suite *suite)
{
    (void)suite;
    printf("skipped: no thread with a stack of its own\n");
}

void suite_small_stack(const struct suite *suite)
{
    suite_stack(suite);
}
