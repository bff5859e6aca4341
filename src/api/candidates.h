/* SPDX-License-Identifier: MIT */
/* What a tuning tries, in order: neighbourhoods and powers of each method, then variants of the
 * best. */
#ifndef SHEPARD_API_CANDIDATES_H
#define SHEPARD_API_CANDIDATES_H

#include "shepard/shepard_tune.h"

#define SHEPARD_CANDIDATES_MAX 256
/* Bytes of a candidate's text. */
#define SHEPARD_CANDIDATE_SIZE 160

enum shepard_candidate_family {
    SHEPARD_CANDIDATE_KRIGE,
    SHEPARD_CANDIDATE_PLANE,
    SHEPARD_CANDIDATE_IDW,
    SHEPARD_CANDIDATE_AIDW
};

struct shepard_tuning_candidate {
    enum shepard_candidate_family family;
    const char *where; /* keys of the neighbourhood, each behind a colon; "": all points */
    double power;      /* of planes and IDW */
    double psill;      /* of kriging */
    double ratio, angle;
};

struct shepard_candidates {
    struct shepard_tuning_candidate items[SHEPARD_CANDIDATES_MAX];
    size_t count;
    int refinements; /* made of the best ones */
};

/* The first candidates within the limits of tuning. */
void shepard_candidates_fill(struct shepard_candidates *candidates,
                             const struct shepard_tuning *tuning);

/* Adds variants of the best one; false where there are no more to add. */
bool shepard_candidates_refine(struct shepard_candidates *candidates,
                               const struct shepard_tuning_candidate *best,
                               const struct shepard_tuning *tuning);

void shepard_candidate_write(const struct shepard_tuning_candidate *candidate,
                             char text[SHEPARD_CANDIDATE_SIZE]);

#endif
