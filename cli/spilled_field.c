/* SPDX-License-Identifier: MIT */
#include "spilled_field.h"

struct shepard_whole shepard_spilled_whole(const struct shepard_spill_info *info)
{
    return (struct shepard_whole){.size = sizeof(struct shepard_whole),
                                  .points = info->points,
                                  .x_min = info->box.x_min,
                                  .x_max = info->box.x_max,
                                  .y_min = info->box.y_min,
                                  .y_max = info->box.y_max,
                                  .column_count = 1,
                                  .value_min = &info->value_min,
                                  .value_max = &info->value_max,
                                  .weight_max = info->weight_max};
}

void shepard_spilled_field_forget(struct shepard_spilled_field *field)
{
    shepard_field_free(field->surface.field);
    shepard_points_free(field->points);
    *field = (struct shepard_spilled_field){0};
}

enum shepard_status shepard_spilled_field_make(struct shepard_spilled_field *field,
                                               const struct shepard_column_group *surface,
                                               const struct shepard_points_options *options,
                                               const struct shepard_spill_arrays *arrays,
                                               size_t count, struct shepard_error *error)
{
    struct shepard_points_options own = *options;
    own.backend = own.backend == SHEPARD_BACKEND_AUTO ? SHEPARD_BACKEND_CPU : own.backend;
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = count,
                                                    .x = shepard_doubles(arrays->x),
                                                    .y = shepard_doubles(arrays->y)};
    const struct shepard_array column = shepard_doubles(arrays->value);
    const struct shepard_values values = {.size = sizeof values,
                                          .column_count = 1,
                                          .columns = &column,
                                          .weights = shepard_doubles(arrays->weight)};
    shepard_spilled_field_forget(field);
    field->surface = *surface;
    field->surface.field = NULL;
    const enum shepard_status status =
        shepard_points_create(&coordinates, &own, &field->points, error);
    return status ? status
                  : shepard_field_create(field->points, &values, &field->surface.field, error);
}
