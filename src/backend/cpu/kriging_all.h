/* SPDX-License-Identifier: MIT */
/* The system of all points of a field: factored once for many targets and calls. */
#ifndef SHEPARD_BACKEND_CPU_KRIGING_ALL_H
#define SHEPARD_BACKEND_CPU_KRIGING_ALL_H

#include "base/lock.h"
#include "core/kriging.h"
#include "core/samples.h"

/* What it is of. */
struct shepard_cpu_kriging_of {
    const struct shepard_samples *points;
    const struct shepard_kriging_rules *rules;
    const double *scale, *middle; /* [columns] as in the sums */
};

struct shepard_cpu_kriging_all {
    struct shepard_kriging_rules rules;
    struct shepard_kriging_system system;
    uint32_t *rank; /* [n] 0, 1, 2, ... */
    /* The same in double: */
    struct shepard_kriging_surface surface;
    double *numbers;       /* its arrays, then: */
    double *scaling;       /* [columns] of variances that follow the values */
    double least, largest; /* pivot; semivariance from the base */
    double plane_spread;   /* least eigenvalue of a plane's equations, a part of the other */
    size_t users;
};

/* The last one that was used, kept for the next call. Zeroed: none. */
struct shepard_cpu_kriging_kept {
    struct shepard_lock lock;
    struct shepard_cpu_kriging_all *all;
};

/* The known mean of a column's values, or the middle of their range: predictions in double are of
 * what is left of the values, times the column's scale. */
double shepard_cpu_kriging_shift(const struct shepard_cpu_kriging_of *of, size_t column);

/* The system, new or kept, to be given back. Threads may ask at once. */
enum shepard_status shepard_cpu_kriging_take_all(struct shepard_cpu_kriging_kept *kept,
                                                 const struct shepard_cpu_kriging_of *of,
                                                 struct shepard_cpu_kriging_all **all);

/* all may be NULL. */
void shepard_cpu_kriging_give_back(struct shepard_cpu_kriging_kept *kept,
                                   struct shepard_cpu_kriging_all *all, size_t memory_limit);

/* Nothing is in use. */
void shepard_cpu_kriging_drop(struct shepard_cpu_kriging_kept *kept);

size_t shepard_cpu_kriging_kept_bytes(struct shepard_cpu_kriging_kept *kept);

#endif
