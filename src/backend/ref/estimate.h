/* SPDX-License-Identifier: MIT */
/* Weighted means of the points that a target uses. */
#ifndef SHEPARD_REF_ESTIMATE_H
#define SHEPARD_REF_ESTIMATE_H

#include "backend/ref/choice.h"

/* Values are centred and scaled by a power of two: large offsets cost no digits, and no square
 * overflows or vanishes. */
struct shepard_centred {
    const double *values;
    double middle, scale; /* u = (z - middle) * scale, |u| <= 1 */
};

struct shepard_centred shepard_centred_of(const struct shepard_samples *points, size_t column);

struct shepard_estimate {
    const struct shepard_samples *points;
    struct shepard_ref_place place;
    const struct shepard_candidate *used;
    size_t count;     /* >= 1 */
    double *weights;  /* [count], they add up to 1 */
    double nearest2;  /* smallest squared distance, frame units */
    double effective; /* (sum w)^2 / sum w^2 */
};

/* Fills in the weights and what follows from them. */
void shepard_estimate_weigh(struct shepard_estimate *estimate, double power, double smoothing2);

/* The weighted mean of a column, within its range. */
double shepard_estimate_mean(const struct shepard_estimate *estimate, size_t column);

/* The weighted standard deviation of a column. */
double shepard_estimate_deviation(const struct shepard_estimate *estimate, size_t column);
#endif
