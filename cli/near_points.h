/* SPDX-License-Identifier: MIT */
/** --memory: the points near a part of the raster, loaded from disk. */
#ifndef SHEPARD_CLI_NEAR_POINTS_H
#define SHEPARD_CLI_NEAR_POINTS_H

#include "bucket_tree.h"
#include "column_group.h"
#include "input.h"
#include "job.h"

/** Which points targets need, as distances of the plane. */
struct shepard_near_rule {
    size_t k;          /**< so many nearest; 0: only those within the radius */
    size_t adaptive_k; /**< of AIDW, whatever the radius; 0: none */
    double radius;     /**< none beyond; INFINITY: no limit */
    double stretch;    /**< what anisotropy may multiply a distance with */
};

struct shepard_near_points {
    struct shepard_spill *spill; /**< borrowed */
    struct shepard_spill_info info;
    struct shepard_bucket_tree tree;
    struct shepard_near_rule rule;
    double rounding; /**< of a distance, for that of coordinates */
    struct shepard_whole whole;
    const struct shepard_column_group *all; /**< the surface, with parameters and options */
    unsigned char *marks;                   /**< [info.bucket_count] what a window needs */
    size_t points_max;                      /**< that are loaded at once */
    size_t numbers_max;                     /**< of a strip of the raster */
    struct shepard_points *points;          /**< that are loaded */
    struct shepard_column_group surface;    /**< the same surface on them */
};

/** Bytes of --memory: "2G", "500M"; false, said, on another text. */
bool shepard_memory_read(const char *text, size_t *bytes);

/** Whether a job can be done with points on disk; false, said. */
bool shepard_near_check(const struct shepard_job *job);

/** False, said, where memory is out. Start from {0}. */
bool shepard_near_begin(struct shepard_near_points *near, const struct shepard_input *input,
                        const struct shepard_column_groups *surfaces, struct shepard_job *job);

/** How many points have to be loaded for a window; they are marked. */
size_t shepard_near_mark(struct shepard_near_points *near, const struct shepard_raster *raster,
                         const struct shepard_window *window);

/** Says that so many points are more than may be loaded; false. */
bool shepard_near_refuse(const struct shepard_near_points *near, size_t points);

/** Loads the marked points, in place of others: false, said. */
bool shepard_near_load(struct shepard_near_points *near, struct shepard_job *job);

void shepard_near_end(struct shepard_near_points *near);

#endif
