/* SPDX-License-Identifier: MIT */
/* What the kernel checks share: data clouds, a count of checks, timing. */
#ifndef SHEPARD_TESTS_KERNELS_SUITE_H
#define SHEPARD_TESTS_KERNELS_SUITE_H

#include "core/tree.h"
#include "kernel/kernels.h"

#include <stdio.h>

enum cloud_kind {
    CLOUD_UNIFORM,
    CLOUD_CLUSTERS,
    CLOUD_LATTICE,
    CLOUD_DUPLICATES,
    CLOUD_SPOT,
    CLOUD_KINDS
};

struct cloud {
    const char *name;
    struct shepard_points points;
    struct shepard_tree_store store;
};

/* A cloud of n points with columns values and, perhaps, weights; ends the program without memory.
 */
void cloud_make(struct cloud *cloud, enum cloud_kind kind, size_t n, size_t columns, bool weighted,
                unsigned long *seed);
void cloud_free(struct cloud *cloud);

/* Uniform in [0, 1). */
double chance(unsigned long *seed);

/* A place for a target, frame units: mostly in the cloud's box, at times on a point or outside. */
void cloud_target(const struct cloud *cloud, unsigned long *seed, double *x, double *y);

struct tally {
    long passed, failed;
};

/* Counts a check; says what failed. */
void tally_check(struct tally *tally, bool good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Seconds of a steady clock. */
double seconds(void);

void check_tree(struct tally *tally, unsigned long seed);
void check_search(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed);
void check_sums(struct tally *tally, const struct shepard_kernels *kernels, unsigned long seed);

#endif
