/* SPDX-License-Identifier: MIT */
/* The one list of backends. */
#ifndef SHEPARD_API_BACKENDS_H
#define SHEPARD_API_BACKENDS_H

#include "backend/backend.h"

/* The table for options.backend. AUTO: cuda where that is clearly cheaper for these points and
 * options, usable, and has options.device, else cpu. NULL, with an error, where it cannot be used.
 * AUTO calls no driver where the estimate says cpu. Coordinates and options have been checked. */
const struct shepard_backend_table *
shepard_backends_find(const struct shepard_coordinates *coordinates,
                      const struct shepard_points_options *options, struct shepard_error *error);

#endif
