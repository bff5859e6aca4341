/* SPDX-License-Identifier: MIT */
/* Targets of the interface, checked, as backends see them. */
#ifndef SHEPARD_API_TARGETS_H
#define SHEPARD_API_TARGETS_H

#include "api/points.h"

bool shepard_window_is_inside(const struct shepard_window *window,
                              const struct shepard_raster *raster);

/* *targets: what the caller has given, complete; *view borrows from it. points: those of the call.
 */
enum shepard_status shepard_targets_take(const struct shepard_targets *given,
                                         const struct shepard_points *points,
                                         struct shepard_targets *targets,
                                         struct shepard_targets_view *view,
                                         struct shepard_error *error);

#endif
