/* SPDX-License-Identifier: MIT */
/* Moments under construction: SHEPARD_BATCH nodes at once, one per lane. In P2M and M2M they are
 * real, sum_i q_i (x_i / rho)^a (y_i / rho)^b with offsets from the node's centre: a translation of
 * these costs a quarter of one of complex ones, and is as accurate: boxes are nested, so no term
 * exceeds 1. Numbers stand by rising a, within one a by rising b. */
#ifndef SHEPARD_KERNEL_BATCH_H
#define SHEPARD_KERNEL_BATCH_H

#include "base/host_device.h"
#include "kernel/node.h"
#include "kernel/tree.h"

#define SHEPARD_BATCH 8

/* The highest degree: that of the largest order, and two more for planes. */
#define SHEPARD_DEGREE_MAX (SHEPARD_ORDER(SHEPARD_ORDERS_MAX - 1) + 2)

/* Where the numbers of a degree begin. */
#define SHEPARD_DEGREE_FIRST(degree) ((size_t)(degree) * ((size_t)(degree) + 1) / 2)

/* Numbers of scratch: two tables of binomials, a charge's moments, powers of a leaf's points. */
#define SHEPARD_BATCH_ROOM(degree)                                                                 \
    (SHEPARD_BATCH * (2 * ((size_t)(degree) + 1) * ((size_t)(degree) + 1) +                        \
                      SHEPARD_TERMS((size_t)(degree)) + SHEPARD_LEAF * ((size_t)(degree) + 1)))

struct shepard_batch {
    int degree; /* highest */
    size_t charges;
    double *numbers; /* [charges, SHEPARD_TERMS(degree), SHEPARD_BATCH] */
    double *room;    /* [SHEPARD_BATCH_ROOM(degree)] scratch, aligned for vectors; batches of one
                        thread may share it */
};

/* The place of the number of x^a y^b among those of a charge. */
SHEPARD_HOST_DEVICE size_t shepard_batch_at(int degree, int a, int b)
{
    return (size_t)(a * (2 * degree + 3 - a) / 2 + b);
}

/* The points of SHEPARD_BATCH leaves; where there is no point the charges are 0. */
struct shepard_batch_points {
    double x[SHEPARD_LEAF][SHEPARD_BATCH], y[SHEPARD_LEAF][SHEPARD_BATCH]; /* offsets / rho */
    double *charges; /* [charges, SHEPARD_LEAF, SHEPARD_BATCH] */
};

/* From nodes to their parents: offsets of the centres and radii over the parents' radii. */
struct shepard_batch_step {
    double x[SHEPARD_BATCH], y[SHEPARD_BATCH], scale[SHEPARD_BATCH];
};

/* Where the moments of node.h go; lanes without a node have NULL. One of the two is used. */
struct shepard_batch_out {
    int degree;
    size_t stride; /* from charge to charge */
    /* Rows of coefficients, one for each number: of b = 0, 2, ... for real parts, of b = 1, 3, ...
     * for imaginary ones. */
    const double *table;
    float *single[SHEPARD_BATCH];
    double *precise[SHEPARD_BATCH];
};

/* Where the mean radii of core/moments.h go; lanes without a node have NULL. */
struct shepard_batch_mean_radius {
    int orders;
    double scale[SHEPARD_BATCH]; /* rho; 0: no radius */
    float *mean_radius_log2[SHEPARD_BATCH];
};

/* Rounding error of a moment by P2M and M2M, relative to the sum of charges: 2^-53 for each of at
 * most 2^5 levels and 2^5 degrees. */
#define SHEPARD_BATCH_ERROR 0x1p-43

/* The log2 of a mean radius of 0; the margin that mean radii are rounded up by. */
#define SHEPARD_MEAN_RADIUS_NONE (-2000.0)
#define SHEPARD_MEAN_RADIUS_MARGIN 0x1p-14

#endif
