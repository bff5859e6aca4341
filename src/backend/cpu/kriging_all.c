/* SPDX-License-Identifier: MIT */
#include "backend/cpu/kriging_all.h"

#include "base/memory.h"

static void destroy(struct shepard_cpu_kriging_all *all)
{
    if (all == NULL)
        return;
    const struct shepard_allocator *allocator = all->system.allocator;
    shepard_kriging_free(&all->system);
    shepard_release(allocator, all->rank);
    shepard_release(allocator, all);
}

static enum shepard_status make(const struct shepard_samples *points,
                                const struct shepard_variogram *variogram,
                                struct shepard_cpu_kriging_all **all)
{
    struct shepard_cpu_kriging_all *made = shepard_allocate(points->allocator, 1, sizeof *made);
    if (made == NULL)
        return SHEPARD_ERROR_MEMORY;
    *made = (struct shepard_cpu_kriging_all){.variogram = *variogram};
    made->system = shepard_kriging_system_of(&made->variogram, points->allocator);
    made->rank = shepard_allocate(points->allocator, points->count, sizeof *made->rank);
    enum shepard_status status = made->rank != NULL ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
    for (size_t i = 0; status == SHEPARD_OK && i < points->count; i++)
        made->rank[i] = (uint32_t)i;
    const struct shepard_kriging_points used = {points->x, points->y, made->rank, points->count};
    if (status == SHEPARD_OK)
        status = shepard_kriging_factor(&made->system, &used);
    if (status == SHEPARD_OK)
        *all = made;
    else
        destroy(made);
    return status;
}

static bool is_same(const struct shepard_variogram *a, const struct shepard_variogram *b)
{
    const bool p_counts = a->covariance == SHEPARD_COVARIANCE_STABLE;
    return a->covariance == b->covariance && a->structure == b->structure &&
           a->nugget == b->nugget && a->unit == b->unit && (!p_counts || a->p == b->p) &&
           a->simple == b->simple && a->universal == b->universal;
}

enum shepard_status shepard_cpu_kriging_take_all(struct shepard_cpu_kriging_kept *kept,
                                                 const struct shepard_samples *points,
                                                 const struct shepard_variogram *variogram,
                                                 struct shepard_cpu_kriging_all **all)
{
    enum shepard_status status = SHEPARD_OK;
    shepard_lock_take(&kept->lock);
    if (kept->all != NULL && is_same(&kept->all->variogram, variogram)) {
        *all = kept->all;
    } else {
        status = make(points, variogram, all);
        if (status == SHEPARD_OK && (kept->all == NULL || kept->all->users == 0)) {
            destroy(kept->all);
            kept->all = *all;
        }
    }
    if (status == SHEPARD_OK)
        (*all)->users++;
    shepard_lock_leave(&kept->lock);
    return status;
}

static size_t bytes_of(const struct shepard_cpu_kriging_all *all)
{
    return sizeof *all + all->system.count * sizeof *all->rank +
           shepard_kriging_bytes(&all->system);
}

void shepard_cpu_kriging_give_back(struct shepard_cpu_kriging_kept *kept,
                                   struct shepard_cpu_kriging_all *all, size_t memory_limit)
{
    if (all == NULL)
        return;
    shepard_lock_take(&kept->lock);
    const bool keeps = all == kept->all && bytes_of(all) <= memory_limit;
    if (--all->users == 0 && !keeps) {
        kept->all = all == kept->all ? NULL : kept->all;
        destroy(all);
    }
    shepard_lock_leave(&kept->lock);
}

void shepard_cpu_kriging_drop(struct shepard_cpu_kriging_kept *kept)
{
    destroy(kept->all);
    kept->all = NULL;
}

size_t shepard_cpu_kriging_kept_bytes(struct shepard_cpu_kriging_kept *kept)
{
    shepard_lock_take(&kept->lock);
    const size_t bytes = kept->all != NULL ? bytes_of(kept->all) : 0;
    shepard_lock_leave(&kept->lock);
    return bytes;
}
