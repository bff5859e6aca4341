/* SPDX-License-Identifier: MIT */
/* Columns of values side by side, point by point, each with missing values of its own; and the
 * weighted means of all of them at once over one list of points. */
#ifndef SHEPARD_KERNEL_COLUMNS_H
#define SHEPARD_KERNEL_COLUMNS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Columns lie in steps of so many: whole vectors. */
#define SHEPARD_COLUMNS_STEP 16
/* Values as given, which few sums read, in narrower ones: columns that fill no step take room. */
#define SHEPARD_COLUMNS_ROW 8

/* Weights are held for so many units side by side. */
#define SHEPARD_COLUMNS_UNITS 4

/* Places of a list are looked at in groups of so many. */
#define SHEPARD_COLUMNS_PLACES 4

struct shepard_columns {
    size_t count;        /* points */
    size_t stride;       /* columns, padded to whole steps */
    size_t words;        /* of 64 columns */
    const double *x, *y; /* [count] places of the points */
    const double *rows;  /* [columns in whole rows, count + 1, SHEPARD_COLUMNS_ROW]; NaN: missing */
    const double *scaled; /* [stride / SHEPARD_COLUMNS_STEP, count + 1, SHEPARD_COLUMNS_STEP] scale
                             z - shift, never -0; -0: missing, as all behind the last point */
    const uint64_t *present; /* [count, words] a bit for each column */
    const double *scale;     /* [stride] a power of two; values are summed as scale z - shift, */
    const double *shift;     /* shift = scale middle */
    const double *middle;
    const double *low, *high; /* [stride] the least and largest value */
    const double *weights;    /* [count + 1] q; NULL: all 1 */
    const double *highest;    /* [stride] the largest q of the points that a column has values at */
    double least_weight;      /* q / highest counts as this where it is less */
};

/* The points nearest to a target, and how far they are. */
struct shepard_columns_near {
    const uint32_t *rank; /* [count] nearest first */
    const double *distance;
    size_t count;
};

/* The points that columns take theirs from, in the order of summing. The weights of a column are
 * those beside its own nearest point: the first of `unit` that it has a value at. */
struct shepard_columns_list {
    const uint32_t *rank; /* [places]; behind count that behind the last point */
    size_t count, most;   /* a column takes the first `most` that it has values at */
    size_t places;        /* count, up to whole groups */
    size_t units;
    const uint32_t *unit; /* [units] places in the list, nearest first */
    const double *w;      /* [units / SHEPARD_COLUMNS_UNITS up, places, SHEPARD_COLUMNS_UNITS]
                             weights of points, without q; before a column's own nearest anything */
    /* Where each column has a power of its own: w is of half a power of 1, */
    const double *logarithm; /* as w: log2 of it */
    struct shepard_columns_near near;
    /* For planes: the target, how far the points are from it, and their offsets, */
    double x, y;
    const double *distance; /* [places] nearest first */
    const double *dx, *dy;  /* [places] */
};

/* Points of a list for planes, at most. */
#define SHEPARD_COLUMNS_PLANE_POINTS 128

/* How planes are held where points do not carry them (Eq. 11, 12b of docs/math.md). */
struct shepard_columns_plane {
    double ridge, damping;
};

/* How the powers of the columns of a step go by the distances of their nearest points: as
 * core/adapt.h, r_expected for each. */
struct shepard_columns_adapt {
    size_t k;
    double r_min, r_max;
    double alphas[5];
    double r_expected[SHEPARD_COLUMNS_STEP];
};

/* How a step of columns is predicted. */
struct shepard_columns_model {
    const struct shepard_columns_adapt *adapt; /* NULL: weights are given */
    const struct shepard_columns_plane *plane; /* NULL: means */
};

/* What lists give the columns of a step: weighted means, or values of planes. */
struct shepard_columns_means {
    /* [lists, SHEPARD_COLUMNS_STEP] each: */
    double *mean;  /* within low and high; undefined where count is 0 */
    double *count; /* points; 0 where no unit has a value; -1 where a column is to be predicted
                      alone: too few near points for a power, or a plane of one point or singular */
};

/* Where the number of a point and a column is among numbers in steps. */
static inline size_t shepard_columns_place(const struct shepard_columns *columns, size_t rank,
                                           size_t column)
{
    const size_t lane = column % SHEPARD_COLUMNS_STEP;
    return (column - lane) * (columns->count + 1) + rank * SHEPARD_COLUMNS_STEP + lane;
}

/* Where it is among values as given. */
static inline size_t shepard_columns_row_place(const struct shepard_columns *columns, size_t rank,
                                               size_t column)
{
    const size_t lane = column % SHEPARD_COLUMNS_ROW;
    return (column - lane) * (columns->count + 1) + rank * SHEPARD_COLUMNS_ROW + lane;
}

static inline double shepard_columns_value(const struct shepard_columns *columns, size_t rank,
                                           size_t column)
{
    return columns->rows[shepard_columns_row_place(columns, rank, column)];
}

static inline bool shepard_columns_present(const struct shepard_columns *columns, size_t rank,
                                           size_t column)
{
    return columns->present[rank * columns->words + column / 64] >> column % 64 & 1;
}

/* q of a point as a column counts it. */
static inline double shepard_columns_weight(const struct shepard_columns *columns, size_t rank,
                                            size_t column)
{
    if (columns->weights == NULL)
        return 1;
    return fmax(columns->weights[rank] / columns->highest[column], columns->least_weight);
}

/* The unit that the weights of a column are beside; list->units if it has a value at none. */
static inline size_t shepard_columns_unit(const struct shepard_columns *columns, size_t column,
                                          const struct shepard_columns_list *list)
{
    size_t u = 0;
    while (u < list->units && !shepard_columns_present(columns, list->rank[list->unit[u]], column))
        u++;
    return u;
}

/* Where the weights beside a unit begin in those of a list of so many places; the weight of each
 * next point is SHEPARD_COLUMNS_UNITS farther. */
static inline size_t shepard_columns_beside(size_t places, size_t unit)
{
    return unit / SHEPARD_COLUMNS_UNITS * SHEPARD_COLUMNS_UNITS * places +
           unit % SHEPARD_COLUMNS_UNITS;
}

#endif
