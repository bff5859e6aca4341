/* SPDX-License-Identifier: MIT */
/* What a backend is: one typed table. It prepares points, puts fields of values on them, and
 * predicts. */
#ifndef SHEPARD_BACKEND_BACKEND_H
#define SHEPARD_BACKEND_BACKEND_H

#include "core/rules.h"
#include "core/samples.h"

/* Each backend has types of its own that begin with these two. */

/* Prepared points. Where the arrays are on a device, x, y and index of the geometry are NULL. */
struct shepard_prepared_points {
    struct shepard_geometry geometry;
};

/* Values on prepared points. Where they are on a device, values and weights are NULL. */
struct shepard_prepared_field {
    const struct shepard_prepared_points *points;
    struct shepard_samples samples;
};

/* How points are to be made. */
struct shepard_points_plan {
    const struct shepard_coordinates *coordinates; /* checked, strides resolved */
    const struct shepard_points_options *options;  /* checked */
    struct shepard_space space;
    struct shepard_stretch stretch;
    const struct shepard_whole *whole;
    int threads; /* >= 1 */
    const struct shepard_allocator *allocator;
};

/* One call for predictions. */
struct shepard_predict_job {
    const struct shepard_parameters *parameters;
    const struct shepard_rules *rules; /* the parameters, resolved */
    const struct shepard_targets_view *targets;
    const struct shepard_prepared_points *places; /* of targets that are data points; the field's
                                                     points are these or a subset */
    const struct shepard_output *output;   /* strides resolved, columns arrays of their own */
    const struct shepard_control *control; /* may be NULL */
};

struct shepard_gapped; /* core/gapped.h */

/* What a shared search did not reach: a group's prediction at a target. */
struct shepard_left {
    uint32_t group, target;
};

/* One call for predictions from neighbourhoods at columns that miss values. */
struct shepard_gapped_job {
    struct shepard_gapped *gapped;
    const struct shepard_rules *rules; /* [gapped->groups] the parameters, resolved for each */
    bool *wanted;                      /* [gapped->groups] set to false where a group is given up,
                                          for it has much left: then nothing of it is predicted */
    const struct shepard_targets_view *targets;
    const struct shepard_output *output; /* values and deviations only */
    const struct shepard_control *control;
    /* To be filled, and released by the caller: what of the wanted groups was not predicted. */
    struct shepard_left *left;
    size_t left_count;
};

/* One call for k nearest points; arrays as in struct shepard_nearest_output, strides resolved. */
struct shepard_nearest_job {
    const struct shepard_targets_view *targets;
    size_t k;
    uint32_t *indices;
    struct shepard_output_array distances;
    struct shepard_memory memory; /* of both */
    const struct shepard_control *control;
};

/* What points or a field hold. */
struct shepard_holding {
    size_t bytes, device_bytes;
    const char *notice; /* "" if there is none */
    struct shepard_timing timing;
};

/* What the interface asks of arrays in the memory of devices, whose strides are resolved. */
struct shepard_device_arrays {
    /* Whether a call can wait for the stream of this memory, in which an array lies: argument. */
    enum shepard_status (*check_stream)(const struct shepard_memory *memory, const void *array,
                                        const char *argument, struct shepard_error *error);
    /* Whether count >= 1 elements lie there. */
    enum shepard_status (*check)(const struct shepard_array *array, size_t count,
                                 const char *argument, struct shepard_error *error);
    /* *first: the first element that is not 0 and in [bounds[0], bounds[1]), and beside which the
     * other array (may be NULL) has a finite one; `count` if no row is left. */
    enum shepard_status (*find)(const struct shepard_array *array,
                                const struct shepard_array *beside, size_t count,
                                const double bounds[2], const struct shepard_memory *memory,
                                size_t *first, struct shepard_error *error);
    enum shepard_status (*download)(const struct shepard_array *array, size_t count,
                                    const struct shepard_memory *memory, double *to,
                                    struct shepard_error *error);
};

/* How points of a whole are to be prepared, of which a process has those that its targets need. */
struct shepard_essential_plan {
    const struct shepard_points_plan *points; /* coordinates: NULL */
    size_t columns;
    bool weighted;
    double least_weight; /* of all, the largest being 1 */
    size_t memory_limit;
    const struct shepard_parameters *parameters; /* checked: a power of distances, degree 0, eps */
    struct shepard_raster raster;
    const struct shepard_window *windows; /* [window_count], which outlive the part */
    size_t window_count;
};

/* Whole subtrees, by rising number: points of one behind those of another, checked. */
struct shepard_essential_batch {
    const size_t *subtrees; /* [count] */
    size_t count;
    const struct shepard_coordinates *coordinates;
    const struct shepard_values *values;
};

/* Branches, by rising number. What is said of their subtrees stands branch by branch. */
struct shepard_essential_branches {
    const size_t *branches; /* [count] */
    size_t count;
};

/* Backends have types of their own that begin with this. */
struct shepard_essential_part {
    struct shepard_prepared_points *points;
    struct shepard_prepared_field *field;
};

