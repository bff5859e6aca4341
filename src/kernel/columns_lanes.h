/* SPDX-License-Identifier: MIT */
/* A step of columns as vectors: lanes that have a value and lanes that miss one. */
#ifndef SHEPARD_KERNEL_COLUMNS_LANES_H
#define SHEPARD_KERNEL_COLUMNS_LANES_H

#include "kernel/columns.h"
#include "kernel/simd.h"

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

static inline bool columns_any(const vl *masks)
{
    vl any = masks[0];
    for (int v = 1; v < VECTORS; v++)
        any |= masks[v];
    return vl_bits(any) != 0;
}

#endif
