/* SPDX-License-Identifier: MIT */
/* The k nearest points themselves. */
#ifndef SHEPARD_BACKEND_CPU_NEAREST_H
#define SHEPARD_BACKEND_CPU_NEAREST_H

#include "backend/cpu/points.h"

/* As the slot of the backend table. */
enum shepard_status shepard_cpu_nearest(const struct shepard_prepared_points *points,
                                        const struct shepard_nearest_job *job,
                                        struct shepard_error *error);

#endif
