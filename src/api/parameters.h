/* SPDX-License-Identifier: MIT */
/* Checks of the parameters of a prediction. */
#ifndef SHEPARD_API_PARAMETERS_H
#define SHEPARD_API_PARAMETERS_H

#include "shepard/shepard.h"

/* Parameters of this version. */
enum shepard_status shepard_parameters_check(const struct shepard_parameters *parameters,
                                             struct shepard_error *error);

/* *parameters: what the caller has given, complete and checked. */
enum shepard_status shepard_parameters_take(const struct shepard_parameters *given,
                                            struct shepard_parameters *parameters,
                                            struct shepard_error *error);

/* Whether no number of points and no radius limits what a target uses. */
static inline bool shepard_parameters_use_all(const struct shepard_parameters *parameters)
{
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    return hood->max_points == 0 && hood->radius1 == 0 && hood->max_points_per_sector == 0;
}

#endif
