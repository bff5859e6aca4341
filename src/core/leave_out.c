/* SPDX-License-Identifier: MIT */
#include "core/leave_out.h"

#include "base/memory.h"
#include "core/hilbert.h"

/* given: coordinates of the caller. NULL where memory is out. */
static uint32_t *ranks_of(const struct shepard_geometry *points, size_t given)
{
    uint32_t *rank = shepard_allocate(points->allocator, given, sizeof *rank);
    if (rank == NULL)
        return NULL;
    for (size_t i = 0; i < given; i++)
        rank[i] = SHEPARD_NO_POINT;
    for (size_t i = 0; i < points->count; i++)
        rank[points->index[i]] = (uint32_t)i;
    return rank;
}

enum shepard_status shepard_leave_out_create(const struct shepard_targets_view *targets,
                                             const struct shepard_geometry *all,
                                             const struct shepard_geometry *points,
                                             struct shepard_leave_out *leave_out)
{
    const size_t given = all->count + all->skipped;
    *leave_out = (struct shepard_leave_out){.all = all,
                                            .points = points,
                                            .keep_coincident = targets->keep_coincident,
                                            .indices = targets->indices,
                                            .rank = ranks_of(all, given),
                                            .allocator = all->allocator};
    if (points != all)
        leave_out->rank_used = ranks_of(points, given);
    if (leave_out->rank != NULL && (points == all || leave_out->rank_used != NULL))
        return SHEPARD_OK;
    shepard_leave_out_free(leave_out);
    return SHEPARD_ERROR_MEMORY;
}

void shepard_leave_out_free(struct shepard_leave_out *leave_out)
{
    shepard_release(leave_out->allocator, leave_out->rank_used);
    shepard_release(leave_out->allocator, leave_out->rank);
    *leave_out = (struct shepard_leave_out){0};
}

/* The index of target i into the caller's coordinates. */
static size_t index_of(const struct shepard_leave_out *leave_out, size_t i)
{
    return leave_out->indices != NULL ? leave_out->indices[i] : i;
}

bool shepard_leave_out_place(const struct shepard_leave_out *leave_out, size_t i, double *x,
                             double *y)
{
    const uint32_t rank = leave_out->rank[index_of(leave_out, i)];
    if (rank == SHEPARD_NO_POINT)
        return false;
    *x = leave_out->all->x[rank];
    *y = leave_out->all->y[rank];
    return true;
}

/* Those at the place of point `at`. */
static struct shepard_left_out around(const struct shepard_geometry *points, size_t at)
{
    const double x = points->x[at], y = points->y[at];
    size_t first = at, end = at + 1, count = 1;
    for (size_t i = at; i > 0 && first - (i - 1) < SHEPARD_HILBERT_RUN; i--)
        if (points->x[i - 1] == x && points->y[i - 1] == y) {
            first = i - 1;
            count++;
        }
    for (size_t i = end; i < points->count && i - end < SHEPARD_HILBERT_RUN; i++)
        if (points->x[i] == x && points->y[i] == y) {
            end = i + 1;
            count++;
        }
    return (struct shepard_left_out){(uint32_t)first, (uint32_t)end, (uint32_t)count};
}

/* The same points where they stand in the subset that is used. */
static struct shepard_left_out in_subset(const struct shepard_leave_out *leave_out,
                                         const struct shepard_left_out *in_all, size_t at)
{
    const struct shepard_geometry *all = leave_out->all;
    struct shepard_left_out left_out = {UINT32_MAX, 0, 0};
    for (size_t i = in_all->first; i < in_all->end; i++) {
        const uint32_t rank = leave_out->rank_used[all->index[i]];
        if (rank == SHEPARD_NO_POINT || all->x[i] != all->x[at] || all->y[i] != all->y[at])
            continue;
        left_out.first = rank < left_out.first ? rank : left_out.first;
        left_out.end = rank >= left_out.end ? rank + 1 : left_out.end;
        left_out.count++;
    }
    return left_out.count > 0 ? left_out : (struct shepard_left_out){0, 0, 0};
}

struct shepard_left_out shepard_leave_out_of(const struct shepard_leave_out *leave_out, size_t i)
{
    const uint32_t at = leave_out->rank[index_of(leave_out, i)];
    struct shepard_left_out left_out = {at, at + 1, 1};
    if (!leave_out->keep_coincident)
        left_out = around(leave_out->all, at);
    return leave_out->rank_used != NULL ? in_subset(leave_out, &left_out, at) : left_out;
}
