/* SPDX-License-Identifier: MIT */
/* Columns of values side by side, point by point, each with missing values of its own; and the
 * weighted means of all of them at once over one list of points. */
#ifndef SHEPARD_KERNEL_COLUMNS_H
#define SHEPARD_KERNEL_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Columns are padded to a multiple of this: whole vectors. */
#define SHEPARD_COLUMNS_STEP 8

struct shepard_columns {
    size_t stride;           /* columns, padded */
    size_t words;            /* of 64 columns */
    const double *rows;      /* [n, stride]; NaN: missing */
    const uint64_t *present; /* [n, words] a bit for each column */
    const double *scale;     /* [stride] values are summed as scale z - shift, */
    const double *shift;     /* shift = scale middle */
    const double *middle;
    const double *low, *high; /* [stride] the least and largest value */
    const double *weights;    /* [n] q; NULL: all 1 */
    const double *highest;    /* [stride] the largest q of the points that a column has values at */
    double least_weight;      /* q / highest counts as this where it is less */
};

/* The points that columns take theirs from, in the order of summing. The weights of a column are
 * those beside its own nearest point: the first of `unit` that it has a value at. */
struct shepard_columns_list {
    const uint32_t *rank; /* [count] */
    size_t count, most;   /* a column takes the first `most` that it has values at */
    bool sorted;          /* nearest first: unit[u] is u */
    size_t units;
    const uint32_t *unit;   /* [units] places in the list, nearest first */
    const double *w;        /* [units, count] weights of points, without q */
    const uint64_t *wanted; /* [words] the columns to average */
};

/* [stride] each; undefined for columns that are not wanted. */
struct shepard_columns_means {
    double *mean;  /* within low and high; undefined where count is 0 */
    double *count; /* points; 0 where no unit has a value */
};

static inline bool shepard_columns_present(const struct shepard_columns *columns, size_t rank,
                                           size_t column)
{
    return columns->present[rank * columns->words + column / 64] >> column % 64 & 1;
}

#endif
