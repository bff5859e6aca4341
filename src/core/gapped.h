/* SPDX-License-Identifier: MIT */
/* Columns that miss values, point by point, in the order of a geometry: for predictions that share
 * their search. Columns with the same gaps are a group and lie together. */
#ifndef SHEPARD_CORE_GAPPED_H
#define SHEPARD_CORE_GAPPED_H

#include "base/once.h"
#include "core/geometry.h"
#include "kernel/columns.h"

struct shepard_gapped_group {
    size_t first, count;              /* columns */
    struct shepard_geometry geometry; /* of its points, without arrays */
};

struct shepard_gapped {
    const struct shepard_geometry *geometry; /* of all points */
    size_t columns;
    size_t *column; /* [columns] of the caller */
    size_t groups;
    struct shepard_gapped_group *group;      /* [groups] */
    struct shepard_columns table;            /* of what follows */
    double *rows, *scaled;                   /* of the table */
    uint64_t *present;                       /* [n, words] */
    double *weights;                         /* [n] of the caller; NULL: all 1 */
    double *highest, *value_min, *value_max; /* [stride] */
    double *middle, *scale, *shift;          /* [stride] as in the sums */
    struct shepard_once looked;              /* of: */
    bool distinct;                           /* no two points are at one place */
};

/* Copies values, which have been checked; group [columns]: the number of each column's group, below
 * groups. geometry has its arrays and outlives *gapped. A group without a point is left with a
 * count of 0. On failure *gapped holds nothing. Cost: O(n) a column. */
enum shepard_status shepard_gapped_create(const struct shepard_geometry *geometry,
                                          const struct shepard_values *values, const size_t *group,
                                          size_t groups, struct shepard_gapped *gapped,
                                          struct shepard_error *error);

void shepard_gapped_free(struct shepard_gapped *gapped);

/* Whether no two points are at one place: the order of those goes by values, so by group. Looks at
 * the first call, O(n), at a geometry in the order of core/hilbert.h; threads may ask at once. */
bool shepard_gapped_is_distinct(struct shepard_gapped *gapped);

/* Writes a column's values, NaN where one is missing, or the weights to the places that the points
 * have in the caller's arrays. */
void shepard_gapped_restore(const struct shepard_gapped *gapped, size_t column, double *values);
void shepard_gapped_restore_weights(const struct shepard_gapped *gapped, double *weights);

/* Sets keep, which is false throughout, at the places of a group's points in the caller's arrays.
 */
void shepard_gapped_keep(const struct shepard_gapped *gapped, size_t group, bool *keep);

size_t shepard_gapped_bytes(const struct shepard_gapped *gapped);

#endif
