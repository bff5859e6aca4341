/* SPDX-License-Identifier: MIT */
/* Arguments and results of weighted sums over runs of data points and over nodes, for a few
 * targets. */
#ifndef SHEPARD_KERNEL_SUMS_H
#define SHEPARD_KERNEL_SUMS_H

#include "kernel/left_out.h"
#include "kernel/node.h"
#include "kernel/tree.h"

/* Targets per call of a sum. */
#define SHEPARD_LANES 16

/* Small integer powers have forms without logarithm and exponential. */
enum shepard_form {
    SHEPARD_FORM_GENERAL,
    SHEPARD_FORM_1,
    SHEPARD_FORM_2,
    SHEPARD_FORM_3,
    SHEPARD_FORM_4
};

static inline enum shepard_form shepard_form_of(double power)
{
    return power == 1   ? SHEPARD_FORM_1
           : power == 2 ? SHEPARD_FORM_2
           : power == 3 ? SHEPARD_FORM_3
           : power == 4 ? SHEPARD_FORM_4
                        : SHEPARD_FORM_GENERAL;
}

/* How the weights of one target fall: w = (unit2 / (d2 + smoothing2))^(power / 2), Eq. 8 of
 * docs/math.md. */
struct shepard_decay {
    enum shepard_form form;
    double power;
    double smoothing2;
    double unit2; /* > 0: the nearest point's d2 + smoothing2, or near it */
};

/* A group of SHEPARD_GROUP consecutive points. */
struct shepard_group {
    double x, y;    /* centre, frame units */
    double radius2; /* of the farthest of its points from the centre, squared */
};

/* The data in the forms that sums read. n and the tree's order as in tree. */
struct shepard_sum_data {
    const struct shepard_tree *tree;
    size_t columns;
    const double *const *values; /* [columns][n] */
    const double *weights;       /* [n] q; NULL: all 1 */
    const double *middle;        /* [columns] of the values' range */
    const double *scale;         /* [columns] a power of two; scale |z - middle| < 1 */
    /* Single precision only: */
    const struct shepard_group *groups; /* [n / SHEPARD_GROUP, up] */
    const float *x, *y;                 /* [n] offsets from the group's centre */
    const float *const *charges;        /* [columns][n] q scale (z - middle) */
    const float *charge;                /* [n] q; NULL: all 1 */
    /* Moments of q and, for each column, of q scale (z - middle). */
    struct shepard_node_data nodes;
};

/* Consecutive points. */
struct shepard_run {
    size_t first, count;
};

/* Nodes that are summed by expansions of one order. */
struct shepard_node_list {
    int order; /* odd */
    size_t count;
    const uint32_t *node;
};

/* The weights of several targets: one form and smoothing for all. */
struct shepard_decay_lanes {
    enum shepard_form form;
    /* All lanes have one half_power, whatever the other targets: expansions in double then use a
     * faster form with other rounding. */
    bool one_power;
    double smoothing2;
    double unit2[SHEPARD_LANES], half_power[SHEPARD_LANES];
};

/* Numbers of the table of factors of an expansion (Eq. 27): one for each m, k with m + 2k <= order.
 */
#define SHEPARD_FACTORS(order) (((order) + 1) * ((order) + 3) / 4)
#define SHEPARD_ORDER_MAX SHEPARD_ORDER(SHEPARD_ORDERS_MAX - 1)
/* Numbers of the table of their coefficients with smoothing (Eq. 28a), for odd orders. */
#define SHEPARD_SMOOTH(order) (((order) + 1) * ((order) + 3) * ((order) + 5) / 24)
/* The largest order in float32. */
#define SHEPARD_ORDER_SINGLE 13

/* Numbers of scratch for sums over nodes in double, and of planes: the terms of an expansion for a
 * vector of eight targets and what they are made from, and nine sets of moments, of two degrees
 * more for planes; whole vectors. */
#define SHEPARD_SUM_ROOM                                                                           \
    (8 * (2 * (SHEPARD_ORDER_MAX + 1) + SHEPARD_FACTORS(SHEPARD_ORDER_MAX) +                       \
          SHEPARD_TERMS(SHEPARD_ORDER_MAX) + 9 * SHEPARD_TERMS(SHEPARD_ORDER_MAX + 2) / 8 + 1))

/* A row of double sums: SHEPARD_LANES sums, then as many rounding errors of them, so that a sum
 * over 10^9 points is as accurate as one over 10^2. Finishing adds the rounding errors. */
