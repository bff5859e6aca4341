/* SPDX-License-Identifier: MIT */
/* Checks of the parameters of a prediction. */
#ifndef SHEPARD_API_PARAMETERS_H
#define SHEPARD_API_PARAMETERS_H

#include "shepard/shepard.h"

enum shepard_status shepard_parameters_check(const struct shepard_parameters *parameters,
                                             struct shepard_error *error);

#endif
