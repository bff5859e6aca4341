/* SPDX-License-Identifier: MIT */
/* How much of the error at held-out data is that of the targets which they stand for, by what
 * kriging states. */
#ifndef SHEPARD_API_SD_RATIO_H
#define SHEPARD_API_SD_RATIO_H

#include "api/holdout_parts.h"

/* *ratio: the root mean square standard deviation of a covariance that is complete, at the sampled
 * targets, over that at the held-out data. 1 where there are no stars or no number.
 * Errors: _MEMORY and _CANCELLED only. */
enum shepard_status shepard_holdout_find_sd_ratio(struct shepard_holdout *holdout,
                                                  const struct shepard_parameters *parameters,
                                                  const struct shepard_points_options *options,
                                                  double *ratio,
                                                  const struct shepard_control *control,
                                                  struct shepard_error *error);

#endif
