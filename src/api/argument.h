/* SPDX-License-Identifier: MIT */
/* Checks that hold for any argument of a call. */
#ifndef SHEPARD_API_ARGUMENT_H
#define SHEPARD_API_ARGUMENT_H

#include "shepard/shepard.h"

/* Error of a NULL pointer. */
enum shepard_status shepard_argument_missing(const char *argument, struct shepard_error *error);

/* given: a struct of the caller, which begins with its size; refused where it is NULL or not of
 * this version. */
enum shepard_status shepard_argument_check(const void *given, size_t size, const char *argument,
                                           const char *type, struct shepard_error *error);

#define SHEPARD_ARGUMENT(argument, type, error)                                                    \
    shepard_argument_check((argument), sizeof(struct type), #argument, #type, (error))

#endif
