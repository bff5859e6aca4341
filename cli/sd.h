/* SPDX-License-Identifier: MIT */
/** The diagnostic sd of methods that have none of their own: models from held-out data. */
#ifndef SHEPARD_CLI_SD_H
#define SHEPARD_CLI_SD_H

#include "column_group.h"

/** Where the job asks for sd, and its method needs models of it: holds data out as the targets ask
 * for, and fits a model for each column of all surfaces. False on an error, said. */
bool shepard_sd_fit(struct shepard_column_groups *surfaces, const struct shepard_input *input,
                    const struct shepard_targets *targets, struct shepard_job *job);

#endif
