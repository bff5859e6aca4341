/* SPDX-License-Identifier: MIT */
/**
 * Data points and targets to measure with, drawn from fixed seeds, so that every run and every
 * program works on the same numbers. They lie round a square of 10 km at UTM-size coordinates.
 *
 * uniform: data points and targets even over the square.
 * clustered: 70 % in 500 Gaussian clusters, whose sizes spread over two and whose standard
 * deviations (1 m to 300 m) over two and a half powers of ten; 25 % along 100 straight strips, 5 m
 * wide and up to 10 km long; 5 % even over the square. Targets are drawn in the same way.
 * values: a smooth surface of height -50 to 50 with noise of standard deviation 5.
 */
#ifndef SHEPARD_BENCH_CLOUD_H
#define SHEPARD_BENCH_CLOUD_H

#include <shepard/shepard.h>

enum shepard_cloud_kind { SHEPARD_CLOUD_UNIFORM, SHEPARD_CLOUD_CLUSTERED, SHEPARD_CLOUD_KINDS };

/** "uniform" or "clustered", static. */
const char *shepard_cloud_name(enum shepard_cloud_kind kind);

/** Lower left corner and side of the square. */
#define SHEPARD_CLOUD_X0 500000.0
#define SHEPARD_CLOUD_Y0 5400000.0
#define SHEPARD_CLOUD_SIDE 10000.0

/** Largest number of value columns of a cloud. */
#define SHEPARD_CLOUD_COLUMNS 8

struct shepard_cloud {
    enum shepard_cloud_kind kind;
    const struct shepard_allocator *allocator; /**< of all arrays; NULL: malloc and free */
    size_t n;                                  /**< data points */
    size_t m;                                  /**< targets */
    size_t columns;                            /**< of values */
    double *x;                                 /**< [n] */
    double *y;
    double *z[SHEPARD_CLOUD_COLUMNS]; /**< [columns] of [n], then NULL */
    double *target_x;                 /**< [m] */
    double *target_y;
};

/** Draws a cloud whose kind, n, m, columns and allocator are set; false where memory ran out. Free
 * it in either case. */
bool shepard_cloud_draw(struct shepard_cloud *cloud);

/** The cloud that would have been drawn with n data points and as many targets, at most those that
 * it has: a view, never freed. */
struct shepard_cloud shepard_cloud_prefix(const struct shepard_cloud *cloud, size_t n);

void shepard_cloud_free(struct shepard_cloud *cloud);

/**
 * Writes n and m (64-bit integers), then x, y, target_x, target_y and the first value column
 * (doubles), in the machine's byte order; false where that failed.
 */
bool shepard_cloud_write(const struct shepard_cloud *cloud, const char *file);

/** The range of a value column. */
double shepard_cloud_range(const struct shepard_cloud *cloud, size_t column);

/** Views for the library: data points with the first columns value columns, and the targets from
 * the first to the m-th. */
struct shepard_data shepard_cloud_data(const struct shepard_cloud *cloud, size_t columns);
struct shepard_targets shepard_cloud_targets(const struct shepard_cloud *cloud, size_t m);

#endif
