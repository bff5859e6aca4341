/* SPDX-License-Identifier: MIT */
/* What a tuning tries, in order: neighbourhoods and powers of each method, then variants of the
 * best. */
#ifndef SHEPARD_API_CANDIDATES_H
#define SHEPARD_API_CANDIDATES_H

#include "shepard/shepard_tune.h"

#define SHEPARD_CANDIDATES_MAX 256
/* Bytes of a candidate's text. */
#define SHEPARD_CANDIDATE_SIZE 512

enum shepard_candidate_family {
    SHEPARD_CANDIDATE_FITTED, /* kriging with the covariance of the data */
    SHEPARD_CANDIDATE_KRIGE,  /* with a linear semivariogram */
    SHEPARD_CANDIDATE_PLANE,
    SHEPARD_CANDIDATE_IDW,
    SHEPARD_CANDIDATE_AIDW
};

struct shepard_tuning_candidate {
    enum shepard_candidate_family family;
    const char *where; /* keys of the neighbourhood, each behind a colon; "": all points */
    double power;      /* of planes and IDW */
    double psill;      /* of KRIGE */
    double ratio, angle;
};

struct shepard_candidates {
    struct shepard_tuning_candidate items[SHEPARD_CANDIDATES_MAX];
    size_t count;
    bool local;      /* none uses all points */
    bool planes;     /* degree 1 may be tried */
    bool directions; /* and anisotropy */
    int refinements; /* made of the best ones */
    char fit[256];   /* keys of a fit, each behind a colon; "": there is none */
};

/* Writes what was fitted, in four digits. */
void shepard_candidates_take_fit(struct shepard_candidates *candidates,
                                 const struct shepard_parameters *parameters,
                                 const struct shepard_points_options *options);

/* To four digits, for short texts. */
double shepard_candidate_shorten(double number);

/* The first candidates within the limits of tuning; with kriging by the fit where there is one. */
void shepard_candidates_fill(struct shepard_candidates *candidates,
                             const struct shepard_tuning *tuning);

/* Adds variants of the best one; false where there are no more to add. */
bool shepard_candidates_refine(struct shepard_candidates *candidates,
                               const struct shepard_tuning_candidate *best,
                               const struct shepard_tuning *tuning);

void shepard_candidate_write(const struct shepard_candidates *candidates,
                             const struct shepard_tuning_candidate *candidate,
                             char text[SHEPARD_CANDIDATE_SIZE]);

#endif
