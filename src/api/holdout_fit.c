/* SPDX-License-Identifier: MIT */
#include "api/holdout_fit.h"

#include "api/holdout_parts.h"

enum shepard_status shepard_holdout_fit(const struct shepard_holdout *holdout,
                                        struct shepard_parameters *parameters,
                                        struct shepard_points_options *options, bool *fitted,
                                        const struct shepard_control *control,
                                        struct shepard_error *error)
{
    const struct shepard_observations *data = &holdout->data;
    const struct shepard_array column = shepard_doubles(data->z);
    const struct shepard_coordinates coordinates = shepard_observations_coordinates(data);
    const struct shepard_values values = {.size = sizeof values,
                                          .column_count = 1,
                                          .columns = &column,
                                          .weights = shepard_doubles(data->weights)};
    const struct shepard_fit_data given = {
        .size = sizeof given, .coordinates = &coordinates, .values = &values};
    options->metric = holdout->options.metric;
    options->sphere_radius = holdout->options.sphere_radius;
    options->vertical_factor = holdout->options.vertical_factor;
    options->threads = holdout->options.threads;
    options->allocator = holdout->allocator_used;
    struct shepard_fit_info info = {.size = sizeof info};
    const enum shepard_status status =
        shepard_fit(&given, parameters, options, &info, control, error);
    if (fitted != NULL)
        *fitted = info.fitted;
    return status;
}
