/* SPDX-License-Identifier: MIT */
/* Random jobs for the papers' engines.
 *
 * Coordinates are multiples of 1/8 that single precision holds exactly once the middle of the data
 * is taken away. Others would be rounded when they come to the device, which moves a point by 6e-8
 * of the extent: an error of the input, not of the sums that are tested here. */
#ifndef SHEPARD_TESTS_PAPERS_CLOUD_H
#define SHEPARD_TESTS_PAPERS_CLOUD_H

#include "chance.h"

#include "shepard/shepard.h"

#define CLOUD_COLUMNS_MAX 64

enum cloud_shape { UNIFORM, CLUSTERED, FLAT_LINE, SLOPED_LINE, DUPLICATES, OUTLIER, SHAPE_COUNT };
enum target_shape { INSIDE, ON_DATA, FAR_AWAY, MIXED, TARGET_SHAPE_COUNT };

struct cloud_plan {
    size_t n, m, columns;
    enum cloud_shape shape;
    enum target_shape targets;
    bool utm;      /* coordinates and values with large offsets */
    bool constant; /* one value in each column */
};

struct papers_cloud {
    struct shepard_coordinates coordinates;
    struct shepard_values values;
    struct shepard_targets targets;
    double range[CLOUD_COLUMNS_MAX];   /* of each column's values; 1 for a constant column */
    double largest[CLOUD_COLUMNS_MAX]; /* of their magnitudes */
    double *x, *y, *tx, *ty;
    double *columns[CLOUD_COLUMNS_MAX];
    struct shepard_array column_arrays[CLOUD_COLUMNS_MAX];
};

extern const char *const cloud_shape_names[SHAPE_COUNT];
extern const char *const target_shape_names[TARGET_SHAPE_COUNT];

/* Ends the program where memory is out. */
void cloud_make(const struct cloud_plan *plan, struct chance *chance, struct papers_cloud *cloud);
void cloud_free(struct papers_cloud *cloud);

#endif
