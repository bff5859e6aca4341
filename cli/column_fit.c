/* SPDX-License-Identifier: MIT */
#include "column_fit.h"

enum shepard_status shepard_column_fit(const struct shepard_point_set *points,
                                       const struct shepard_array *values,
                                       const struct shepard_covariates *covariates,
                                       struct shepard_parameters *parameters,
                                       struct shepard_points_options *options,
                                       struct shepard_fit_info *info, struct shepard_job *job,
                                       struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = shepard_input_coordinates(points);
    const struct shepard_values column = shepard_input_column(points, values);
    const struct shepard_fit_data data = {.size = sizeof data,
                                          .coordinates = &coordinates,
                                          .values = &column,
                                          .covariates = covariates};
    const struct shepard_control control = {
        .size = sizeof control, .progress = shepard_progress_report, .user = &job->watch};
    *info = (struct shepard_fit_info){.size = sizeof *info};
    return shepard_fit(&data, parameters, options, info, &control, error);
}

void shepard_column_fit_note(const struct shepard_fit_info *info, const char *name,
                             struct shepard_job *job)
{
    if (info->form == SHEPARD_FIT_FEW) {
        shepard_progress_note(&job->watch,
                              "field %s has too few points (%zu) for a fit of all parameters; "
                              "their semivariances give a straight line or a psill",
                              name, info->points);
    }
    if (info->form == SHEPARD_FIT_CONSTANT) {
        shepard_progress_note(&job->watch,
                              "field %s: the values do not vary with the place; predictions are "
                              "means",
                              name);
    }
}
