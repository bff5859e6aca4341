/* SPDX-License-Identifier: MIT */
/* A build without MPI: one process. */
#include "ranks.h"

bool shepard_ranks_begin(void)
{
    return shepard_ranks_started() == 1;
}

void shepard_ranks_end(void) {}

int shepard_rank(void)
{
    return 0;
}

int shepard_rank_count(void)
{
    return 1;
}

int shepard_rank_on_machine(void)
{
    return 0;
}

int shepard_ranks_first(bool holds)
{
    return holds ? 0 : 1;
}

void shepard_ranks_sum(uint64_t *numbers, size_t count)
{
    (void)numbers;
    (void)count;
}

void shepard_ranks_least(double *numbers, size_t count)
{
    (void)numbers;
    (void)count;
}

void shepard_ranks_most(double *numbers, size_t count)
{
    (void)numbers;
    (void)count;
}

void shepard_ranks_tell(char *text, size_t size)
{
    (void)text;
    (void)size;
}

bool shepard_ranks_gather(const void *mine, size_t count, size_t size,
                          struct shepard_rank_items *all)
{
    return shepard_rank_items_copy(mine, count, size, all);
}

bool shepard_ranks_exchange(const struct shepard_rank_items *out, struct shepard_rank_items *in)
{
    return shepard_rank_items_copy(out->items, out->count, out->size, in);
}
