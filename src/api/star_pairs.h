/* SPDX-License-Identifier: MIT */
/* Data that stand for targets: each is predicted without the data nearer than those of its target,
 * octant by octant (Eq. 94 and 95). */
#ifndef SHEPARD_API_STAR_PAIRS_H
#define SHEPARD_API_STAR_PAIRS_H

#include "api/holdout_parts.h"

/* Holds out a random datum for each target of the sample, which has stars. */
/* The most that distances of the nearest data in octants may be over those of the targets, or their
 * inverse, in the geometric mean: else stars of no size leave surroundings like the targets'. */
#define SHEPARD_OCTANT_RATIO_MOST 1.25

enum shepard_status shepard_star_pairs_hold_out(struct shepard_holdout *holdout,
                                                const struct shepard_target_sample *sample,
                                                struct shepard_error *error);

#endif
