/* SPDX-License-Identifier: MIT */
#include "suggest.h"

#include "message.h"

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

bool shepard_say_unknown(const struct shepard_suggestion *suggestion, const char *what,
                         const char *otherwise)
{
    const char *const best = suggestion->best;
    return shepard_say_error("%s '%s'; %s%s%s", what, suggestion->word, best ? "did you mean " : "",
                             best ? best : otherwise, best ? "?" : "");
}
