/* SPDX-License-Identifier: MIT */
/** --backend: the backend and its device. */
#ifndef SHEPARD_CLI_BACKEND_NAME_H
#define SHEPARD_CLI_BACKEND_NAME_H

#include "shepard/shepard.h"

#include <stdbool.h>

/**
 * Reads "auto", "ref", "cpu", "cuda", "cuda:N" or "cuda:all" into options.backend and
 * options.device. False on another text, and, where the backend is needed, on one that cannot be
 * used here; said.
 */
bool shepard_backend_name_read(const char *text, bool needed,
                               struct shepard_points_options *options);

#endif
