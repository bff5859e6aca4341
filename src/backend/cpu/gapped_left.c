/* SPDX-License-Identifier: MIT */
#include "backend/cpu/gapped.h"
#include "base/memory.h"

static bool reserve_left(struct shepard_cpu_gapped_worker *worker)
{
    const struct shepard_allocator *allocator = worker->wide.allocator;
    if (worker->left_count < worker->left_room)
        return true;
    const size_t room = worker->left_room > 0 ? 2 * worker->left_room : 256;
    struct shepard_left *longer = shepard_allocate(allocator, room, sizeof *longer);
    if (longer == NULL)
        return false;
    if (worker->left_count > 0)
        memcpy(longer, worker->left, worker->left_count * sizeof *longer);
    shepard_release(allocator, worker->left);
    worker->left = longer;
    worker->left_room = room;
    return true;
}

enum shepard_status shepard_cpu_gapped_leave(struct shepard_cpu_gapped_worker *worker, size_t group,
                                             size_t target)
{
    if (atomic_fetch_add(&worker->call->left[group], 1) >= worker->call->left_most)
        return SHEPARD_OK;
    if (!reserve_left(worker))
        return SHEPARD_ERROR_MEMORY;
    worker->left[worker->left_count++] = (struct shepard_left){(uint32_t)group, (uint32_t)target};
    return SHEPARD_OK;
}
