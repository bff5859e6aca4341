/* SPDX-License-Identifier: MIT */
/* Checks of the options of points. */
#ifndef SHEPARD_API_POINTS_OPTIONS_H
#define SHEPARD_API_POINTS_OPTIONS_H

#include "shepard/shepard.h"

enum shepard_status shepard_points_options_check(const struct shepard_points_options *options,
                                                 struct shepard_error *error);

#endif
