/* SPDX-License-Identifier: MIT */
/* Targets of the interface, checked, as backends see them. */
#ifndef SHEPARD_API_TARGETS_H
#define SHEPARD_API_TARGETS_H

#include "core/targets.h"

/* *view borrows from targets. given: coordinates that the points were made from. */
enum shepard_status shepard_targets_check(const struct shepard_targets *targets, size_t given,
                                          struct shepard_targets_view *view,
                                          struct shepard_error *error);

#endif
