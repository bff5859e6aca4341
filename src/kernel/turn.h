/* SPDX-License-Identifier: MIT */
/* shepard_axes_turn of axes.h, in vectors. */
#ifndef SHEPARD_KERNEL_TURN_H
#define SHEPARD_KERNEL_TURN_H

#include "kernel/axes.h"
#include "kernel/math.h"

/* Axes of each lane. */
struct vd_axes {
    vd x, y, main_x, main_y;
};

/* The rounding error of d = a - b. */
static inline vd vd_lost(vd a, vd b, vd d)
{
    const vd back = d - a;
    return (a - (d - back)) - (b + back);
}

static inline vd vd_half(vd a)
{
    return (vd)((vl)a & ((vl){0} + (int64_t)SHEPARD_HALF_MASK));
}

/* Turns a place (*a, *b). Not fused, it has the bits of shepard_axes_turn. */
static inline __attribute__((always_inline)) void vd_turn(const struct vd_axes *axes, vd *a, vd *b,
                                                          const bool fused)
{
    const vd p = axes->main_x, q = axes->main_y, dx = *a - axes->x, dy = *b - axes->y;
    const vd half_x = vd_half(dx), half_y = vd_half(dy);
    const vd lost_x = vd_lost(*a, axes->x, dx), lost_y = vd_lost(*b, axes->y, dy);
    *a = vd_multiply_add(p, dx, q * dy, fused);
    *b = vd_multiply_add(p, half_y, -(q * half_x), fused) +
         vd_multiply_add(p, dy - half_y, -(q * (dx - half_x)), fused) +
         vd_multiply_add(p, lost_y, -(q * lost_x), fused);
}

#endif
