/* SPDX-License-Identifier: MIT */
/** The diagnostic sd of methods that have none of their own: models from held-out data. */
#ifndef SHEPARD_CLI_SD_H
#define SHEPARD_CLI_SD_H

#include "column_group.h"

#include "shepard/shepard_validate.h"

/** Where the job asks for sd, and its method needs models of it: holds data out as the targets ask
 * for, and fits a model for each column of all surfaces. False on an error, said. */
bool shepard_sd_fit(struct shepard_column_groups *surfaces, const struct shepard_input *input,
                    const struct shepard_targets *targets, struct shepard_job *job);

/** Holds data of a column, with these values, out as predictions at the targets ask for. Errors are
 * not said. */
enum shepard_status shepard_sd_hold_out(const struct shepard_point_set *points,
                                        const struct shepard_array *values, size_t column,
                                        const struct shepard_targets *targets,
                                        struct shepard_job *job, struct shepard_holdout **holdout,
                                        struct shepard_error *error);

/** The model of a method by what is held out. Errors are not said. */
enum shepard_status shepard_sd_fit_model(struct shepard_holdout *holdout,
                                         const struct shepard_parameters *parameters,
                                         const struct shepard_points_options *options,
                                         struct shepard_sd_model *model,
                                         struct shepard_error *error);

#endif
