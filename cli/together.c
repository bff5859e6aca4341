/* SPDX-License-Identifier: MIT */
#include "together.h"

#include "message.h"
#include "ranks.h"

static bool over;

void shepard_together_begin(void)
{
    if (shepard_rank_count() > 1) {
        shepard_messages_wait(shepard_rank() == 0);
    }
}

bool shepard_together(bool good)
{
    if (shepard_rank_count() == 1 || over) {
        return good && !over;
    }
    const int first = shepard_ranks_first(!good);
    over = first < shepard_rank_count();
    if (over) {
        shepard_messages_end(first == shepard_rank());
        shepard_messages_wait(false);
    }
    return !over;
}

void shepard_together_end(void)
{
    if (shepard_rank_count() > 1) {
        shepard_ranks_first(false);
    }
}
