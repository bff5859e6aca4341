/* SPDX-License-Identifier: MIT */
/* Parameters of kriging that are fitted to the data of a validation. */
#ifndef SHEPARD_API_HOLDOUT_FIT_H
#define SHEPARD_API_HOLDOUT_FIT_H

#include "shepard/shepard_validate.h"

/* Completes parameters and the anisotropy of *options by shepard_fit to all data, those that are
 * held out included; parameters of kriging only. *fitted: whether a number was open; may be NULL.
 */
enum shepard_status shepard_holdout_fit(const struct shepard_holdout *holdout,
                                        struct shepard_parameters *parameters,
                                        struct shepard_points_options *options, bool *fitted,
                                        const struct shepard_control *control,
                                        struct shepard_error *error);

#endif
