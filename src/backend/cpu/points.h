/* SPDX-License-Identifier: MIT */
/* Points that the cpu backend has prepared: sorted, in a tree. */
#ifndef SHEPARD_BACKEND_CPU_POINTS_H
#define SHEPARD_BACKEND_CPU_POINTS_H

#include "backend/backend.h"
#include "base/once.h"
#include "core/tree.h"
#include "kernel/kernels.h"

/* Coordinates for sums in float32: made when they are first needed. */
struct shepard_cpu_offsets {
    struct shepard_once once;
    struct shepard_group *groups;
    float *x, *y; /* [n] */
};

struct shepard_cpu_points {
    struct shepard_prepared_points base;
    const struct shepard_kernels *kernels;
    struct shepard_tree_store store;
    struct shepard_cpu_offsets *offsets;
};

static inline const struct shepard_cpu_points *
shepard_cpu_points_of(const struct shepard_prepared_points *points)
{
    return (const struct shepard_cpu_points *)points;
}

/* As the slots of the backend table. */
enum shepard_status shepard_cpu_points_create(const struct shepard_points_plan *plan,
                                              struct shepard_prepared_points **points,
                                              struct shepard_error *error);
enum shepard_status shepard_cpu_points_subset(const struct shepard_prepared_points *all,
                                              const bool *keep,
                                              struct shepard_prepared_points **points,
                                              struct shepard_error *error);
enum shepard_status shepard_cpu_points_adopt(struct shepard_geometry *geometry,
                                             struct shepard_prepared_points **points,
                                             struct shepard_error *error);
void shepard_cpu_points_free(struct shepard_prepared_points *points);
void shepard_cpu_points_holding(const struct shepard_prepared_points *points,
                                struct shepard_holding *holding);

/* Makes the offsets where they have not been made: threads may ask at once. */
enum shepard_status shepard_cpu_points_provide_offsets(const struct shepard_cpu_points *points);

/* Room for all points of a whole, of which none is there yet, and their offsets. */
enum shepard_status shepard_cpu_points_begin(const struct shepard_points_plan *plan,
                                             struct shepard_cpu_points **points,
                                             struct shepard_error *error);

/* Makes the offsets of groups first to end - 1 of these. */
void shepard_cpu_points_place(const struct shepard_cpu_points *points, size_t first, size_t end);

#endif
