/* SPDX-License-Identifier: MIT */
#include "spilled_field.h"

#include <stdlib.h>

struct shepard_whole shepard_spilled_whole(const struct shepard_spill_info *info)
{
    return (struct shepard_whole){.size = sizeof(struct shepard_whole),
                                  .points = info->points,
                                  .x_min = info->box.x_min,
                                  .x_max = info->box.x_max,
                                  .y_min = info->box.y_min,
                                  .y_max = info->box.y_max,
                                  .column_count = info->columns,
                                  .value_min = info->value_min,
                                  .value_max = info->value_max,
                                  .weight_max = info->weight_max};
}

size_t shepard_spilled_fields(const struct shepard_spill_info *info)
{
    return 2 + info->columns + (info->weight_max > 0);
}

void shepard_spilled_field_forget(struct shepard_spilled_field *field)
{
    shepard_field_free(field->surface.field);
    shepard_points_free(field->points);
    *field = (struct shepard_spilled_field){0};
}

static struct shepard_array array_of(const struct shepard_spilled_points *points, size_t field)
{
    return shepard_doubles(points->numbers + field * points->stride);
}

static enum shepard_status make_field(struct shepard_spilled_field *field,
                                      const struct shepard_spilled_points *points,
                                      struct shepard_error *error)
{
    const size_t count = points->info->columns;
    struct shepard_array *const columns = calloc(count, sizeof *columns);
    struct shepard_values values = {
        .size = sizeof values, .column_count = count, .columns = columns};
    if (!columns) {
        *error = (struct shepard_error){SHEPARD_ERROR_MEMORY, .message = "out of memory"};
        return SHEPARD_ERROR_MEMORY;
    }
    for (size_t c = 0; c < count; c++) {
        columns[c] = array_of(points, 2 + c);
    }
    if (points->info->weight_max > 0) {
        values.weights = array_of(points, 2 + count);
    }
    const enum shepard_status status =
        shepard_field_create(field->points, &values, &field->surface.field, error);
    free(columns);
    return status;
}

enum shepard_status shepard_spilled_field_make(struct shepard_spilled_field *field,
                                               const struct shepard_column_group *surface,
                                               const struct shepard_points_options *options,
                                               const struct shepard_spilled_points *points,
                                               struct shepard_error *error)
{
    struct shepard_points_options own = *options;
    own.backend = own.backend == SHEPARD_BACKEND_AUTO ? SHEPARD_BACKEND_CPU : own.backend;
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = points->count,
                                                    .x = array_of(points, 0),
                                                    .y = array_of(points, 1)};
    shepard_spilled_field_forget(field);
    field->surface = *surface;
    field->surface.field = NULL;
    const enum shepard_status status =
        shepard_points_create(&coordinates, &own, &field->points, error);
    return status ? status : make_field(field, points, error);
}
