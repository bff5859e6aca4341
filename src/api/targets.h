/* SPDX-License-Identifier: MIT */
/* Targets of the interface, checked, as backends see them. */
#ifndef SHEPARD_API_TARGETS_H
#define SHEPARD_API_TARGETS_H

#include "api/points.h"

/* *view borrows from targets. points: those of the call. */
enum shepard_status shepard_targets_check(const struct shepard_targets *targets,
                                          const struct shepard_points *points,
                                          struct shepard_targets_view *view,
                                          struct shepard_error *error);

#endif
