/* SPDX-License-Identifier: MIT */
/** Withheld measurements: a column of a layer that predictions are compared with. */
#ifndef SHEPARD_CLI_WITHHELD_H
#define SHEPARD_CLI_WITHHELD_H

#include "job.h"

#include "shepard/shepard_validate.h"

struct shepard_withheld {
    const struct shepard_point_set *points; /**< the data */
    const struct shepard_point_set *truth;
    size_t column; /**< of both */
};

/** Predicts at the places of the truth, and scores the predictions. result as in
 * shepard_holdout_validate, without deviations and nearest. False on an error, in *error. */
bool shepard_withheld_validate(const struct shepard_withheld *withheld,
                               const struct shepard_parameters *parameters,
                               const struct shepard_points_options *options,
                               struct shepard_job *job, struct shepard_validation_result *result,
                               struct shepard_error *error);

#endif
