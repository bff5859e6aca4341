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

/* Numbers of a cache line. */
#define COLUMNS_LINE 8

/* Vectors of a step, and of those that are summed at once: sums of more are not held in registers.
 */
#define VECTORS (SHEPARD_COLUMNS_STEP / LANES_D)
#define VECTORS_AT_ONCE 2

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

/* Which of the units from `first` on, SHEPARD_COLUMNS_UNITS of them, is the first that each lane
 * has a value at; the lanes that have none. scaled: of the first of so many vectors. */
static inline __attribute__((always_inline)) void
columns_choose(int vectors, const double *scaled, const struct shepard_columns_list *list,
               size_t first, vl *choice, vl *none)
{
    const size_t rest = list->units - first;
    const size_t units = rest < SHEPARD_COLUMNS_UNITS ? rest : SHEPARD_COLUMNS_UNITS;
    for (int v = 0; v < vectors; v++) {
        choice[v] = vl_choice((vl){0});
        none[v] = (vl){0} - 1;
    }
    /* Most lanes have a value at one of two: a look at each unit would be guessed wrong. */
    for (size_t u = 0; u < units && (u < 2 || columns_any(none, vectors)); u++) {
        const double *row = scaled + list->rank[list->unit[first + u]] * SHEPARD_COLUMNS_STEP;
        const vl here = vl_choice((vl){0} + (int64_t)u);
        for (int v = 0; v < vectors; v++) {
            const vl missing = columns_missing(vd_load(row + v * LANES_D));
            choice[v] = (none[v] & here) | (~none[v] & choice[v]);
            none[v] &= missing;
        }
    }
}

#endif
