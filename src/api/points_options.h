/* SPDX-License-Identifier: MIT */
/* Checks of the options of points. */
#ifndef SHEPARD_API_POINTS_OPTIONS_H
#define SHEPARD_API_POINTS_OPTIONS_H

#include "shepard/shepard.h"

/* *options: what the caller has given, complete, its expected parameters in *expected. */
enum shepard_status shepard_points_options_take(const struct shepard_points_options *given,
                                                struct shepard_points_options *options,
                                                struct shepard_parameters *expected,
                                                struct shepard_error *error);

#endif
