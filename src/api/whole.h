/* SPDX-License-Identifier: MIT */
/* Checks of points that are a part of data which are not in memory. */
#ifndef SHEPARD_API_WHOLE_H
#define SHEPARD_API_WHOLE_H

#include "backend/backend.h"

/* *own: what the caller has given; NULL: all 0. Refused where distances are not those of the plane.
 */
enum shepard_status shepard_whole_take(const struct shepard_whole *given,
                                       enum shepard_metric metric, struct shepard_whole *own,
                                       struct shepard_error *error);

/* Whether a place lies in the box of all. */
static inline bool shepard_whole_holds(const struct shepard_whole *whole, double x, double y)
{
    return x >= whole->x_min && x <= whole->x_max && y >= whole->y_min && y <= whole->y_max;
}

/* Whether points of a part, which have been put into their frame, lie in the box of all. */
enum shepard_status shepard_whole_check_points(const struct shepard_coordinates *coordinates,
                                               const struct shepard_geometry *points,
                                               struct shepard_error *error);

/* Whether values on these points have the columns, and weights the maximum, that the whole says. */
enum shepard_status shepard_whole_check_values(const struct shepard_geometry *points,
                                               const struct shepard_values *values,
                                               struct shepard_error *error);

/* The error of a part with missing values. */
enum shepard_status shepard_whole_fail_gaps(struct shepard_error *error);

/* Refused where points are a part, and these parameters need all of them. */
enum shepard_status shepard_whole_check_parameters(const struct shepard_parameters *parameters,
                                                   const struct shepard_geometry *points,
                                                   struct shepard_error *error);

#endif
