/* SPDX-License-Identifier: MIT */
/* Checks of barriers, and of what is predicted past them. */
#ifndef SHEPARD_API_BARRIERS_H
#define SHEPARD_API_BARRIERS_H

#include "backend/backend.h"

/* *own: what the caller has given, NULL for none, complete, of resolved strides. *segments: theirs.
 * Refused where distances are not those of the plane. */
enum shepard_status shepard_barriers_take(const struct shepard_barriers *given,
                                          enum shepard_metric metric, struct shepard_barriers *own,
                                          size_t *segments, struct shepard_error *error);

/* Refused where there are barriers, and these parameters use all points. */
enum shepard_status shepard_barriers_check_parameters(const struct shepard_parameters *parameters,
                                                      const struct shepard_geometry *points,
                                                      struct shepard_error *error);

#endif
