/* SPDX-License-Identifier: MIT */
#include "api/field.h"

#include "api/argument.h"
#include "api/array.h"
#include "api/gaps.h"
#include "api/whole.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- checks ---------------------------------------------------------------------------------- */

/* *first: the first weight that is negative, which is *weight; values->memory: theirs. */
static enum shepard_status find_negative(const struct shepard_values *values,
                                         const struct shepard_points *points, size_t n,
                                         size_t *first, double *weight, struct shepard_error *error)
{
    static const double negative[2] = {-INFINITY, 0};
    const struct shepard_device_arrays *arrays = points->backend->arrays;
    struct shepard_array array = values->weights;
    if (values->memory.kind == SHEPARD_MEMORY_HOST) {
        for (*first = 0; *first < n && !(shepard_array_at(&array, *first) < 0);)
            ++*first;
        *weight = *first < n ? shepard_array_at(&array, *first) : 0;
        return SHEPARD_OK;
    }
    const enum shepard_status status =
        arrays->find(&array, NULL, n, negative, &values->memory, first, error);
    if (status != SHEPARD_OK || *first == n)
        return status;
    array.data = (const char *)array.data + (ptrdiff_t)*first * array.stride;
    return arrays->download(&array, 1, &values->memory, weight, error);
}

static enum shepard_status check_weights(struct shepard_values *values,
                                         const struct shepard_points *points, size_t n,
                                         struct shepard_error *error)
{
    static const char name[] = "values.weights";
    size_t first = n;
    double weight = 0;
    enum shepard_status status = shepard_array_check_optional(&values->weights, n, name, error);
    if (status == SHEPARD_OK)
        status = shepard_array_check_place(&values->weights, n, &values->memory, points->backend,
                                           name, error);
    if (status != SHEPARD_OK || values->weights.data == NULL)
        return status;
    status = find_negative(values, points, n, &first, &weight, error);
    if (status != SHEPARD_OK || first == n)
        return status;
    return shepard_error_set(error, SHEPARD_ERROR_ARGUMENT, name,
                             "%s[%zu] is %g: weights must not be negative", name, first, weight);
}

static enum shepard_status check_columns(const struct shepard_values *values,
                                         const struct shepard_points *points, size_t n,
                                         struct shepard_array *resolved,
                                         struct shepard_error *error)
{
    char name[64];
    enum shepard_status status = shepard_array_check_columns(
        values->column_stride, values->column_count, "values.column_stride", error);
    for (size_t c = 0; status == SHEPARD_OK && c < values->column_count; c++) {
        snprintf(name, sizeof name, "values.columns[%zu]", c);
        resolved[c] = shepard_array_of_column(values->columns, values->column_stride, c);
        status = shepard_array_check(&resolved[c], n, name, error);
        if (status == SHEPARD_OK)
            status = shepard_array_check_place(&resolved[c], n, &values->memory, points->backend,
                                               name, error);
    }
    return status;
}

static enum shepard_status check_count(const struct shepard_values *values,
                                       struct shepard_error *error)
{
    const size_t columns = values->column_count;
    if (columns == 0 || columns > SHEPARD_COLUMNS_MAX)
        return shepard_error_set(error, columns == 0 ? SHEPARD_ERROR_ARGUMENT : SHEPARD_ERROR_SIZE,
                                 "values.column_count",
                                 "values.column_count is %zu: it must be 1 to %u", columns,
                                 SHEPARD_COLUMNS_MAX);
    return values->columns == NULL ? shepard_argument_missing("values.columns", error) : SHEPARD_OK;
}

