/* SPDX-License-Identifier: MIT */
/* What is not done where places have three coordinates. */
#ifndef SHEPARD_API_METRIC_H
#define SHEPARD_API_METRIC_H

#include "api/points.h"

/* Of parameters, which have been checked. */
enum shepard_status shepard_metric_check(const struct shepard_points *points,
                                         const struct shepard_parameters *parameters,
                                         struct shepard_error *error);

#endif
