/* SPDX-License-Identifier: MIT */
/* What points, a field and its predictions are going to cost, for SHEPARD_BACKEND_AUTO to choose
 * by. Looks at numbers only: no array is read, no driver called. */
#ifndef SHEPARD_API_COST_H
#define SHEPARD_API_COST_H

#include "shepard/shepard.h"

/* Wall-clock seconds of preparing points and a field, and predicting options.expected_targets. */
struct shepard_cost {
    double cpu;
    double cuda; /* on one device, its first use in the process included; INFINITY where it would
                    leave the predictions to the CPU */
};

/* Both have been checked; of the coordinates only their count matters. */
struct shepard_cost shepard_cost_of(const struct shepard_coordinates *coordinates,
                                    const struct shepard_points_options *options);

/* Whether cuda is so much cheaper that an estimate wrong by a good part would still be right. */
bool shepard_cost_favours_cuda(const struct shepard_cost *cost);

#endif
