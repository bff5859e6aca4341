/* SPDX-License-Identifier: MIT */
/* Groups of points as the far field sees them: the nodes of a binary tree over the points in the
 * tree's order, with moments about their centres (Eq. 26 of docs/math.md):
 *   M_mk = sum_i q_i (Y_i / rho)^m |Y_i / rho|^2k,   Y_i = (x_i - c_x) + i (y_i - c_y), m, k >= 0
 * Moments stand by rising degree l = m + 2k, within a degree by rising k: the real part, then, for
 * m > 0, the imaginary one; those of m > 0 are doubled, for their conjugates stand for them. Degree
 * l has l + 1 numbers, so a prefix of the numbers is a lower order. */
#ifndef SHEPARD_KERNEL_NODE_H
#define SHEPARD_KERNEL_NODE_H

#include <stddef.h>
#include <stdint.h>

/* Orders are odd: number o stands for the order 2 o + 1. */
#define SHEPARD_ORDERS_MAX 16
#define SHEPARD_ORDER(o) (2 * (o) + 1)

/* Numbers in the moments of degrees 0 to order. */
#define SHEPARD_TERMS(order) (((order) + 1) * ((order) + 2) / 2)

struct shepard_node {
    double x, y;  /* centre: the middle of the box of its points, frame units */
    double scale; /* rho: half of the box's diagonal, no less than a point's distance; 0: all one */
    size_t moments; /* index of its first number; charge c begins c * stride later */
    uint32_t stride;
};

/* Moments of one kind of charge after the other: charge 0 is q, the others are bounded by it. */
struct shepard_node_data {
    const struct shepard_node *nodes;
    size_t charges;
    const float *single; /* one of the two is there */
    const double *precise;
};

#endif
