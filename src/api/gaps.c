/* SPDX-License-Identifier: MIT */
#include "api/gaps.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static bool present(const struct shepard_values *values, size_t column, size_t i)
{
    return isfinite(shepard_array_at(&values->columns[column], i)) &&
           (values->weights.data == NULL ||
            shepard_weight_usable(shepard_array_at(&values->weights, i)));
}

static bool same(const struct shepard_gaps *gaps, const struct shepard_values *values, size_t n,
                 size_t a, size_t b)
{
    for (size_t i = 0; i < n; i++)
        if (present(values, a, gaps->index[i]) != present(values, b, gaps->index[i]))
            return false;
    return true;
}

static void find_group(struct shepard_gaps *gaps, const struct shepard_values *values, size_t n,
                       size_t column)
{
    size_t group = 0;
    while (group < gaps->groups && !same(gaps, values, n, gaps->column[group], column))
        group++;
    if (group == gaps->groups)
        gaps->column[gaps->groups++] = column;
    gaps->group[column] = group;
}

static enum shepard_status copy_indices(const struct shepard_points *points, uint32_t *index,
                                        struct shepard_error *error)
{
    const struct shepard_geometry *geometry = &points->prepared->geometry;
    if (points->backend->points_indices != NULL)
        return points->backend->points_indices(points->prepared, index, error);
    memcpy(index, geometry->index, geometry->count * sizeof *index);
    return SHEPARD_OK;
}

enum shepard_status shepard_gaps_find(const struct shepard_points *points,
                                      const struct shepard_values *values,
                                      struct shepard_gaps *gaps, struct shepard_error *error)
{
    const struct shepard_allocator *allocator = points->allocator_used;
    const size_t n = points->prepared->geometry.count, columns = values->column_count;
    *gaps = (struct shepard_gaps){.allocator = allocator};
    gaps->group = shepard_allocate(allocator, columns, sizeof *gaps->group);
    gaps->column = shepard_allocate(allocator, columns, sizeof *gaps->column);
    gaps->keep = shepard_allocate(allocator, points->given, sizeof *gaps->keep);
    gaps->index = shepard_allocate(allocator, n, sizeof *gaps->index);
    enum shepard_status status = SHEPARD_OK;
    if (!gaps->group || !gaps->column || !gaps->keep || !gaps->index)
        status = shepard_error_set_memory(error, "the field");
    else
        status = copy_indices(points, gaps->index, error);
    for (size_t c = 0; status == SHEPARD_OK && c < columns; c++)
        find_group(gaps, values, n, c);
    if (status != SHEPARD_OK)
        shepard_gaps_free(gaps);
    return status;
}

size_t shepard_gaps_keep(const struct shepard_gaps *gaps, const struct shepard_points *points,
                         const struct shepard_values *values, size_t group)
{
    const size_t n = points->prepared->geometry.count;
    size_t kept = 0;
    memset(gaps->keep, 0, points->given * sizeof *gaps->keep);
    for (size_t i = 0; i < n; i++) {
        gaps->keep[gaps->index[i]] = present(values, gaps->column[group], gaps->index[i]);
        kept += gaps->keep[gaps->index[i]];
    }
    return kept;
}

void shepard_gaps_free(struct shepard_gaps *gaps)
{
    shepard_release(gaps->allocator, gaps->index);
    shepard_release(gaps->allocator, gaps->keep);
    shepard_release(gaps->allocator, gaps->column);
    shepard_release(gaps->allocator, gaps->group);
    *gaps = (struct shepard_gaps){0};
}
