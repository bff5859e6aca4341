/* SPDX-License-Identifier: MIT */
/* What the cpu backend holds of a model. */
#ifndef SHEPARD_BACKEND_CPU_ENGINE_H
#define SHEPARD_BACKEND_CPU_ENGINE_H

#include "backend/backend.h"
#include "backend/cpu/far.h"
#include "core/tree.h"
#include "kernel/kernels.h"

struct shepard_engine {
    const struct shepard_points *points;
    const struct shepard_rules *rules;
    const struct shepard_kernels *kernels;
    struct shepard_tree_store store;
    struct shepard_sum_data sums; /* reads of the points, and of what follows */
    double *scale, *middle;       /* [columns] as in the sums */
    double least_weight;          /* the least q, the largest being 1 */
    struct shepard_cpu_far *far;  /* [SHEPARD_CPU_KINDS], values ready; NULL: sums are exact */
    bool single;                  /* the float arrays are there */
    struct shepard_group *groups;
    float *x, *y, *charge, **charges;
};

/* q of a point. */
static inline double shepard_cpu_engine_weight(const struct shepard_engine *engine, size_t i)
{
    return engine->points->weights != NULL ? engine->points->weights[i] : 1;
}

/* scale (z - middle) of a point, within -1 and 1. */
static inline double shepard_cpu_engine_value(const struct shepard_engine *engine, size_t column,
                                              size_t i)
{
    const double scale = engine->scale[column];
    return engine->points->values[column][i] * scale - engine->middle[column] * scale;
}

/* Sorts points, builds the tree and, where sums over all points may run in float32, its arrays. */
enum shepard_status shepard_cpu_engine_create(struct shepard_points *points,
                                              const struct shepard_rules *rules,
                                              struct shepard_engine **engine,
                                              struct shepard_error *error);

void shepard_cpu_engine_free(struct shepard_engine *engine);

size_t shepard_cpu_engine_bytes(const struct shepard_engine *engine);

#endif
