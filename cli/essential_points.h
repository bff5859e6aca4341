/* SPDX-License-Identifier: MIT */
/** The points of a locally essential tree: of all ranks' points, those that sums over all points at
 * this rank's cells need. */
#ifndef SHEPARD_CLI_ESSENTIAL_POINTS_H
#define SHEPARD_CLI_ESSENTIAL_POINTS_H

#include "column_group.h"
#include "input.h"
#include "rank_region.h"
#include "rank_tree.h"

struct shepard_essential_points {
    struct shepard_rank_tree tree;
    struct shepard_column_group surface; /**< of the job, on these points */
};

/** Whether ranks can do a job with such trees. */
bool shepard_essential_suits(const struct shepard_job *job);

/** Whether these points are enough for a tree of several ranks, and none of them lacks a value or a
 * weight: the square that a tree's curve fills follows from all places, in use or not. */
bool shepard_essential_suits_points(const struct shepard_input *input);

/** Of all ranks, once: takes the points of the input, which are spread over them. False, said.
 * Start from {0}. */
bool shepard_essential_fetch(struct shepard_essential_points *essential,
                             struct shepard_input *input,
                             const struct shepard_column_group *surface,
                             const struct shepard_raster *raster,
                             const struct shepard_rank_region *region, struct shepard_job *job);

void shepard_essential_points_free(struct shepard_essential_points *essential);

#endif
