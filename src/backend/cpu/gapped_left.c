/* SPDX-License-Identifier: MIT */
#include "backend/cpu/gapped.h"
#include "base/memory.h"

enum shepard_status shepard_cpu_gapped_leave(struct shepard_cpu_gapped_worker *worker, size_t group,
                                             size_t target)
{
    if (atomic_fetch_add(&worker->call->left[group], 1) >= worker->call->left_most)
        return SHEPARD_OK;
    struct shepard_left *left =
        shepard_reserve(worker->wide.allocator, worker->left, worker->left_count, 1, sizeof *left,
                        &worker->left_room);
    if (left == NULL)
        return SHEPARD_ERROR_MEMORY;
    worker->left = left;
    left[worker->left_count++] = (struct shepard_left){(uint32_t)group, (uint32_t)target};
    return SHEPARD_OK;
}
