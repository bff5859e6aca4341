/* SPDX-License-Identifier: MIT */
/**
 * Data points, values and targets to measure with, the same in every run and for every program.
 * Smaller numbers of points are the beginning of larger ones.
 *
 * papers: the papers' test data, uniform over a square of side 1024, drawn from the caller's seed.
 * Places lie on a grid that float32 holds exactly, 2^23 steps a side: the papers kept them in
 * float32. uniform, clustered: over a square of 10 km at UTM-size coordinates, from fixed seeds.
 * clustered: 70 % in 500 Gaussian clusters, whose sizes spread over two and whose standard
 * deviations (1 m to 300 m) over two and a half powers of ten; 25 % along 100 straight strips, 5 m
 * wide and up to 10 km long; 5 % even over the square; targets too. values: a smooth surface of
 * height -50 to 50, another for each column, with noise of standard deviation 5.
 */
#ifndef SHEPARD_PAPERS_DATASET_H
#define SHEPARD_PAPERS_DATASET_H

#include "papers_engine.h"

#include <stdint.h>

enum shepard_dataset_kind {
    SHEPARD_DATASET_PAPERS,
    SHEPARD_DATASET_UNIFORM,
    SHEPARD_DATASET_CLUSTERED,
    SHEPARD_DATASET_KINDS
};

/** "papers", "uniform" or "clustered", static. */
const char *shepard_dataset_name(enum shepard_dataset_kind kind);

/** Side of the papers' square, whose lower left corner is (0, 0); side and corner of the others'.
 */
#define SHEPARD_DATASET_PAPERS_SIDE 1024.0
#define SHEPARD_DATASET_SIDE 10000.0
#define SHEPARD_DATASET_X0 500000.0
#define SHEPARD_DATASET_Y0 5400000.0

struct shepard_dataset {
    enum shepard_dataset_kind kind;
    const struct shepard_allocator *allocator; /**< of all arrays; NULL: malloc and free */
    size_t n, m, columns;                      /**< data points, targets, value columns */
    double *x, *y;                             /**< [n] */
    double *target_x;                          /**< [m] */
    double *target_y;
    double *values[SHEPARD_PAPER_COLUMNS_MAX];                    /**< [columns] of [n] */
    struct shepard_array value_arrays[SHEPARD_PAPER_COLUMNS_MAX]; /**< which describe them */
};

/** Draws a dataset whose kind, n, m, columns and allocator are set; seed: of the kind papers. False
 * where memory ran out. Free it in either case. */
bool shepard_dataset_draw(struct shepard_dataset *dataset, uint64_t seed);

void shepard_dataset_free(struct shepard_dataset *dataset);

/** A view of one of so many equal parts of a dataset: points, values and targets one after another.
 * It is not to be freed. */
struct shepard_dataset shepard_dataset_part(const struct shepard_dataset *dataset, size_t part,
                                            size_t parts);

/** Largest less smallest value of a column's first n. */
double shepard_dataset_range(const struct shepard_dataset *dataset, size_t column, size_t n);

/** One of each of count equal stretches of the numbers below `of`, rising, the first and the last
 * number among them, so that the ends of a grid of threads are looked at too; the same every time.
 */
void shepard_dataset_sample(size_t of, size_t count, size_t *sample);

/** Views of the first n points, of the values, and of the first m targets. */
struct shepard_coordinates shepard_dataset_coordinates(const struct shepard_dataset *dataset,
                                                       size_t n);
struct shepard_values shepard_dataset_values(const struct shepard_dataset *dataset);
struct shepard_targets shepard_dataset_targets(const struct shepard_dataset *dataset, size_t m);

#endif
