/* SPDX-License-Identifier: MIT */
/* Kriging from the points that a target uses, in long double. */
#ifndef SHEPARD_REF_KRIGING_H
#define SHEPARD_REF_KRIGING_H

#include "backend/ref/choice.h"

struct shepard_ref_kriging {
    const struct shepard_samples *points;
    const struct shepard_kriging_rules *rules;
    struct shepard_kriging_system system; /* scratch of a thread, as what follows: [n] each */
    uint32_t *rank;                       /* the points used, one of the nearest first */
    struct shepard_kriging_answer answer; /* weights of these */
    long double *values;                  /* of these */
};

/* *kriging: points and rules are set, the rest zeroed. False: out of memory; what is held is to be
 * freed then too. */
bool shepard_ref_kriging_create(struct shepard_ref_kriging *kriging);
void shepard_ref_kriging_free(struct shepard_ref_kriging *kriging);

/* Finds the weights of the points used at a place; at the place of points they are those of their
 * mean. count >= 1. Errors: those of shepard_kriging_factor. */
enum shepard_status shepard_ref_kriging_weigh(struct shepard_ref_kriging *kriging,
                                              struct shepard_ref_place place,
                                              const struct shepard_candidate *used, size_t count);

/* Of the weights found: the prediction of a column, and its standard deviation. */
double shepard_ref_kriging_value(const struct shepard_ref_kriging *kriging, size_t count,
                                 size_t column);
double shepard_ref_kriging_sd(const struct shepard_ref_kriging *kriging, size_t count,
                              size_t column);

#endif
