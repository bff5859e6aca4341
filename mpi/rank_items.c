/* SPDX-License-Identifier: MIT */
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

void shepard_rank_items_free(struct shepard_rank_items *items)
{
    free(items->items);
    free(items->counts);
    *items = (struct shepard_rank_items){0};
}

bool shepard_rank_items_copy(const void *mine, size_t count, size_t size,
                             struct shepard_rank_items *all)
{
    void *const items = realloc(all->items, count * size + 1);
    *all = (struct shepard_rank_items){.size = size,
                                       .items = items ? items : all->items,
                                       .counts = malloc(sizeof *all->counts),
                                       .count = count};
    if (!items || !all->counts) {
        shepard_rank_items_free(all);
        return false;
    }
    if (count > 0) {
        memcpy(all->items, mine, count * size);
    }
    all->counts[0] = count;
    return true;
}

/* What launchers tell the processes that they start: Open MPI; MPICH and what goes with it; Slurm,
 * whose variable alone says nothing of how a step was started. */
int shepard_ranks_started(void)
{
    const char *text = getenv("OMPI_COMM_WORLD_SIZE");
    text = text ? text : getenv("PMI_SIZE");
    text = text || !getenv("PMIX_RANK") ? text : getenv("SLURM_STEP_NUM_TASKS");
    const int count = text ? atoi(text) : 1;
    return count > 1 ? count : 1;
}
