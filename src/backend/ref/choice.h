/* SPDX-License-Identifier: MIT */
/* Which data points a target uses, by looking at every point. */
#ifndef SHEPARD_REF_CHOICE_H
#define SHEPARD_REF_CHOICE_H

#include "backend/ref/sphere.h"
#include "core/rules.h"
#include "core/samples.h"
#include "kernel/star.h"

/* What is left out at a place: nothing, one point, or every point there. */
enum shepard_omission { SHEPARD_OMIT_NONE, SHEPARD_OMIT_ONE, SHEPARD_OMIT_HERE };

/* A place in frame units, or in degrees. */
struct shepard_ref_place {
    double x, y, z; /* z in space, else 0 */
    enum shepard_omission omission;
    uint32_t omitted;                /* the one point, as an index into the caller's coordinates */
    const struct shepard_star *star; /* points that it covers are left out, too; NULL: none */
    const struct shepard_ref_sphere *sphere; /* x and y are degrees on it; NULL: there is none */
};

struct shepard_candidate {
    double d2; /* squared distance, frame units */
    uint32_t point;
    int sector;
    size_t round; /* points of earlier rounds go first; 0: at the place itself */
    const struct shepard_samples *points; /* for the order of points at equal distances */
};

struct shepard_ref_choice {
    size_t count; /* the first candidates are the points used */
    bool met;     /* enough of them, and at least one */
};

/* The k nearest points into candidates [n], nearest first. Returns their number. */
size_t shepard_choice_nearest(const struct shepard_samples *points, struct shepard_ref_place place,
                              size_t k, struct shepard_candidate *candidates);

/* The points that search lets a target at place use, into candidates [n], in no fixed order.
 */
struct shepard_ref_choice shepard_choice_used(const struct shepard_samples *points,
                                              const struct shepard_search *search,
                                              struct shepard_ref_place place,
                                              struct shepard_candidate *candidates);

#endif
