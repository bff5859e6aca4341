/* SPDX-License-Identifier: MIT */
#include "api/field.h"

#include "api/argument.h"
#include "api/gaps.h"
#include "base/fault.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/timing.h"

#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

static enum shepard_status check_weights(const double *weights, size_t count,
                                         struct shepard_error *error)
{
    for (size_t i = 0; weights != NULL && i < count; i++)
        if (weights[i] < 0)
            return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "values.weights",
                                "values.weights[%zu] is %g: weights must not be negative", i,
                                weights[i]);
    return SHEPARD_OK;
}

static enum shepard_status check_values(const struct shepard_values *values, size_t count,
                                        struct shepard_error *error)
{
    const size_t columns = values->column_count;
    if (columns == 0 || columns > SHEPARD_COLUMNS_MAX)
        return shepard_fail(error, columns == 0 ? SHEPARD_ERROR_ARGUMENT : SHEPARD_ERROR_SIZE,
                            "values.column_count", "values.column_count is %zu: it must be 1 to %u",
                            columns, SHEPARD_COLUMNS_MAX);
    if (values->columns == NULL)
        return shepard_argument_missing("values.columns", error);
    for (size_t c = 0; c < columns; c++)
        if (values->columns[c] == NULL)
            return shepard_fail(error, SHEPARD_ERROR_ARGUMENT, "values.columns",
                                "values.columns[%zu] is NULL: give a pointer to a value for each "
                                "of the %zu coordinates",
                                c, count);
    return check_weights(values->weights, count, error);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool allocate_groups(struct shepard_field *field, size_t groups)
{
    const struct shepard_allocator *allocator = field->points->allocator_used;
    field->groups = shepard_allocate(allocator, groups, sizeof *field->groups);
    if (field->groups == NULL)
        return false;
    memset(field->groups, 0, groups * sizeof *field->groups);
    field->group_count = groups;
    for (size_t g = 0; g < groups; g++) {
        struct shepard_field_group *group = &field->groups[g];
        group->column = shepard_allocate(allocator, field->columns, sizeof *group->column);
        if (group->column == NULL)
            return false;
    }
    return true;
}

static void free_groups(struct shepard_field *field)
{
    const struct shepard_backend_table *backend = field->points->backend;
    const struct shepard_allocator *allocator = field->points->allocator_used;
    for (size_t g = 0; g < field->group_count; g++) {
        struct shepard_field_group *group = &field->groups[g];
        if (group->prepared != NULL)
            backend->field_free(group->prepared);
        if (group->own != NULL)
            backend->points_free(group->own);
        shepard_release(allocator, group->column);
    }
    shepard_release(allocator, field->groups);
    field->groups = NULL;
    field->group_count = 0;
}

/* All columns on all points; *gaps: they miss values. */
static enum shepard_status build_whole(struct shepard_field *field,
                                       const struct shepard_values *values, bool *gaps,
                                       struct shepard_error *error)
{
    const struct shepard_points *points = field->points;
    if (!allocate_groups(field, 1))
        return shepard_fail_memory(error, "the field");
    for (size_t c = 0; c < field->columns; c++)
        field->groups[0].column[field->groups[0].count++] = c;
    enum shepard_status status = points->backend->field_create(
        points->prepared, values, points->memory_limit, &field->groups[0].prepared, gaps, error);
    if (status == SHEPARD_OK && *gaps)
        free_groups(field);
    return status;
}

/* Points and columns of one group. */
static enum shepard_status build_group(const struct shepard_points *points,
                                       const struct shepard_values *values,
                                       const struct shepard_gaps *gaps, size_t number,
                                       const double **columns, struct shepard_field_group *group,
                                       struct shepard_error *error)
{
    const size_t kept = shepard_gaps_keep(gaps, points, values, number);
    if (kept == 0)
        return shepard_fail(error, SHEPARD_ERROR_NO_POINTS, "values.columns",
                            "values.columns[%zu] has no usable value: each is NaN or infinite, or "
                            "its point has no usable weight: give at least one, or leave the "
                            "column out",
                            gaps->column[number]);
    for (size_t c = 0; c < values->column_count; c++)
        if (gaps->group[c] == number) {
            columns[group->count] = values->columns[c];
            group->column[group->count++] = c;
        }
    const struct shepard_prepared_points *on = points->prepared;
    enum shepard_status status = SHEPARD_OK;
    if (kept < on->geometry.count) {
        status = points->backend->points_subset(on, gaps->keep, &group->own, error);
        on = group->own;
    }
    const struct shepard_values own = {.size = sizeof own,
                                       .column_count = group->count,
                                       .columns = columns,
                                       .weights = values->weights};
    const size_t limit = points->memory_limit / gaps->groups;
    bool more = false;
    return status == SHEPARD_OK
               ? points->backend->field_create(on, &own, limit, &group->prepared, &more, error)
               : status;
}

static enum shepard_status build_groups(struct shepard_field *field,
                                        const struct shepard_values *values,
                                        struct shepard_error *error)
{
    const struct shepard_points *points = field->points;
    const struct shepard_allocator *allocator = points->allocator_used;
    struct shepard_gaps gaps;
    enum shepard_status status = shepard_gaps_find(points, values, &gaps, error);
    if (status != SHEPARD_OK)
        return status;
    const double **columns = shepard_allocate(allocator, field->columns, sizeof *columns);
    if (columns == NULL || !allocate_groups(field, gaps.groups))
        status = shepard_fail_memory(error, "the field");
    for (size_t g = 0; status == SHEPARD_OK && g < gaps.groups; g++)
        status = build_group(points, values, &gaps, g, columns, &field->groups[g], error);
    shepard_release(allocator, columns);
    field->group = gaps.group;
    gaps.group = NULL;
    shepard_gaps_free(&gaps);
    return status;
}

static enum shepard_status build(struct shepard_field *field, const struct shepard_values *values,
                                 struct shepard_error *error)
{
    bool gaps = false;
    enum shepard_status status = build_whole(field, values, &gaps, error);
    return status == SHEPARD_OK && gaps ? build_groups(field, values, error) : status;
}

/* ---- the interface --------------------------------------------------------------------------- */

enum shepard_status shepard_field_create(const struct shepard_points *points,
                                         const struct shepard_values *values,
                                         struct shepard_field **field, struct shepard_error *error)
{
    if (points == NULL)
        return shepard_argument_missing("points", error);
    enum shepard_status status = SHEPARD_ARGUMENT(values, shepard_values, error);
    if (status == SHEPARD_OK)
        status = check_values(values, points->given, error);
    if (status == SHEPARD_OK && field == NULL)
        status = shepard_argument_missing("field", error);
    if (status != SHEPARD_OK)
        return status;
    struct shepard_field *made = shepard_allocate(points->allocator_used, 1, sizeof *made);
    if (made == NULL)
        return shepard_fail_memory(error, "the field");
    *made = (struct shepard_field){.points = points, .columns = values->column_count};
    status = build(made, values, error);
    if (status == SHEPARD_OK)
        *field = made;
    else
        shepard_field_free(made);
    return status;
}

void shepard_field_free(struct shepard_field *field)
{
    if (field == NULL)
        return;
    const struct shepard_allocator *allocator = field->points->allocator_used;
    free_groups(field);
    shepard_release(allocator, field->group);
    shepard_release(allocator, field);
}

static void add_holding(const struct shepard_holding *holding, struct shepard_field_info *info)
{
    info->bytes += holding->bytes;
    info->device_bytes += holding->device_bytes;
    if (*holding->notice != '\0')
        info->notice = holding->notice;
    shepard_timing_add(&holding->timing, &info->timing);
}

void shepard_field_get_info(const struct shepard_field *field, struct shepard_field_info *info)
{
    const struct shepard_backend_table *backend = field->points->backend;
    struct shepard_field_info all = {
        .size = info->size,
        .column_count = field->columns,
        .searches = field->group_count,
        .bytes = sizeof *field +
                 field->group_count * (sizeof *field->groups + field->columns * sizeof(size_t)),
        .notice = "",
    };
    for (size_t g = 0; g < field->group_count; g++) {
        const struct shepard_field_group *group = &field->groups[g];
        struct shepard_holding values = {.notice = ""}, places = {.notice = ""};
        backend->field_holding(group->prepared, &values);
        add_holding(&values, &all);
        if (group->own != NULL) {
            backend->points_holding(group->own, &places);
            add_holding(&places, &all);
        }
    }
    memcpy(info, &all, shepard_smaller(info->size, sizeof all));
}

size_t shepard_field_search(const struct shepard_field *field, size_t column)
{
    return field->group != NULL && column < field->columns ? field->group[column] : 0;
}

size_t shepard_field_count(const struct shepard_field *field, size_t column)
{
    if (column >= field->columns)
        return 0;
    const struct shepard_field_group *group = &field->groups[shepard_field_search(field, column)];
    return shepard_field_group_points(group)->geometry.count;
}
