/* SPDX-License-Identifier: MIT */
#include "withheld.h"

#include "input.h"
#include "sd.h"

#include <math.h>

enum shepard_status shepard_withheld_begin(struct shepard_withheld *withheld,
                                           struct shepard_job *job, struct shepard_error *error)
{
    const struct shepard_targets targets = shepard_input_targets(
        withheld->truth->count, withheld->truth->x, withheld->truth->y, withheld->truth->z);
    const enum shepard_status status =
        shepard_sd_hold_out(withheld->points, &withheld->values, withheld->column, &targets, job,
                            &withheld->holdout, error);
    /* Too few places for residuals are enough to predict from. */
    return status == SHEPARD_ERROR_NO_POINTS ? SHEPARD_OK : status;
}

void shepard_withheld_end(struct shepard_withheld *withheld)
{
    shepard_holdout_free(withheld->holdout);
    withheld->holdout = NULL;
}

static enum shepard_status
predict(const struct shepard_field *field, const struct shepard_withheld *withheld,
        const struct shepard_parameters *parameters, const struct shepard_points_options *options,
        struct shepard_job *job, const struct shepard_validation_result *to,
        struct shepard_error *error)
{
    const bool by_model = parameters->method != SHEPARD_METHOD_KRIGE;
    const bool with_sds = !by_model || withheld->holdout;
    const struct shepard_output_array values = shepard_output_doubles(to->values);
    const struct shepard_output_array sds = shepard_output_doubles(to->sds);
    const struct shepard_targets targets = shepard_input_targets(
        withheld->truth->count, withheld->truth->x, withheld->truth->y, withheld->truth->z);
    const struct shepard_control control = shepard_job_control(job);
    struct shepard_sd_model model;
    const struct shepard_output output = {.size = sizeof output,
                                          .values = &values,
                                          .sds = with_sds ? &sds : NULL,
                                          .sd_models = &model};
    for (size_t i = 0; !with_sds && i < targets.count; i++) {
        to->sds[i] = NAN;
    }
    const enum shepard_status status =
        by_model && with_sds
            ? shepard_sd_fit_model(withheld->holdout, parameters, options, &model, error)
            : SHEPARD_OK;
    return status ? status : shepard_predict(field, parameters, &targets, &output, &control, error);
}

/* Where a covariate is not known there is no prediction, and no sd. */
static void add_trend(const struct shepard_withheld *withheld,
                      const struct shepard_validation_result *to)
{
    const struct shepard_covariate_list *const covariates = withheld->covariates;
    const double *const *const at = (const double *const *)covariates->withheld.values;
    shepard_column_trend_add(withheld->trend, 0, covariates, at, withheld->truth->count,
                             to->values);
    for (size_t i = 0; i < withheld->truth->count; i++) {
        if (shepard_covariates_lack(covariates, at, i)) {
            to->sds[i] = NAN;
        }
    }
}

bool shepard_withheld_validate(const struct shepard_withheld *withheld,
                               const struct shepard_parameters *parameters,
                               const struct shepard_points_options *options,
                               struct shepard_job *job, struct shepard_validation_result *result,
                               struct shepard_error *error)
{
    const struct shepard_point_set *const set = withheld->points;
    const struct shepard_coordinates coordinates = shepard_input_coordinates(set);
    const struct shepard_values values = shepard_input_column(set, &withheld->values);
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    const bool good = !shepard_points_create(&coordinates, options, &points, error) &&
                      !shepard_field_create(points, &values, &field, error) &&
                      !predict(field, withheld, parameters, options, job, result, error);
    shepard_field_free(field);
    shepard_points_free(points);
    if (good && withheld->trend) {
        add_trend(withheld, result);
    }
    if (good) {
        shepard_scores_compute(withheld->truth->values[withheld->column], result->values,
                               result->sds, withheld->truth->count, &result->scores);
    }
    return good;
}