enum shepard_status shepard_field_take_values(const struct shepard_values *values,
                                              const struct shepard_points *points, size_t count,
                                              struct shepard_array **room,
                                              struct shepard_values *resolved,
                                              struct shepard_error *error)
{
    enum shepard_status status = check_count(values, error);
    if (status == SHEPARD_OK)
        status = shepard_memory_check(&values->memory, points->backend, "values.memory", error);
    if (status != SHEPARD_OK)
        return status;
    *room = shepard_allocate(points->allocator_used, values->column_count, sizeof **room);
    if (*room == NULL)
        return shepard_error_set_memory(error, "the field");
    *resolved = *values;
    resolved->columns = *room;
    resolved->column_stride = 0;
    status = check_columns(values, points, count, *room, error);
    if (status == SHEPARD_OK)
        status = shepard_memory_check_stream(&values->memory, resolved->columns[0].data,
                                             points->backend, "values.memory.stream", error);
    return status == SHEPARD_OK ? check_weights(resolved, points, count, error) : status;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* group: the number of each column's; NULL: all in one. */
static bool allocate_groups(struct shepard_field *field, const size_t *group, size_t groups)
{
    const struct shepard_allocator *allocator = field->points->allocator_used;
    size_t placed = 0;
    field->order = shepard_allocate(allocator, field->columns, sizeof *field->order);
    field->groups = shepard_allocate(allocator, groups, sizeof *field->groups);
    if (field->order == NULL || field->groups == NULL)
        return false;
    memset(field->groups, 0, groups * sizeof *field->groups);
    field->group_count = groups;
    for (size_t g = 0; g < groups; g++) {
        const size_t first = placed;
        for (size_t c = 0; c < field->columns; c++)
            if (group == NULL || group[c] == g)
                field->order[placed++] = c;
        field->groups[g].column = field->order + first;
        field->groups[g].count = placed - first;
    }
    return true;
}

static void free_group(const struct shepard_field *field, struct shepard_field_group *group)
{
    const struct shepard_backend_table *backend = field->points->backend;
    if (group->prepared != NULL)
        backend->field_free(group->prepared);
    if (group->own != NULL)
        backend->points_free(group->own);
    group->prepared = NULL;
    group->own = NULL;
}

static void free_groups(struct shepard_field *field)
{
    const struct shepard_allocator *allocator = field->points->allocator_used;
    for (size_t g = 0; g < field->group_count; g++)
        free_group(field, &field->groups[g]);
    shepard_release(allocator, field->groups);
    shepard_release(allocator, field->order);
    field->groups = NULL;
    field->order = NULL;
    field->group_count = 0;
}

/* All columns on all points; *gaps: they miss values. */
static enum shepard_status build_whole(struct shepard_field *field,
                                       const struct shepard_values *values, bool *gaps,
                                       struct shepard_error *error)
{
    const struct shepard_points *points = field->points;
    if (!allocate_groups(field, NULL, 1))
        return shepard_error_set_memory(error, "the field");
    enum shepard_status status = points->backend->field_create(
        points->prepared, values, points->memory_limit, &field->groups[0].prepared, gaps, error);
    if (status == SHEPARD_OK && *gaps)
        free_groups(field);
    return status;
}

static enum shepard_status fail_empty(size_t column, struct shepard_error *error)
{
    return shepard_error_set(error, SHEPARD_ERROR_NO_POINTS, "values.columns",
                             "values.columns[%zu] has no usable value: each is NaN or infinite, or "
                             "its point has no usable weight: give at least one, or leave the "
                             "column out",
                             column);
}

/* The points and values of one group; kept: how many of keep are true. */
static enum shepard_status build_group(const struct shepard_field *field,
                                       const struct shepard_values *own, const bool *keep,
                                       size_t kept, struct shepard_field_group *group,
                                       struct shepard_error *error)
{
    const struct shepard_points *points = field->points;
    const struct shepard_prepared_points *on = points->prepared;
    enum shepard_status status = SHEPARD_OK;
    if (kept < on->geometry.count) {
        status = points->backend->points_subset(on, keep, &group->own, error);
        on = group->own;
    }
    const size_t limit = points->memory_limit / field->group_count;
    bool more = false;
    if (status == SHEPARD_OK)
        status = points->backend->field_create(on, own, limit, &group->prepared, &more, error);
    if (status != SHEPARD_OK)
        free_group(field, group);
    return status;
}

/* Each group on its own. */
static enum shepard_status build_each(struct shepard_field *field,
                                      const struct shepard_values *values,
                                      const struct shepard_gaps *gaps, struct shepard_error *error)
{
    const struct shepard_allocator *allocator = field->points->allocator_used;
    struct shepard_array *columns = shepard_allocate(allocator, field->columns, sizeof *columns);
    enum shepard_status status =
        columns == NULL ? shepard_error_set_memory(error, "the field") : SHEPARD_OK;
    for (size_t g = 0; status == SHEPARD_OK && g < field->group_count; g++) {
        struct shepard_field_group *group = &field->groups[g];
        const size_t kept = shepard_gaps_keep(gaps, field->points, values, g);
        const struct shepard_values own = {.size = sizeof own,
                                           .column_count = group->count,
                                           .columns = columns,
                                           .weights = values->weights,
                                           .memory = values->memory};
        for (size_t c = 0; c < group->count; c++)
            columns[c] = values->columns[group->column[c]];
        status = kept == 0 ? fail_empty(group->column[0], error)
                           : build_group(field, &own, gaps->keep, kept, group, error);
    }
    shepard_release(allocator, columns);
    return status;
}

/* The values of all groups, for predictions together. */
static enum shepard_status build_gapped(struct shepard_field *field,
                                        const struct shepard_values *values,
                                        const struct shepard_gaps *gaps,
                                        struct shepard_error *error)
{
    const struct shepard_points *points = field->points;
    field->gapped = shepard_allocate(points->allocator_used, 1, sizeof *field->gapped);
    if (field->gapped == NULL)
        return shepard_error_set_memory(error, "the field");
    enum shepard_status status = shepard_gapped_create(
        &points->prepared->geometry, values, gaps->group, gaps->groups, field->gapped, error);
    for (size_t g = 0; status == SHEPARD_OK && g < gaps->groups; g++)
        if (field->gapped->group[g].geometry.count == 0)
            status = fail_empty(gaps->column[g], error);
    return status;
}

static enum shepard_status build_groups(struct shepard_field *field,
                                        const struct shepard_values *values,
                                        struct shepard_error *error)
{
    const struct shepard_points *points = field->points;
    struct shepard_gaps gaps;
    enum shepard_status status = shepard_gaps_find(points, values, &gaps, error);
    if (status != SHEPARD_OK)
        return status;
    if (!allocate_groups(field, gaps.group, gaps.groups))
        status = shepard_error_set_memory(error, "the field");
    else if (points->backend->predict_gapped != NULL && gaps.groups > 1 &&
             !shepard_frame_is_3d(&points->prepared->geometry.frame))
        status = build_gapped(field, values, &gaps, error);
    else
        status = build_each(field, values, &gaps, error);
    field->group = gaps.group;
    gaps.group = NULL;
    shepard_gaps_free(&gaps);
    return status;
}

/* ---- groups that are first needed alone ------------------------------------------------------ */

/* Room for a group's values in the order of the caller's coordinates. */
struct restored {
    bool *keep;                    /* [given] */
    struct shepard_array *columns; /* [group's] */
    double *values;                /* [group's + 1, given]; the last: weights */
};

static void restore(const struct shepard_field *field, size_t g, const struct restored *to)
{
    const struct shepard_gapped *gapped = field->gapped;
    const size_t given = field->points->given, count = field->groups[g].count;
    memset(to->keep, 0, given * sizeof *to->keep);
    shepard_gapped_keep(gapped, g, to->keep);
    for (size_t c = 0; c < count; c++) {
        shepard_gapped_restore(gapped, gapped->group[g].first + c, to->values + c * given);
        to->columns[c] =
            (struct shepard_array){to->values + c * given, SHEPARD_FLOAT64, sizeof(double)};
    }
    if (gapped->weights != NULL)
        shepard_gapped_restore_weights(gapped, to->values + count * given);
}

static enum shepard_status build_restored(const struct shepard_field *field, size_t g,
                                          struct shepard_error *error)
{
    const struct shepard_allocator *allocator = field->points->allocator_used;
    const struct shepard_gapped *gapped = field->gapped;
    const size_t given = field->points->given;
    struct shepard_field_group *group = &field->groups[g];
    const struct restored to = {
        shepard_allocate(allocator, given, sizeof *to.keep),
        shepard_allocate(allocator, group->count, sizeof *to.columns),
        shepard_allocate(allocator, group->count + 1, given * sizeof *to.values)};
    enum shepard_status status = SHEPARD_ERROR_MEMORY;
    if (to.keep && to.columns && to.values) {
        restore(field, g, &to);
        const double *weights = gapped->weights != NULL ? to.values + group->count * given : NULL;
        const struct shepard_array q = {weights, SHEPARD_FLOAT64, sizeof(double)};
        const struct shepard_values own = {
            .size = sizeof own, .column_count = group->count, .columns = to.columns, .weights = q};
        status = build_group(field, &own, to.keep, gapped->group[g].geometry.count, group, error);
    } else {
        shepard_error_set_memory(error, "the field");
    }
    shepard_release(allocator, to.values);
    shepard_release(allocator, to.columns);
    shepard_release(allocator, to.keep);
    return status;
}

enum shepard_status shepard_field_provide(const struct shepard_field *field, size_t group,
                                          struct shepard_error *error)
{
    struct shepard_once *once = &field->groups[group].once;
    if (field->gapped == NULL || !shepard_once_begin(once))
        return SHEPARD_OK;
    return shepard_once_end(once, build_restored(field, group, error));
}

/* A copy on the host of an array of a device; NULL where memory ran out. */
static double *copy_to_host(const struct shepard_points *points,
                            const struct shepard_memory *memory, struct shepard_array *array,
                            enum shepard_status *status, struct shepard_error *error)
{
    double *copy = shepard_allocate(points->allocator_used, points->given, sizeof *copy);
    if (copy == NULL)
        *status = shepard_error_set_memory(error, "the field");
    else
        *status = points->backend->arrays->download(array, points->given, memory, copy, error);
    *array = (struct shepard_array){copy, SHEPARD_FLOAT64, sizeof(double)};
    return copy;
}

/* Gaps are found on the host: groups of values that lie on a device, from copies of them. */
static enum shepard_status build_groups_of_device(struct shepard_field *field,
                                                  const struct shepard_values *values,
                                                  struct shepard_error *error)
{
    const struct shepard_points *points = field->points;
    const struct shepard_allocator *allocator = points->allocator_used;
    const size_t count = values->column_count + 1; /* the last are the weights */
    struct shepard_array *arrays = shepard_allocate(allocator, count, sizeof *arrays);
    double **copies = shepard_allocate(allocator, count, sizeof *copies);
    enum shepard_status status =
        arrays && copies ? SHEPARD_OK : shepard_error_set_memory(error, "the field");
    for (size_t c = 0; copies != NULL && c < count; c++)
        copies[c] = NULL;
    for (size_t c = 0; status == SHEPARD_OK && c < count; c++) {
        arrays[c] = c + 1 < count ? values->columns[c] : values->weights;
        if (arrays[c].data != NULL)
            copies[c] = copy_to_host(points, &values->memory, &arrays[c], &status, error);
    }
    if (status == SHEPARD_OK) {
        const struct shepard_values on_host = {.size = sizeof on_host,
                                               .column_count = values->column_count,
                                               .columns = arrays,
                                               .weights = arrays[count - 1]};
        status = build_groups(field, &on_host, error);
    }
    for (size_t c = 0; copies != NULL && c < count; c++)
        shepard_release(allocator, copies[c]);
    shepard_release(allocator, copies);
    shepard_release(allocator, arrays);
    return status;
}

static enum shepard_status build(struct shepard_field *field, const struct shepard_values *values,
                                 struct shepard_error *error)
{
    bool gaps = false;
    const enum shepard_status status = build_whole(field, values, &gaps, error);
    if (status != SHEPARD_OK || !gaps)
        return status;
    if (field->points->prepared->geometry.whole.points > 0)
        return shepard_whole_fail_gaps(error);
    return values->memory.kind == SHEPARD_MEMORY_HOST
               ? build_groups(field, values, error)
               : build_groups_of_device(field, values, error);
}

/* ---- the interface --------------------------------------------------------------------------- */

/* values: resolved. */
static enum shepard_status make(const struct shepard_points *points,
                                const struct shepard_values *values, struct shepard_field **field,
                                struct shepard_error *error)
{
    struct shepard_field *made = shepard_allocate(points->allocator_used, 1, sizeof *made);
    if (made == NULL)
        return shepard_error_set_memory(error, "the field");
    *made = (struct shepard_field){.points = points,
                                   .columns = values->column_count,
                                   .weighted = values->weights.data != NULL};
    const enum shepard_status status = build(made, values, error);
    if (status == SHEPARD_OK)
        *field = made;
    else
        shepard_field_free(made);
    return status;
}

enum shepard_status shepard_field_create(const struct shepard_points *points,
                                         const struct shepard_values *values,
                                         struct shepard_field **field, struct shepard_error *error)
{
    struct shepard_values own = {.size = sizeof own}, resolved;
    struct shepard_array *room = NULL;
    if (points == NULL)
        return shepard_argument_missing("points", error);
    enum shepard_status status = SHEPARD_TAKE(values, &own, "values", shepard_values, error);
    if (status == SHEPARD_OK && field == NULL)
        status = shepard_argument_missing("field", error);
    if (status == SHEPARD_OK)
        status = shepard_field_take_values(&own, points, points->given, &room, &resolved, error);
    if (status == SHEPARD_OK)
        status = shepard_whole_check_values(&points->prepared->geometry, &resolved, error);
    if (status == SHEPARD_OK)
        status = make(points, &resolved, field, error);
    shepard_release(points->allocator_used, room);
    return status;
}

static void release(struct shepard_field *field)
{
    const struct shepard_allocator *allocator = field->points->allocator_used;
    free_groups(field);
    if (field->gapped != NULL)
        shepard_gapped_free(field->gapped);
    shepard_release(allocator, field->gapped);
    shepard_release(allocator, field->group);
    shepard_release(allocator, field);
}

/* That of a tree of parts goes with the tree. */
void shepard_field_free(struct shepard_field *field)
{
    if (field != NULL && field->points->essential == NULL)
        release(field);
}

enum shepard_status shepard_field_adopt(const struct shepard_points *points,
                                        struct shepard_prepared_field *prepared, size_t columns,
                                        bool weighted, struct shepard_field **field,
                                        struct shepard_error *error)
{
    struct shepard_field *made = shepard_allocate(points->allocator_used, 1, sizeof *made);
    if (made == NULL)
        return shepard_error_set_memory(error, "the field");
    *made = (struct shepard_field){.points = points, .columns = columns, .weighted = weighted};
    if (!allocate_groups(made, NULL, 1)) {
        release(made);
        return shepard_error_set_memory(error, "the field");
    }
    made->groups[0].prepared = prepared;
    *field = made;
    return SHEPARD_OK;
}

void shepard_field_disown(struct shepard_field *field)
{
    if (field == NULL)
        return;
    field->groups[0].prepared = NULL;
    release(field);
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
        .bytes = sizeof *field + field->group_count * sizeof *field->groups +
                 field->columns * sizeof *field->order +
                 (field->gapped != NULL ? shepard_gapped_bytes(field->gapped) : 0),
        .notice = "",
    };
    for (size_t g = 0; g < field->group_count; g++) {
        const struct shepard_field_group *group = &field->groups[g];
        struct shepard_holding values = {.notice = ""}, places = {.notice = ""};
        if (field->gapped != NULL && !shepard_once_is_ready(&group->once))
            continue;
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
    return shepard_field_group_geometry(field, shepard_field_search(field, column))->count;
}
