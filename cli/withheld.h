/* SPDX-License-Identifier: MIT */
/** Withheld measurements: a column of a layer that predictions are compared with. */
#ifndef SHEPARD_CLI_WITHHELD_H
#define SHEPARD_CLI_WITHHELD_H

#include "column_trend.h"
#include "job.h"

#include "shepard/shepard_validate.h"

struct shepard_withheld {
    const struct shepard_point_set *points; /**< the data */
    const struct shepard_point_set *truth;
    size_t column;                            /**< of both */
    struct shepard_array values;              /**< of the data, or what a trend leaves of them */
    const struct shepard_column_trend *trend; /**< NULL: none */
    const struct shepard_covariate_list *covariates; /**< of the trend */
    struct shepard_holdout *holdout; /**< data to fit models of sd to; NULL: none, and no sd but
                                          that of kriging */
};

/** Holds data out as predictions at the places of the truth ask for. Errors are not said. */
enum shepard_status shepard_withheld_begin(struct shepard_withheld *withheld,
                                           struct shepard_job *job, struct shepard_error *error);

void shepard_withheld_end(struct shepard_withheld *withheld);

/** Predicts at the places of the truth, and scores the predictions. result as in
 * shepard_holdout_validate, without deviations and nearest. False on an error, in *error. */
bool shepard_withheld_validate(const struct shepard_withheld *withheld,
                               const struct shepard_parameters *parameters,
                               const struct shepard_points_options *options,
                               struct shepard_job *job, struct shepard_validation_result *result,
                               struct shepard_error *error);

#endif
