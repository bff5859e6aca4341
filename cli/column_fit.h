/* SPDX-License-Identifier: MIT */
/** Parameters of kriging that are fitted to a column. */
#ifndef SHEPARD_CLI_COLUMN_FIT_H
#define SHEPARD_CLI_COLUMN_FIT_H

#include "input.h"
#include "job.h"

/** Fits values at the places of a set; covariates: of a trend, NULL for none. Completes *parameters
 * and *options. Says nothing. */
enum shepard_status shepard_column_fit(const struct shepard_point_set *points,
                                       const struct shepard_array *values,
                                       const struct shepard_covariates *covariates,
                                       struct shepard_parameters *parameters,
                                       struct shepard_points_options *options,
                                       struct shepard_fit_info *info, struct shepard_job *job,
                                       struct shepard_error *error);

/** Notes what no likelihood has said of the field of this name. */
void shepard_column_fit_note(const struct shepard_fit_info *info, const char *name,
                             struct shepard_job *job);

#endif
