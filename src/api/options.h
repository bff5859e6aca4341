/* SPDX-License-Identifier: MIT */
/* Checks of what callers pass in, one line each. */
#ifndef SHEPARD_API_OPTIONS_H
#define SHEPARD_API_OPTIONS_H

#include "shepard/shepard.h"

enum shepard_status shepard_options_check(const struct shepard_options *options,
                                          struct shepard_error *error);

#endif
