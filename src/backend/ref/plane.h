/* SPDX-License-Identifier: MIT */
/* The weighted plane of degree 1 (Eq. 10 to 12b of docs/math.md), in pairs from the coordinates on:
 * at a target far from the weighted mean of the points, in units of their spread, an error of
 * weights shows as many times (Eq. 36). */
#ifndef SHEPARD_REF_PLANE_H
#define SHEPARD_REF_PLANE_H

#include "backend/ref/choice.h"
#include "backend/ref/pair.h"

struct shepard_plane {
    const struct shepard_samples *points;
    struct shepard_ref_place place;
    const struct shepard_candidate *used;
    size_t count;                 /* >= 1 */
    struct shepard_pair *weights; /* [count], they add up to 1 */
    double scale;                 /* of lengths: a power of two */
    struct shepard_pair penalty;  /* scaled: added to the variances of x and y */
    double damping;
};

/* Sets scale and penalty: ridge times the squared median distance of sample [count >= 1]. Spends
 * room [count]. */
void shepard_plane_penalise(struct shepard_plane *plane, double ridge,
                            const struct shepard_candidate *sample, size_t count,
                            struct shepard_pair *room);

/* Sets the weights. unit2: the least d^2 + smoothing^2 of the points used, > 0, roughly. */
void shepard_plane_weigh(struct shepard_plane *plane, double power, double smoothing, double unit2);

/* The plane of a column at the target. */
double shepard_plane_value(const struct shepard_plane *plane, size_t column);

#endif
