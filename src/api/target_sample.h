/* SPDX-License-Identifier: MIT */
/* A random sample of the targets whose error a validation is to state. */
#ifndef SHEPARD_API_TARGET_SAMPLE_H
#define SHEPARD_API_TARGET_SAMPLE_H

#include "api/points.h"

struct shepard_target_sample {
    size_t count;       /* m: those of finite coordinates */
    double *x, *y;      /* [m] */
    double *z;          /* [m] where places have three coordinates, else NULL */
    double *nearest;    /* [m] distance of the nearest datum */
    double *star_radii; /* [m, 8] of the nearest in each octant, INFINITY where there is none; NULL:
                           not wanted */
    const struct shepard_allocator *allocator;
};

/* So many of the targets, in equal parts of their order; distances by a field on the points, in the
 * plane of the map. On failure nothing is held. */
enum shepard_status shepard_target_sample_create(const struct shepard_targets *targets,
                                                 const struct shepard_points *points,
                                                 const struct shepard_field *field, size_t count,
                                                 uint64_t seed, bool with_stars,
                                                 struct shepard_target_sample *sample,
                                                 struct shepard_error *error);

/* The sample as targets. */
struct shepard_targets shepard_target_sample_list(const struct shepard_target_sample *sample);

/* A zeroed struct is allowed. */
void shepard_target_sample_free(struct shepard_target_sample *sample);

#endif
