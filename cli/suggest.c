/* SPDX-License-Identifier: MIT */
#include "suggest.h"

#include "shepard/shepard.h"

void shepard_suggest(struct shepard_suggestion *suggestion, const char *name)
{
    /* Of equally near ones the first. */
    const char *const names[] = {suggestion->best, name};
    const size_t skipped = suggestion->best ? 0 : 1;
    const char *const nearest =
        shepard_nearest_name(suggestion->word, names + skipped, 2 - skipped);
    suggestion->best = nearest ? nearest : suggestion->best;
}
