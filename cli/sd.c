/* SPDX-License-Identifier: MIT */
#include "sd.h"

#include "message.h"

#include "shepard/shepard_validate.h"

#include <math.h>
#include <stdlib.h>

/* Held-out data of a column: a datum stands for several targets where it has fewer, but few data
 * say no more by being asked often. */
static size_t samples_of(const struct shepard_point_set *points, size_t column)
{
    const size_t used = shepard_input_used(points, column);
    return used < SHEPARD_SD_RESIDUALS_MIN ? used : 2000;
}

static bool needs_models(const struct shepard_job *job)
{
    bool wanted = false;
    for (size_t i = 0; i < job->diagnostics.count; i++) {
        wanted = wanted || job->diagnostics.kinds[i] == SHEPARD_RESULT_SD;
    }
    return wanted && job->algorithm.parameters.method != SHEPARD_METHOD_KRIGE;
}

/* Predictions of what is held out, as far as a model needs them: numbers [3, count]. */
static enum shepard_status fit_to(struct shepard_holdout *holdout, const struct shepard_job *job,
                                  const struct shepard_holdout_info *info, double *numbers,
                                  struct shepard_sd_model *model, struct shepard_error *error)
{
    const size_t m = info->count;
    struct shepard_parameters parameters = job->algorithm.parameters;
    struct shepard_validation_result result = {.size = sizeof result,
                                               .values = numbers,
                                               .nearest = numbers + m,
                                               .deviations = numbers + 2 * m};
    parameters.nodata = NAN;
    const enum shepard_status status = shepard_holdout_validate(
        holdout, &parameters, &job->algorithm.options, &result, NULL, error);
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

static bool refuse(const struct shepard_column *column, const struct shepard_error *error)
{
    return shepard_say_error("--diagnostics sd of field %s: %s", column->name, error->message);
}

static bool fit(struct shepard_holdout *holdout, const struct shepard_column *column,
                struct shepard_job *job, struct shepard_sd_model *model)
{
    struct shepard_error error;
    struct shepard_holdout_info info = {.size = sizeof info};
    shepard_holdout_get_info(holdout, &info);
    double *const numbers = malloc((3 * info.count + 1) * sizeof *numbers);
    if (!numbers) {
        return shepard_say_error("out of memory");
    }
    const bool good = fit_to(holdout, job, &info, numbers, model, &error) == SHEPARD_OK;
    free(numbers);
    if (good && info.notice[0] != '\0') {
        shepard_progress_note(&job->watch, "sd of field %s: %s", column->name, info.notice);
    }
    return good || refuse(column, &error);
}

/* As the targets ask; where they are so far out that no datum can stand for one, among the data. */
static bool hold_out(const struct shepard_coordinates *coordinates,
                     const struct shepard_values *values, const struct shepard_column *column,
                     struct shepard_validation *validation, struct shepard_job *job,
                     struct shepard_holdout **holdout)
{
    const struct shepard_points_options *const options = &job->algorithm.options;
    struct shepard_error error;
    enum shepard_status status =
        shepard_holdout_create(coordinates, values, options, validation, NULL, holdout, &error);
    if (status == SHEPARD_ERROR_NO_POINTS) {
        validation->kind = SHEPARD_VALIDATION_LEAVE_ONE_OUT;
        status =
            shepard_holdout_create(coordinates, values, options, validation, NULL, holdout, &error);
        if (status == SHEPARD_OK) {
            shepard_progress_note(&job->watch,
                                  "sd of field %s: no datum can stand for a target, as all lie far "
                                  "outside the data; sd is that of targets among the data",
                                  column->name);
        }
    }
    return status == SHEPARD_OK || refuse(column, &error);
}

/* One column is held out and predicted alone: others may miss other values. */
static bool fit_column(struct shepard_column_group *surface, const struct shepard_point_set *points,
                       size_t c, const struct shepard_targets *targets, struct shepard_job *job)
{
    const struct shepard_column *const column = &points->column[surface->column[c]];
    const struct shepard_array values_of = shepard_column_group_values(surface, points, c);
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = points->count,
                                                    .x = shepard_doubles(points->x),
                                                    .y = shepard_doubles(points->y)};
    const struct shepard_values values = {.size = sizeof values,
                                          .column_count = 1,
                                          .columns = &values_of,
                                          .weights = shepard_doubles(points->weights)};
    struct shepard_validation validation;
    struct shepard_holdout *holdout = NULL;
    shepard_validation_init(&validation);
    validation.kind = SHEPARD_VALIDATION_STARS;
    validation.samples = samples_of(points, surface->column[c]);
    validation.targets = targets;
    const bool good = hold_out(&coordinates, &values, column, &validation, job, &holdout) &&
                      fit(holdout, column, job, &surface->sd_models[c]);
    shepard_holdout_free(holdout);
    return good;
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
