/* SPDX-License-Identifier: MIT */
/** Which buckets of points can hold the neighbours of the cells of a raster. */
#ifndef SHEPARD_CLI_NEAR_MARKS_H
#define SHEPARD_CLI_NEAR_MARKS_H

#include "bucket_tree.h"

/** Which points targets need, as distances of the plane. */
struct shepard_near_rule {
    size_t k;          /**< so many nearest; 0: only those within the radius */
    size_t adaptive_k; /**< of AIDW, whatever the radius; 0: none */
    double radius;     /**< none beyond; INFINITY: no limit */
    double stretch;    /**< what anisotropy may multiply a distance with */
};

struct shepard_near_marks {
    struct shepard_near_rule rule;
    struct shepard_bucket_tree tree;
    double rounding;      /**< of a distance, for that of coordinates */
    unsigned char *marks; /**< [buckets] what windows need */
    size_t points;        /**< in marked buckets */
};

/** Buckets, which stay where they are, and the box of all points. False, said, where memory is out.
 */
bool shepard_near_marks_make(struct shepard_near_marks *near, const struct shepard_near_rule *rule,
                             const struct shepard_spill_bucket *buckets, size_t count,
                             const struct shepard_bounds *box);

/** Marks what windows need, and nothing else; a bucket at least. */
void shepard_near_marks_set(struct shepard_near_marks *near, const struct shepard_raster *raster,
                            const struct shepard_window *windows, size_t count);

void shepard_near_marks_free(struct shepard_near_marks *near);

#endif
