/* SPDX-License-Identifier: MIT */
/* What the all-points sums take and give: sums over all data points for a handful of targets. */
#ifndef SHEPARD_KERNEL_SUMS_H
#define SHEPARD_KERNEL_SUMS_H

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

static inline enum shepard_form shepard_form_of(double alpha)
{
    return alpha == 1   ? SHEPARD_FORM_1
           : alpha == 2 ? SHEPARD_FORM_2
           : alpha == 3 ? SHEPARD_FORM_3
           : alpha == 4 ? SHEPARD_FORM_4
                        : SHEPARD_FORM_GENERAL;
}

/* How the weights of one target fall: w = (unit2 / (d2 + smoothing2))^(alpha / 2), Eq. 8 of
 * docs/math.md. */
struct shepard_decay {
    enum shepard_form form;
    double alpha;
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
    const double
        *scale; /* [columns] a power of two near 1 / half-range: sums and squares stay finite */
    /* Single precision only: */
    const struct shepard_group *groups; /* [n / SHEPARD_GROUP, up] */
    const float *x, *y;                 /* [n] offsets from the group's centre */
    const float *const *charges;        /* [columns][n] q times (z - middle) / half-range */
    const float *charge;                /* [n] q; NULL: all 1 */
    const double *middle, *half_range;  /* [columns] */
};

/* A row of double sums: SHEPARD_LANES sums, then as many roundings that were lost in them, so that
 * a sum over 10^9 points is as good as one over 10^2. The kernel adds the lost ones in before it
 * returns. */
#define SHEPARD_ROW (2 * SHEPARD_LANES)

/* Double: weights, their squares, moments of offsets for the plane, and values, all in double. */
struct shepard_sum_double {
    size_t targets; /* 1 to SHEPARD_LANES */
    double x[SHEPARD_LANES], y[SHEPARD_LANES];
    struct shepard_decay decay[SHEPARD_LANES]; /* of each target; one form for all */
    bool plane;                                /* the moments of degree 1 too */
    bool spread;            /* z gets w d^2 in place of w d, d = scale z - scale centre */
    const double *centre;   /* [columns, SHEPARD_ROW] subtracted from the values */
    double w[SHEPARD_ROW];  /* sum of w, q included */
    double ww[SHEPARD_ROW]; /* sum of w^2 */
    double origin_x[SHEPARD_LANES], origin_y[SHEPARD_LANES]; /* with plane: of its offsets */
    double wx[SHEPARD_ROW], wy[SHEPARD_ROW]; /* with plane: offsets point - origin */
    double wxx[SHEPARD_ROW], wxy[SHEPARD_ROW], wyy[SHEPARD_ROW];
    double *z;       /* [columns, SHEPARD_ROW] sum of w d */
    double *zx, *zy; /* [columns, SHEPARD_ROW] with plane: times the offset */
};

/* Single: weights and charges; groups near a target in double, the others in float32. */
struct shepard_sum_single {
    size_t targets;
    double x[SHEPARD_LANES], y[SHEPARD_LANES];
    struct shepard_decay decay[SHEPARD_LANES]; /* of each target; one form and smoothing for all */
    double w[SHEPARD_LANES];
    double *z; /* [columns, SHEPARD_LANES] sum of w times charge */
};

#endif
