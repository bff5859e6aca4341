/* SPDX-License-Identifier: MIT */
/* What the kernel checks share: data clouds, a count of checks, timing. */
#ifndef SHEPARD_TESTS_KERNELS_SUITE_H
#define SHEPARD_TESTS_KERNELS_SUITE_H

#include "core/accuracy.h"
#include "core/moments.h"
#include "core/samples.h"
#include "core/tree.h"
#include "kernel/kernels.h"

#include <stdio.h>

enum cloud_kind {
    CLOUD_UNIFORM,
    CLOUD_CLUSTERS,
    CLOUD_LATTICE,
    CLOUD_DUPLICATES,
    CLOUD_SPOT,
    CLOUD_OUTLIERS,
    CLOUD_RIM,
    CLOUD_KINDS
};

struct cloud {
    const char *name;
    struct shepard_geometry points;
    struct shepard_tree_store store;
    struct shepard_samples samples; /* on the points */
};

/* A cloud of n points with columns values and, perhaps, weights; ends the program without memory.
 */
void cloud_make(struct cloud *cloud, enum cloud_kind kind, size_t n, size_t columns, bool weighted,
                unsigned long *seed);
void cloud_free(struct cloud *cloud);

/* Doubles without gaps, as checks of the interface leave them. */
static inline struct shepard_array resolved(const double *data)
{
    return (struct shepard_array){data, SHEPARD_FLOAT64, sizeof(double)};
}

/* Makes points, tree and samples of a cloud from arrays; ends the program without memory. */
void cloud_fill(struct cloud *cloud, const struct shepard_coordinates *coordinates,
                const struct shepard_values *values);

/* Uniform in [0, 1). */
double chance(unsigned long *seed);

/* A whole number from 0 to count - 1. */
size_t pick(unsigned long *seed, size_t count);

/* 2 to a power from low to high. */
double scaled_chance(unsigned long *seed, double low, double high);

/* A place for a target, frame units: mostly in the cloud's box, at times on a point or outside. */
void cloud_target(const struct cloud *cloud, unsigned long *seed, double *x, double *y);

/* A cloud in the forms that sums read; values lie in [middle - 1/2, middle + 1/2]. */
struct sample {
    struct cloud cloud;
    struct shepard_sum_data data;
    struct shepard_group *groups;
    float *floats; /* x, y, q, charges */
    const float **charges;
    double *numbers;                /* middles, scales */
    struct shepard_moments moments; /* of the data's nodes, once made */
};

void sample_make(struct sample *sample, enum cloud_kind kind, size_t n, size_t columns,
                 bool weighted, unsigned long *seed);
void sample_free(struct sample *sample);

/* Makes the nodes and their moments, in place of those before. */
void sample_expand(struct sample *sample, const struct shepard_moments_form *form);

/* The first and the last point, and one more, of node i of a level. */
void sample_node_points(const struct sample *sample, int level, size_t i, size_t *first,
                        size_t *end);

/* Charge 0 is q, charge c + 1 that of column c: q scale (z - middle). */
double sample_charge(const struct sample *sample, size_t charge, size_t i);

/* Where a target sees a point from: what the expansion of weights needs. */
struct outlook {
    long double x, y; /* target - centre */
    long double smoothing2, power;
    int order;
};

/* The weight of a point at (x, y) from the centre, as a part of that of the centre: as it is, and
 * the terms of its expansion up to the order. */
struct weight_pair {
    long double whole, part;
};

struct weight_pair expand_weight(const struct outlook *outlook, long double x, long double y);

/* A direction as the moments of planes take it: one number 1 in size, the other of 24 bits. */
void draw_axes(unsigned long *seed, double *main_x, double *main_y);

/* What expansions leave out at one target. */
struct left_out {
    long double weight;    /* of all points */
    long double size, sum; /* of what is left out, by size and as it is */
    double largest;        /* part of its own weight that a point lacks */
};

void left_out_add(struct left_out *left_out, double charge, struct weight_pair pair);

/* The largest error of a prediction that it can make, as a part of the value range. */
double left_out_effect(const struct left_out *left_out);

/* Any demand that the library may make. */
struct shepard_accuracy_demand draw_demand(unsigned long *seed);

/* A power out of a demand's range; its ends are drawn often. */
double draw_power(const struct shepard_accuracy_demand *demand, unsigned long *seed);

/* Bound of the expansion's truncation relative to charge times the centre's weight; t: mean radius
 * / R, reach: radius / R. */
double truncation_bound(double power, int order, double t, double mean_radius_log2);

struct tally {
    long passed, failed;
};

/* Counts a check; says what failed. */
void tally_check(struct tally *tally, bool good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Seconds of a steady clock. */
double seconds(void);

void check_chebyshev(struct tally *tally, unsigned long seed);
void check_tree(struct tally *tally, unsigned long seed);
void check_search(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed);
void check_lists_3d(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed);
void check_sums(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed);
void check_lanes(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed);
void check_expansions(struct tally *tally, const struct shepard_kernels *kernels,
                      unsigned long seed);
void check_accuracy(struct tally *tally, unsigned long seed);
void check_planes(struct tally *tally, unsigned long seed);
void check_plane_single(struct tally *tally, unsigned long seed);
void check_covariance_fit(struct tally *tally, unsigned long seed);
void check_likelihood(struct tally *tally, unsigned long seed);
void check_sd_regression(struct tally *tally, unsigned long seed);
void check_cells(struct tally *tally, unsigned long seed);
void check_gather(struct tally *tally, unsigned long seed);
void check_powers(struct tally *tally, unsigned long seed);
void check_interactions(struct tally *tally, unsigned long seed);
void check_segment(struct tally *tally, unsigned long seed);
void check_sphere(struct tally *tally, unsigned long seed);
void check_hilbert(struct tally *tally, unsigned long seed);
void check_squares(struct tally *tally, unsigned long seed);
void check_moments(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed);

#endif
