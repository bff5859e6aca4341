/* SPDX-License-Identifier: MIT */
/* Checks that hold for any argument of a call. */
#ifndef SHEPARD_API_ARGUMENT_H
#define SHEPARD_API_ARGUMENT_H

#include "shepard/shepard.h"

/* Error of a NULL pointer. */
enum shepard_status shepard_argument_missing(const char *argument, struct shepard_error *error);

/* The error of a number that breaks its rule; a valid one gives SHEPARD_OK. */
enum shepard_status shepard_argument_require(bool valid, const char *argument, double value,
                                             const char *rule, struct shepard_error *error);

/* Copies a struct of the caller, which begins with its size, into one of this version. Members that
 * the caller's does not have stay what they are in *own. Refused where it is NULL, its size is that
 * of no version, or a member that this version does not know is not 0. */
enum shepard_status shepard_argument_take(const void *given, void *own, size_t size,
                                          const char *argument, const char *type,
                                          struct shepard_error *error);

/* name: the argument's, in messages; type: the tag of both structs. */
#define SHEPARD_TAKE(given, own, name, type, error)                                                \
    shepard_argument_take((given), (own), sizeof(struct type), (name), #type, (error))

/* What watches a call, complete; nothing where that is NULL. */
enum shepard_status shepard_control_take(const struct shepard_control *control,
                                         struct shepard_control *own, struct shepard_error *error);

#endif
