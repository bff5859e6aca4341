/* SPDX-License-Identifier: MIT */
/** The points near a part of the raster: loaded from disk (--memory), or from all ranks. */
#ifndef SHEPARD_CLI_NEAR_POINTS_H
#define SHEPARD_CLI_NEAR_POINTS_H

#include "column_group.h"
#include "input.h"
#include "job.h"
#include "near_marks.h"
#include "rank_region.h"
#include "spilled_field.h"

struct shepard_near_points {
    struct shepard_spill *spill;          /**< borrowed; NULL: points are spread */
    struct shepard_spread_points *spread; /**< borrowed; NULL: points are on disk */
    struct shepard_spill_info info;
    struct shepard_near_marks marks;
    struct shepard_whole whole;
    const struct shepard_column_group *all; /**< the surface, with parameters and options */
    size_t points_max;                      /**< that are loaded at once */
    struct shepard_spilled_field loaded;    /**< the same surface on them */
};

/** Bytes of --memory: "2G", "500M"; false, said, on another text. */
bool shepard_memory_read(const char *text, size_t *bytes);

/** Whether a job can be done with points on disk; false, said. */
bool shepard_near_check(const struct shepard_job *job);

/** Whether points of a job may be spread over ranks, where its method allows it. */
bool shepard_near_may_spread(const struct shepard_job *job);

/** Whether ranks can do a job with the points near their cells alone. */
bool shepard_near_can_spread(const struct shepard_job *job);

/** Whether cells follow from the points near them, and not from all. */
bool shepard_near_suffices(const struct shepard_job *job);

/** Whether the surfaces are one, and the same from the points in use, on disk: false, said. */
bool shepard_near_check_points(const struct shepard_input *input,
                               const struct shepard_column_groups *surfaces,
                               const struct shepard_job *job);

/** False, said, where memory is out. Start from {0}. */
bool shepard_near_begin(struct shepard_near_points *near, struct shepard_input *input,
                        const struct shepard_column_groups *surfaces, struct shepard_job *job);

/** How many points have to be loaded for windows; they are marked. */
size_t shepard_near_mark(struct shepard_near_points *near, const struct shepard_raster *raster,
                         const struct shepard_window *windows, size_t count);

/** Says that so many points are more than may be loaded; false. */
bool shepard_near_refuse(const struct shepard_near_points *near, size_t points);

/** Loads the marked points, in place of others: false, said. */
bool shepard_near_load(struct shepard_near_points *near, struct shepard_job *job);

/** Of all ranks, once: the points near a rank's region, wherever they are. False, said. */
bool shepard_near_fetch(struct shepard_near_points *near, const struct shepard_raster *raster,
                        const struct shepard_rank_region *region, struct shepard_job *job);

void shepard_near_end(struct shepard_near_points *near);

#endif
