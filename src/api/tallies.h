/* SPDX-License-Identifier: MIT */
/* Squared errors of the trials of a tuning, and which trial they choose. */
#ifndef SHEPARD_API_TALLIES_H
#define SHEPARD_API_TALLIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parts of the held-out data, each scored with the trial that the others choose. */
#define SHEPARD_TALLY_PARTS 10

#define SHEPARD_NO_TALLY SIZE_MAX

enum shepard_tier {
    SHEPARD_TIER_FITTED,   /* kriging with the covariance that fits the data best */
    SHEPARD_TIER_CHOSEN,   /* a method with parameters from a list, and texts of the caller */
    SHEPARD_TIER_DIRECTED, /* such a one with a direction and ratio from a list */
    SHEPARD_TIERS
};

struct shepard_tally {
    double squares[SHEPARD_TALLY_PARTS]; /* sums of squared errors over the tuner's unit */
    size_t counts[SHEPARD_TALLY_PARTS];
    size_t missing;
    enum shepard_tier tier;
    bool failed; /* never chosen */
};

/* In what follows without is a part that does not count; SHEPARD_TALLY_PARTS: all count. */

/* The trial of a tier that misses least, of these that with the least error; SHEPARD_NO_TALLY: none
 * is good. */
size_t shepard_tallies_best(const struct shepard_tally *tallies, size_t count,
                            enum shepard_tier tier, size_t without);

/* The best of the first tier that has one, unless that of a later tier misses less, or as much and
 * is better by two standard errors of the difference. */
size_t shepard_tallies_choose(const struct shepard_tally *tallies, size_t count, size_t without);

/* The mean squared error of choosing so: each part is scored with the trial that the others choose.
 * One trial must be good. */
double shepard_tallies_honest_square(const struct shepard_tally *tallies, size_t count);

#endif
