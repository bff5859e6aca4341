/* SPDX-License-Identifier: MIT */
/* Filling in a struct shepard_error. */
#ifndef SHEPARD_BASE_ERROR_H
#define SHEPARD_BASE_ERROR_H

#include "shepard/shepard.h"

/* Fills *error (may be NULL) with a printf-style message and returns status. */
__attribute__((format(printf, 4, 5))) enum shepard_status
shepard_error_set(struct shepard_error *error, enum shepard_status status, const char *argument,
                  const char *format, ...);

/* The error for a failed allocation. */
enum shepard_status shepard_error_set_memory(struct shepard_error *error, const char *what);

#endif
