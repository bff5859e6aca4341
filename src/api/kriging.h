/* SPDX-License-Identifier: MIT */
/* Checks of what kriging needs. */
#ifndef SHEPARD_API_KRIGING_H
#define SHEPARD_API_KRIGING_H

#include "api/field.h"

/* Whether each number is in its range; one that is not given is. */
enum shepard_status shepard_kriging_check_ranges(const struct shepard_kriging *kriging,
                                                 struct shepard_error *error);

/* A number that is given and that only another model or kind uses. */
struct shepard_kriging_unused {
    const char *key, *user; /* as text; NULL: there is none */
};

struct shepard_kriging_unused shepard_kriging_find_unused(const struct shepard_kriging *kriging);

/* Whether there is none. */
enum shepard_status shepard_kriging_check_used(const struct shepard_kriging *kriging,
                                               struct shepard_error *error);

/* Whether all numbers that predictions need are given, and go together. */
enum shepard_status shepard_kriging_check_covariance(const struct shepard_kriging *kriging,
                                                     struct shepard_error *error);

/* Whether a field can be kriged by these parameters, which have been checked. */
enum shepard_status shepard_kriging_check(const struct shepard_field *field,
                                          const struct shepard_parameters *parameters,
                                          struct shepard_error *error);

/* Whether from all points, where that is asked for, at targets of this kind. */
enum shepard_status shepard_kriging_check_points(const struct shepard_field *field,
                                                 const struct shepard_parameters *parameters,
                                                 bool leaves_out, struct shepard_error *error);

#endif
