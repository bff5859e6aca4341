/* SPDX-License-Identifier: MIT */
/* Conditioning sets of Vecchia's likelihood (Eq. 63): points in a random order, each with its
 * nearest among some that come before it. */
#ifndef SHEPARD_CORE_VECCHIA_H
#define SHEPARD_CORE_VECCHIA_H

#include "kernel/kernels.h"
#include "shepard/shepard.h"

/* What sets are made of, and with what. */
struct shepard_vecchia_data {
    size_t count;             /* n >= 1, below 2^32 */
    const double *x, *y, *z;  /* [n], finite; places within 1 of 0 */
    const double *height;     /* [n] the third coordinate of places; NULL: they have two */
    size_t covariates;        /* how many; may be 0 */
    double *const *covariate; /* [covariates] arrays [n], finite */
    uint64_t seed;            /* of the order */
    const struct shepard_kernels *kernels;
    int threads;
    const struct shepard_allocator *allocator;
};

/* How many points are conditioned, on how many neighbours each at most. */
struct shepard_vecchia_size {
    size_t points; /* >= SHEPARD_VECCHIA_POINTS_MIN */
    size_t neighbours;
};

/* From so many on, more data than points have a level to take neighbours from. */
#define SHEPARD_VECCHIA_POINTS_MIN 128

/* Most sizes at once. */
#define SHEPARD_VECCHIA_SIZES_MAX 2

/* Points with equally many neighbours side by side, the points themselves last:
 * x, y, z, height [groups, neighbours + 1, SHEPARD_CONDITION_LANES]. */
struct shepard_vecchia {
    size_t count;  /* conditioned points; one counts once for each order */
    size_t orders; /* in which all points are conditioned; 1 where they are a sample */
    size_t groups;
    size_t neighbours;     /* most of a group */
    size_t *neighbours_of; /* [groups] */
    double *x, *y, *z;
    double *height; /* NULL: places have two coordinates */
    size_t covariates;
    double *covariate; /* [groups, covariates, neighbours + 1, SHEPARD_CONDITION_LANES] */
    double
        *weight; /* [groups, SHEPARD_CONDITION_LANES] data that a point stands for; 0: no point */
    const struct shepard_allocator *allocator;
};

/* Data of at most size.points: every point conditioned on its nearest predecessors, in as many
 * orders as that number allows; else a sample, conditioned on the nearest of the first points of
 * the order (docs/math/likelihood.md). Makes sets for each of the sizes, whose samples are parts of
 * each other. They do not depend on the number of threads. On failure nothing is held. */
enum shepard_status shepard_vecchia_create(const struct shepard_vecchia_data *data,
                                           const struct shepard_vecchia_size *sizes, size_t count,
                                           struct shepard_vecchia *sets,
                                           struct shepard_error *error);

void shepard_vecchia_free(struct shepard_vecchia *sets);

/* The points of a group. */
struct shepard_conditioning shepard_vecchia_group(const struct shepard_vecchia *sets, size_t group);

/* Their covariates; what is left of them is not set. */
struct shepard_condition_covariates
shepard_vecchia_group_covariates(const struct shepard_vecchia *sets, size_t group);

#endif
