/* SPDX-License-Identifier: MIT */
#include "sd.h"

#include "holdout.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>

enum { PURPOSE_SIZE = 120 };

/* Held-out data of a column: a datum stands for several targets where it has fewer, but few data
 * say no more by being asked often. */
static size_t samples_of(const struct shepard_point_set *points, size_t column)
{
    const size_t used = shepard_input_used(points, column);
    return used < SHEPARD_SD_RESIDUALS_MIN ? used : 2000;
}

static bool needs_models(const struct shepard_job *job)
{
    return shepard_diagnostics_have(&job->diagnostics, SHEPARD_RESULT_SD) &&
           job->algorithm.parameters.method != SHEPARD_METHOD_KRIGE;
}

enum shepard_status shepard_sd_hold_out(const struct shepard_point_set *points,
                                        const struct shepard_array *values, size_t column,
                                        const struct shepard_targets *targets,
                                        struct shepard_job *job, struct shepard_holdout **holdout,
                                        struct shepard_error *error)
{
    const size_t count = samples_of(points, column);
    char purpose[PURPOSE_SIZE];
    snprintf(purpose, sizeof purpose, "sd of field %s", points->column[column].name);
    const struct shepard_holdout_samples samples = {
        .purpose = purpose, .stars = count, .others = count};
    return shepard_holdout_at_targets(points, values, targets, &samples, job, holdout, error);
}

/* numbers [3, info->count]: predictions of what is held out, as far as a model needs them. */
static enum shepard_status fit_to(struct shepard_holdout *holdout,
                                  const struct shepard_parameters *parameters,
                                  const struct shepard_points_options *options,
                                  const struct shepard_holdout_info *info, double *numbers,
                                  struct shepard_sd_model *model, struct shepard_error *error)
{
    const size_t m = info->count;
    struct shepard_validation_result result = {.size = sizeof result,
                                               .values = numbers,
                                               .nearest = numbers + m,
                                               .deviations = numbers + 2 * m};
    const enum shepard_status status =
        shepard_holdout_validate(holdout, parameters, options, &result, NULL, error);
    for (size_t i = 0; i < m; i++) {
        numbers[i] = info->observed[i] - numbers[i];
    }
    const struct shepard_sd_residuals residuals = {.size = sizeof residuals,
                                                   .count = m,
                                                   .residuals = shepard_doubles(numbers),
                                                   .nearest = shepard_doubles(numbers + m),
                                                   .deviation = shepard_doubles(numbers + 2 * m)};
    return status == SHEPARD_OK ? shepard_sd_model_fit(&residuals, model, error) : status;
}

enum shepard_status shepard_sd_fit_model(struct shepard_holdout *holdout,
                                         const struct shepard_parameters *parameters,
                                         const struct shepard_points_options *options,
                                         struct shepard_sd_model *model,
                                         struct shepard_error *error)
{
    struct shepard_holdout_info info = {.size = sizeof info};
    shepard_holdout_get_info(holdout, &info);
    double *const numbers = malloc((3 * info.count + 1) * sizeof *numbers);
    if (!numbers) {
        snprintf(error->message, sizeof error->message, "out of memory");
        return SHEPARD_ERROR_MEMORY;
    }
    const enum shepard_status status =
        fit_to(holdout, parameters, options, &info, numbers, model, error);
    free(numbers);
    return status;
}

/* One column is held out and predicted alone: others may miss other values. */
static bool fit_column(struct shepard_column_group *surface, const struct shepard_point_set *points,
                       size_t c, const struct shepard_targets *targets, struct shepard_job *job)
{
    const struct shepard_algorithm *const algorithm = &job->algorithm;
    const struct shepard_array values = shepard_column_group_values(surface, points, c);
    struct shepard_holdout *holdout = NULL;
    struct shepard_error error;
    const bool good =
        !shepard_sd_hold_out(points, &values, surface->column[c], targets, job, &holdout, &error) &&
        !shepard_sd_fit_model(holdout, &algorithm->parameters, &algorithm->options,
                              &surface->sd_models[c], &error);
    shepard_holdout_free(holdout);
    return good || shepard_say_error("--diagnostics sd of field %s: %s",
                                     points->column[surface->column[c]].name, error.message);
}

bool shepard_sd_fit(struct shepard_column_groups *surfaces, const struct shepard_input *input,
                    const struct shepard_targets *targets, struct shepard_job *job)
{
    if (!needs_models(job)) {
        return true;
    }
    for (size_t s = 0; s < surfaces->count; s++) {
        struct shepard_column_group *const surface = &surfaces->items[s];
        surface->sd_models = calloc(surface->columns, sizeof *surface->sd_models);
        if (!surface->sd_models) {
            return shepard_say_error("out of memory");
        }
        for (size_t c = 0; c < surface->columns; c++) {
            if (!shepard_progress_report(0, &job->watch)) {
                return shepard_progress_error(NULL);
            }
            if (!fit_column(surface, &input->layers[surface->layer], c, targets, job)) {
                return false;
            }
        }
    }
    return true;
}
