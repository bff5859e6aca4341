/* SPDX-License-Identifier: MIT */
#include "withheld.h"

#include <math.h>
#include <string.h>

static enum shepard_status
predict(const struct shepard_field *field, const struct shepard_withheld *withheld,
        const struct shepard_parameters *parameters, struct shepard_job *job,
        const struct shepard_validation_result *to, struct shepard_error *error)
{
    const struct shepard_output_array values = shepard_output_doubles(to->values);
    const struct shepard_output_array sds = shepard_output_doubles(to->sds);
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LIST,
                                            .count = withheld->truth->count,
                                            .x = shepard_doubles(withheld->truth->x),
                                            .y = shepard_doubles(withheld->truth->y)};
    struct shepard_output output = {.size = sizeof output, .values = &values, .sds = &sds};
    const struct shepard_control control = shepard_job_control(job);
    enum shepard_status status =
        shepard_predict(field, parameters, &targets, &output, &control, error);
    if (status == SHEPARD_ERROR_ARGUMENT && strcmp(error->argument, "output.sds") == 0) {
        /* The method has none. */
        output.sds = NULL;
        for (size_t i = 0; i < targets.count; i++) {
            to->sds[i] = NAN;
        }
        status = shepard_predict(field, parameters, &targets, &output, &control, error);
    }
    return status;
}

bool shepard_withheld_validate(const struct shepard_withheld *withheld,
                               const struct shepard_parameters *parameters,
                               const struct shepard_points_options *options,
                               struct shepard_job *job, struct shepard_validation_result *result,
                               struct shepard_error *error)
{
    const struct shepard_point_set *const set = withheld->points;
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = set->count,
                                                    .x = shepard_doubles(set->x),
                                                    .y = shepard_doubles(set->y)};
    const struct shepard_array column = shepard_doubles(set->values[withheld->column]);
    const struct shepard_values values = {.size = sizeof values,
                                          .column_count = 1,
                                          .columns = &column,
                                          .weights = shepard_doubles(set->weights)};
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    const bool good = !shepard_points_create(&coordinates, options, &points, error) &&
                      !shepard_field_create(points, &values, &field, error) &&
                      !predict(field, withheld, parameters, job, result, error);
    shepard_field_free(field);
    shepard_points_free(points);
    if (good) {
        shepard_scores_compute(withheld->truth->values[withheld->column], result->values,
                               result->sds, withheld->truth->count, &result->scores);
    }
    return good;
}
