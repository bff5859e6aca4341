/* SPDX-License-Identifier: MIT */
/* The one list of backends. */
#ifndef SHEPARD_API_BACKENDS_H
#define SHEPARD_API_BACKENDS_H

#include "backend/backend.h"

/* The table for an option; AUTO gives the fastest usable one. NULL, with an error, where there is
 * none. */
const struct shepard_backend_table *shepard_backends_find(enum shepard_backend backend,
                                                          struct shepard_error *error);

#endif
