/* SPDX-License-Identifier: MIT */
/* Checks of what a validation is to hold out. */
#ifndef SHEPARD_API_VALIDATION_H
#define SHEPARD_API_VALIDATION_H

#include "shepard/shepard_validate.h"

/* *validation: what the caller has given, complete; defaults of its kind in place of 0. */
enum shepard_status shepard_validation_take(const struct shepard_validation *given,
                                            struct shepard_validation *validation,
                                            struct shepard_error *error);

#endif