#define SHEPARD_ROW (2 * SHEPARD_LANES)

/* Double: weights, their squares, moments of offsets for the plane, and values, all in double. The
 * caller sets all up to the origins, starts, adds, and finishes. */
struct shepard_sum_double {
    size_t targets; /* 1 to SHEPARD_LANES */
    double x[SHEPARD_LANES], y[SHEPARD_LANES];
    const struct shepard_left_out *left_out; /* [targets] points with no weight; NULL: none */
    struct shepard_decay_lanes decay;
    int order;     /* largest order of nodes that will be added; 0: none will be */
    bool plane;    /* the moments of degree 1 too */
    bool straight; /* with plane: x and y are the axes, whatever main_x and main_y */
    bool spread;   /* z gets w d^2 in place of w d, d = scale z - scale centre */
    const double
        *centre; /* [columns, SHEPARD_ROW] subtracted from the values; with nodes: middle */
    double w[SHEPARD_ROW];  /* sum of w, q included */
    double ww[SHEPARD_ROW]; /* sum of w^2, of points only */
    /* With plane: offsets of the points from the origin along the main direction and across it, as
     * shepard_axes_turn gives them. */
    double origin_x[SHEPARD_LANES], origin_y[SHEPARD_LANES];
    double main_x[SHEPARD_LANES], main_y[SHEPARD_LANES];
    double wx[SHEPARD_ROW], wy[SHEPARD_ROW]; /* x: along, y: across */
    double wxx[SHEPARD_ROW], wxy[SHEPARD_ROW], wyy[SHEPARD_ROW];
    double *z;       /* [columns, SHEPARD_ROW] sum of w d */
    double *zx, *zy; /* [columns, SHEPARD_ROW] with plane: times the offset */
    double factors[SHEPARD_FACTORS(SHEPARD_ORDER_MAX)][SHEPARD_LANES]; /* without smoothing */
    /* With smoothing: the numbers of the recurrence of these (Eq. 28) that depend on the power. */
    double rise[SHEPARD_ORDER_MAX + 1][SHEPARD_LANES], fall[SHEPARD_ORDER_MAX + 1][SHEPARD_LANES];
    double terms[SHEPARD_TERMS(SHEPARD_ORDER_MAX)]; /* with one_power: factors of the moments */
    double *room; /* [SHEPARD_SUM_ROOM], aligned for vectors; NULL where no nodes are added */
};

/* Single: weights and charges, in float32 where that is accurate enough (docs/math/rounding.md).
 */
struct shepard_sum_single {
    size_t targets;
    double x[SHEPARD_LANES], y[SHEPARD_LANES];
    const struct shepard_left_out *left_out; /* as in double */
    struct shepard_decay_lanes decay;        /* unit2 within SHEPARD_SINGLE_NEAR2 and _FAR2 */
    int order;
    bool plane; /* the moments of degree 1 too, of offsets from the target; without smoothing */
    bool fast_weights; /* those of points need not be more accurate than Eq. 25a of docs/math.md */
    double w[SHEPARD_LANES];
    double wx[SHEPARD_LANES], wy[SHEPARD_LANES];
    double wxx[SHEPARD_LANES], wxy[SHEPARD_LANES], wyy[SHEPARD_LANES];
    double radius2[SHEPARD_LANES]; /* with plane: w times the squared radius of nodes */
    double *z;                     /* [columns, SHEPARD_LANES] sum of w scale (z - middle) */
    double *zx, *zy;               /* [columns, SHEPARD_LANES] with plane: times the offset */
    double *room;                  /* as in double; only with plane */
    float unit2[SHEPARD_LANES], per_unit2[SHEPARD_LANES]; /* and 1 / unit2 */
    float half_power[SHEPARD_LANES];
    /* Of the exponent -half_power: the whole, 12 bits of it, and the rest. */
    float exponent[SHEPARD_LANES], high[SHEPARD_LANES], low[SHEPARD_LANES];
    float factors[SHEPARD_FACTORS(SHEPARD_ORDER_SINGLE)][SHEPARD_LANES];
    float smooth[SHEPARD_SMOOTH(SHEPARD_ORDER_SINGLE)][SHEPARD_LANES]; /* with smoothing instead */
};

/* Within these bounds of unit2 (frame units, squared) no square of a float offset that matters
 * vanishes or overflows. */
#define SHEPARD_SINGLE_NEAR2 0x1p-80
#define SHEPARD_SINGLE_FAR2 0x1p80

#endif
