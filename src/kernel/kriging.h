/* SPDX-License-Identifier: MIT */
/* Systems of kriging, several at once: one to a lane. The unknowns are the weights of the
 * increments from a base, one of the points (Eq. 55 to 59 of docs/math.md). */
#ifndef SHEPARD_KERNEL_KRIGING_H
#define SHEPARD_KERNEL_KRIGING_H

#include "kernel/variogram.h"

#include <stdbool.h>
#include <stddef.h>

/* Double solves a system whose least pivot is at least this part of the largest semivariance from
 * the base, and so far from what is singular; long double solves the others (Eq. 61). */
#define SHEPARD_KRIGING_WELL_CONDITIONED 1e-5

/* The same of a plane's equations: the lesser eigenvalue, a part of the other. */
#define SHEPARD_KRIGING_PLANE_SPREAD 1e-6

/* Systems of a batch, and the most increments of one: all points but the base. */
#define SHEPARD_KRIGING_LANES 8
#define SHEPARD_KRIGING_INCREMENTS 63

/* Rows behind those of the increments: the target's, two of the plane. */
#define SHEPARD_KRIGING_ROWS (SHEPARD_KRIGING_INCREMENTS + 3)

/* Numbers of scratch. */
#define SHEPARD_KRIGING_ROOM                                                                       \
    (SHEPARD_KRIGING_LANES *                                                                       \
     ((size_t)SHEPARD_KRIGING_ROWS * (SHEPARD_KRIGING_ROWS + 1) / 2 + 2 * SHEPARD_KRIGING_ROWS))

struct shepard_kriging_batch {
    /* Increments of each lane, 0 in a lane without a system; the most of them. */
    double increments[SHEPARD_KRIGING_LANES];
    size_t most;
    /* Offsets from the base, frame units, of the points and of the target, which is at none of
     * them. They are finite in lanes without a system, too, and behind the last point of a lane. */
    double x[SHEPARD_KRIGING_INCREMENTS][SHEPARD_KRIGING_LANES];
    double y[SHEPARD_KRIGING_INCREMENTS][SHEPARD_KRIGING_LANES];
    double target_x[SHEPARD_KRIGING_LANES], target_y[SHEPARD_KRIGING_LANES];
    bool is_3d; /* there is a third coordinate: */
    double z[SHEPARD_KRIGING_INCREMENTS][SHEPARD_KRIGING_LANES];
    double target_z[SHEPARD_KRIGING_LANES];
    /* Results. */
    double weight[SHEPARD_KRIGING_INCREMENTS][SHEPARD_KRIGING_LANES];
    double base_weight[SHEPARD_KRIGING_LANES], mean_weight[SHEPARD_KRIGING_LANES];
    double variance[SHEPARD_KRIGING_LANES]; /* over the sill */
    double pivot[SHEPARD_KRIGING_LANES];    /* the least; -1 where one is not above 0 */
    double largest[SHEPARD_KRIGING_LANES];  /* semivariance that was subtracted from another one */
    /* Of columns whose squares about their mean are asked for, over the sill: of each the values
     * less the known mean at the base, then less that of the base at the other points, 0 behind the
     * last; [columns, SHEPARD_KRIGING_INCREMENTS + 1, SHEPARD_KRIGING_LANES]. */
    size_t columns;
    const double *values;
    double *squares; /* result: [columns, SHEPARD_KRIGING_LANES], and what freedom they have: */
    double freedom[SHEPARD_KRIGING_LANES];
    double *room; /* [SHEPARD_KRIGING_ROOM], aligned for vectors */
};

/* Targets of one system that are predicted at once. */
#define SHEPARD_KRIGING_TARGETS 16

/* Numbers of scratch for them: a system of m increments. */
#define SHEPARD_KRIGING_TARGETS_ROOM(m) (SHEPARD_KRIGING_TARGETS * ((size_t)(m) + 5))

/* What of a column's values the weights of increments leave out (Eq. 59b). */
struct shepard_kriging_plane {
    double base;          /* the value at the base, less the known mean */
    double along, across; /* slopes of universal kriging */
};

/* A system of all points, and values at them. */
struct shepard_kriging_surface {
    size_t m;                     /* increments */
    const double *x, *y, *z;      /* [m] offsets from the base; z is 0 in the plane */
    const double *from_base;      /* [m] semivariances */
    const double *factor;         /* the lower triangle row by row, its diagonal inverted */
    const double *along, *across; /* [m] of the plane, behind the factor */
    double inverse[3];            /* A^+ of Eq. 59: xx, xy, yy */
    size_t columns;
    const double *weight; /* [columns, m] M^-1 y, of universal kriging of what the plane leaves */
    const struct shepard_kriging_plane *plane; /* [columns] */
};

/* Targets at none of the points; offsets from the base, finite in lanes without one, too. */
struct shepard_kriging_targets {
    double x[SHEPARD_KRIGING_TARGETS], y[SHEPARD_KRIGING_TARGETS];
    double z[SHEPARD_KRIGING_TARGETS]; /* 0 in the plane */
    /* Results. */
    double *value;                             /* [columns, SHEPARD_KRIGING_TARGETS] */
    double variance[SHEPARD_KRIGING_TARGETS];  /* over the sill */
    double from_base[SHEPARD_KRIGING_TARGETS]; /* semivariance */
    double *room; /* [SHEPARD_KRIGING_TARGETS_ROOM(m)], aligned for vectors */
};

#endif
