/* SPDX-License-Identifier: MIT */
/* A step of columns as vectors: lanes that have a value and lanes that miss one. */
#ifndef SHEPARD_KERNEL_COLUMNS_LANES_H
#define SHEPARD_KERNEL_COLUMNS_LANES_H

#include "kernel/columns.h"
#include "kernel/simd.h"

/* Weighted sums: of 1 and scale z - shift; of planes those of offsets, of their products, and of
 * offsets with scale z - shift. */
enum {
    SUM_1,
    SUM_Z,
    SUMS_MEAN,
    SUM_X = SUMS_MEAN,
    SUM_Y,
    SUM_XX,
    SUM_XY,
    SUM_YY,
    SUM_ZX,
    SUM_ZY,
    SUMS
};

/* Vectors of a step. */
#define VECTORS (SHEPARD_COLUMNS_STEP / LANES_D)

static inline vd columns_keep(vl mask, vd a)
{
    return (vd)(mask & (vl)a);
}

/* The lanes without a value, which stands as -0. */
static inline vl columns_missing(vd scaled)
{
    return (vl)scaled == (vl)vd_all(-0.0);
}

static inline bool columns_any(const vl *masks, int count)
{
    vl any = masks[0];
    for (int v = 1; v < count; v++)
        any |= masks[v];
    return vl_bits(any) != 0;
}

#endif
