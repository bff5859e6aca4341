/* SPDX-License-Identifier: MIT */
/* Points of the interface: what a backend has prepared, and who prepared it. */
#ifndef SHEPARD_API_POINTS_H
#define SHEPARD_API_POINTS_H

#include "backend/backend.h"
#include "core/barriers.h"

struct shepard_essential;

struct shepard_points {
    struct shepard_allocator allocator;             /* a copy, where the caller gave one */
    const struct shepard_allocator *allocator_used; /* &allocator or NULL */
    const struct shepard_backend_table *backend;
    struct shepard_prepared_points *prepared;
    struct shepard_barrier_store barriers;
    size_t given;                              /* points of the caller, usable or not */
    size_t memory_limit;                       /* of each field, bytes */
    const struct shepard_essential *essential; /* the locally essential tree that they are of, or
                                                  NULL */
    char notice[480]; /* why they are not on the backend that was tried first; "" */
};

/* *resolved: what the caller has given for a metric, complete, of resolved strides. */
enum shepard_status shepard_coordinates_take(const struct shepard_coordinates *coordinates,
                                             enum shepard_metric metric,
                                             struct shepard_coordinates *resolved,
                                             struct shepard_error *error);

#endif
