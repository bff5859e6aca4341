/* SPDX-License-Identifier: MIT */
/* Rows of numbers, one for each column, written column by column. Included by columns.c. */
#ifndef SHEPARD_KERNEL_COLUMNS_TURN_IMPL_H
#define SHEPARD_KERNEL_COLUMNS_TURN_IMPL_H

#include "kernel/columns_lanes.h"

/* Every other lane of two vectors, or every other pair of lanes. */
#if SHEPARD_VECTOR_BYTES == 64
#define TURN_EVEN(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define TURN_ODD(a, b) __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define TURN_EVEN_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13)
#define TURN_ODD_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15)
#elif SHEPARD_VECTOR_BYTES == 32
#define TURN_EVEN(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define TURN_ODD(a, b) __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define TURN_EVEN_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define TURN_ODD_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#else
#define TURN_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2)
#define TURN_ODD(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif

/* Columns of a square of LANES_D vectors in place of its rows. */
static inline void turn_square(vd *r)
{
    vd even[LANES_D / 2], odd[LANES_D / 2];
    for (int i = 0; i < LANES_D / 2; i++) {
        even[i] = TURN_EVEN(r[2 * i], r[2 * i + 1]);
        odd[i] = TURN_ODD(r[2 * i], r[2 * i + 1]);
    }
#if SHEPARD_VECTOR_BYTES == 64
    for (int i = 0; i < 2; i++) {
        const vd *const half = i == 0 ? even : odd;
        const vd low = TURN_EVEN_PAIRS(half[0], half[1]), high = TURN_EVEN_PAIRS(half[2], half[3]);
        const vd low2 = TURN_ODD_PAIRS(half[0], half[1]), high2 = TURN_ODD_PAIRS(half[2], half[3]);
        r[i] = TURN_EVEN_PAIRS(low, high);
        r[i + 2] = TURN_EVEN_PAIRS(low2, high2);
        r[i + 4] = TURN_ODD_PAIRS(low, high);
        r[i + 6] = TURN_ODD_PAIRS(low2, high2);
    }
#elif SHEPARD_VECTOR_BYTES == 32
    r[0] = TURN_EVEN_PAIRS(even[0], even[1]);
    r[1] = TURN_EVEN_PAIRS(odd[0], odd[1]);
    r[2] = TURN_ODD_PAIRS(even[0], even[1]);
    r[3] = TURN_ODD_PAIRS(odd[0], odd[1]);
#else
    r[0] = even[0];
    r[1] = odd[0];
#endif
}

/* Numbers [from, end) of column c. */
static inline void turn_some(const double *const *rows, size_t c, size_t from, size_t end,
                             double *to)
{
    for (size_t i = from; i < end; i++)
        to[i] = rows[i][c];
}

/* A cache line of each of LANES_D columns from c on, of rows from i on; past the caches where it is
 * a whole one. */
static inline void turn_lines(const double *const *rows, size_t c, size_t i, double *const *to,
                              const bool *whole)
{
    vd square[COLUMNS_LINE];
    for (size_t j = 0; j < COLUMNS_LINE; j++)
        square[j] = vd_load(rows[i + j] + c);
    for (size_t j = 0; j < COLUMNS_LINE; j += LANES_D)
        turn_square(square + j);
    for (size_t lane = 0; lane < LANES_D; lane++)
        for (size_t j = 0; j < COLUMNS_LINE; j += LANES_D)
            if (whole[lane])
                vd_stream(to[lane] + i + j, square[j + lane]);
            else
                vd_store(to[lane] + i + j, square[j + lane]);
}

/* LANES_D columns from c on at rows that follow each other. Where the lines of the first begin,
 * those of the others mostly do, too. */
static void turn_columns(const double *const *rows, size_t count, size_t c, double *const *to)
{
    const size_t ahead = -(uintptr_t)to[0] / sizeof **to % COLUMNS_LINE;
    const size_t first = ahead < count ? ahead : count;
    const size_t end = first + (count - first) / COLUMNS_LINE * COLUMNS_LINE;
    bool whole[LANES_D];
    for (size_t lane = 0; lane < LANES_D; lane++)
        whole[lane] = (uintptr_t)(to[lane] + first) % (COLUMNS_LINE * sizeof **to) == 0;
    for (size_t lane = 0; lane < LANES_D; lane++)
        turn_some(rows, c + lane, 0, first, to[lane]);
    for (size_t i = first; i < end; i += COLUMNS_LINE)
        turn_lines(rows, c, i, to, whole);
    for (size_t lane = 0; lane < LANES_D; lane++)
        turn_some(rows, c + lane, end, count, to[lane]);
}

/* Rows whose indices follow each other, from `first` on. */
static void turn_run(const double *const *rows, size_t first, size_t count, double *const *to,
                     size_t columns)
{
    size_t c = 0;
    for (; c + LANES_D <= columns; c += LANES_D) {
        double *at[LANES_D];
        for (size_t lane = 0; lane < LANES_D; lane++)
            at[lane] = to[c + lane] + first;
        turn_columns(rows, count, c, at);
    }
    for (; c < columns; c++)
        turn_some(rows, c, 0, count, to[c] + first);
}

static void columns_turn(const double *const *rows, const size_t *index, size_t count,
                         double *const *to, size_t columns)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && index[end] == index[end - 1] + 1;)
            end++;
        turn_run(rows + i, index[i], end - i, to, columns);
    }
    vd_stream_end();
}

#endif