/* What makes one, step by step; see shepard_essential.h. */
struct shepard_essential_steps {
    enum shepard_status (*create)(const struct shepard_essential_plan *plan,
                                  struct shepard_essential_part **part,
                                  struct shepard_error *error);
    /* Numbers of a summary. */
    size_t (*numbers)(const struct shepard_essential_part *part);
    /* summaries: [batch's, numbers]; NULL: they are not wanted. */
    enum shepard_status (*add)(struct shepard_essential_part *part,
                               const struct shepard_essential_batch *batch, double *summaries,
                               struct shepard_error *error);
    /* of_subtrees: [subtrees of the branches, numbers], which have been added; summaries: [count,
     * numbers] of the branches. */
    enum shepard_status (*join)(struct shepard_essential_part *part,
                                const struct shepard_essential_branches *branches,
                                const double *of_subtrees, double *summaries,
                                struct shepard_error *error);
    /* summaries: [all branches, numbers]; opened: [all branches]. */
    enum shepard_status (*open)(struct shepard_essential_part *part, const double *summaries,
                                unsigned char *opened, struct shepard_error *error);
    /* of_subtrees: [subtrees of the opened branches, numbers]; needed: [these subtrees]. */
    enum shepard_status (*need)(struct shepard_essential_part *part,
                                const struct shepard_essential_branches *opened,
                                const double *of_subtrees, unsigned char *needed,
                                struct shepard_error *error);
    enum shepard_status (*finish)(struct shepard_essential_part *part, struct shepard_error *error);
    void (*free)(struct shepard_essential_part *part);
};

struct shepard_backend_table {
    enum shepard_backend backend;
    const char *name;
    /* "" where it can run here, else why not. */
    const char *(*unavailable_reason)(void);
    /* The instruction set that it uses; "" where it has none. */
    const char *(*isa)(void);
    /* "" where it computes predictions by these parameters from this many points
     * itself, else what it does instead, a sentence. NULL: it computes all. */
    const char *(*refusal)(const struct shepard_parameters *parameters, enum shepard_metric metric,
                           size_t points);
    enum shepard_status (*points_create)(const struct shepard_points_plan *plan,
                                         struct shepard_prepared_points **points,
                                         struct shepard_error *error);
    /* The points whose keep[index] is true: at least one. */
    enum shepard_status (*points_subset)(const struct shepard_prepared_points *all,
                                         const bool *keep, struct shepard_prepared_points **points,
                                         struct shepard_error *error);
    /* Prepares points that are in their frame, in any order; takes the arrays of *geometry over, on
     * failure too. NULL: it cannot. */
    enum shepard_status (*points_adopt)(struct shepard_geometry *geometry,
                                        struct shepard_prepared_points **points,
                                        struct shepard_error *error);
    /* The indices into the caller's coordinates, in any order: [geometry.count]; NULL where points
     * always have those of their geometry. */
    enum shepard_status (*points_indices)(const struct shepard_prepared_points *points,
                                          uint32_t *indices, struct shepard_error *error);
    void (*points_free)(struct shepard_prepared_points *points);
    /* Values have been checked: strides resolved, no matrix. memory_limit: bytes that the field
     * keeps of what predictions have prepared. *gaps: a value or weight is unusable; then there is
     * no field. */
    enum shepard_status (*field_create)(const struct shepard_prepared_points *points,
                                        const struct shepard_values *values, size_t memory_limit,
                                        struct shepard_prepared_field **field, bool *gaps,
                                        struct shepard_error *error);
    void (*field_free)(struct shepard_prepared_field *field);
    /* Prepares what a job needs; its targets are NULL. */
    enum shepard_status (*prepare)(const struct shepard_prepared_field *field,
                                   const struct shepard_predict_job *job,
                                   struct shepard_error *error);
    enum shepard_status (*predict)(const struct shepard_prepared_field *field,
                                   const struct shepard_predict_job *job,
                                   struct shepard_error *error);
    /* Predicts at columns that miss values, no two points being at one place, by one search. NULL:
     * each group is predicted as a field of its own. */
    enum shepard_status (*predict_gapped)(const struct shepard_prepared_points *points,
                                          struct shepard_gapped_job *job,
                                          struct shepard_error *error);
    enum shepard_status (*nearest)(const struct shepard_prepared_points *points,
                                   const struct shepard_nearest_job *job,
                                   struct shepard_error *error);
    void (*points_holding)(const struct shepard_prepared_points *points,
                           struct shepard_holding *holding);
    void (*field_holding)(const struct shepard_prepared_field *field,
                          struct shepard_holding *holding);
    /* NULL: arrays are the host's. */
    const struct shepard_device_arrays *arrays;
    /* NULL: it needs all points. */
    const struct shepard_essential_steps *essential;
};

extern const struct shepard_backend_table shepard_backend_ref;
extern const struct shepard_backend_table shepard_backend_cpu;
extern const struct shepard_backend_table shepard_backend_cuda;

#endif
