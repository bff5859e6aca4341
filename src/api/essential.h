/* SPDX-License-Identifier: MIT */
/* What a field on a locally essential tree predicts, and what not. */
#ifndef SHEPARD_API_ESSENTIAL_H
#define SHEPARD_API_ESSENTIAL_H

#include "api/points.h"

/* Refused where these are not the parameters, targets (NULL: none) and outputs that a tree was made
 * for. */
enum shepard_status shepard_essential_check(const struct shepard_essential *essential,
                                            const struct shepard_parameters *parameters,
                                            const struct shepard_targets_view *targets,
                                            const struct shepard_output *output,
                                            struct shepard_error *error);

#endif
