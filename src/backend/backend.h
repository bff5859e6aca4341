/* SPDX-License-Identifier: MIT */
/* What a backend is: one typed table. A backend holds prepared data and predicts from it. */
#ifndef SHEPARD_BACKEND_BACKEND_H
#define SHEPARD_BACKEND_BACKEND_H

#include "core/rules.h"
#include "core/targets.h"

/* What each backend prepares from the points; its own type behind the pointer. */
struct shepard_engine;

/* One call for predictions. */
struct shepard_job {
    const struct shepard_targets_view *targets;
    const struct shepard_output *output;
    const struct shepard_control *control; /* may be NULL */
};

/* One call for k nearest points; arrays as in shepard_nearest_points. */
struct shepard_nearest_job {
    const struct shepard_targets_view *targets;
    size_t k;
    uint32_t *indices;
    double *distances;
    const struct shepard_control *control;
};

struct shepard_backend_table {
    enum shepard_backend backend;
    const char *name;
    /* "" where it can run here, else why not. */
    const char *(*unusable)(void);
    /* The instruction set that engine uses, or, for NULL, that one made now would use; "" where it
     * has none. */
    const char *(*isa)(const struct shepard_engine *engine);
    /* Takes in the caller's points, checked, its own way; NULL: shepard_points_create. */
    enum shepard_status (*take)(const struct shepard_data *data,
                                const struct shepard_options *options,
                                struct shepard_points *points, struct shepard_error *error);
    /* Prepares points, which it may reorder; rules and points outlive the engine. */
    enum shepard_status (*create)(struct shepard_points *points, const struct shepard_rules *rules,
                                  struct shepard_engine **engine, struct shepard_error *error);
    void (*free)(struct shepard_engine *engine);
    enum shepard_status (*predict)(const struct shepard_engine *engine,
                                   const struct shepard_job *job, struct shepard_error *error);
    enum shepard_status (*nearest)(const struct shepard_engine *engine,
                                   const struct shepard_nearest_job *job,
                                   struct shepard_error *error);
    size_t (*bytes)(const struct shepard_engine *engine);
    /* Sets device_bytes, notice and timing; NULL: there is nothing to tell. */
    void (*tell)(const struct shepard_engine *engine, struct shepard_model_info *info);
};

extern const struct shepard_backend_table shepard_backend_ref;
extern const struct shepard_backend_table shepard_backend_cpu;
extern const struct shepard_backend_table shepard_backend_cuda;

#endif
