/* SPDX-License-Identifier: MIT */
/* A validation: its data, what it holds out, and the fields that predict that. */
#ifndef SHEPARD_API_HOLDOUT_PARTS_H
#define SHEPARD_API_HOLDOUT_PARTS_H

#include "api/held_out.h"
#include "api/target_sample.h"

struct shepard_holdout {
    struct shepard_allocator allocator;
    const struct shepard_allocator *allocator_used; /* NULL: malloc and free */
    struct shepard_validation validation;
    struct shepard_observations data;
    struct shepard_held_out held_out;
    double anisotropy_ratio, anisotropy_angle; /* where a call gives none */
    struct shepard_points_options options;     /* of the points at hand */
    struct shepard_points *points;             /* NULL: none at hand */
    struct shepard_field **fields;             /* [parts] NULL: not made */
    uint32_t *sd_part; /* [m] part of each, for the models of sd; NULL: not dealt yet */
    size_t sd_parts;
    double block_size;                       /* of blocks, else 0 */
    double held_out_nearest, target_nearest; /* medians */
    double octant_ratio; /* of stars: distances of the nearest data in octants over those of the
                            targets, geometric mean; else 1 */
    struct shepard_target_sample targets; /* empty: none */
    char notice[400];
};

/* Provides the points by this anisotropy; those at hand where it is theirs. */
enum shepard_status shepard_holdout_provide_points(struct shepard_holdout *holdout, double ratio,
                                                   double angle, struct shepard_error *error);

/* A field of values [given] on the points at hand. */
enum shepard_status shepard_holdout_create_field(const struct shepard_holdout *holdout,
                                                 const double *z, struct shepard_field **field,
                                                 struct shepard_error *error);

/* Makes room for the fields of what is held out, and finds the distances of the nearest data that
 * are not. */
enum shepard_status shepard_holdout_open(struct shepard_holdout *holdout,
                                         const struct shepard_control *control,
                                         struct shepard_error *error);

/* Distances, into held_out.nearest, of the nearest data that are not held out with each. */
enum shepard_status shepard_holdout_find_nearest(struct shepard_holdout *holdout,
                                                 const struct shepard_control *control,
                                                 struct shepard_error *error);

/* Forgets what is held out, with its fields; the points stay. */
void shepard_holdout_close(struct shepard_holdout *holdout);

/* Frees the points, with their fields. */
void shepard_holdout_free_points(struct shepard_holdout *holdout);

/* Predicts what is held out into arrays of *to that are not NULL. */
enum shepard_status shepard_holdout_predict(struct shepard_holdout *holdout,
                                            const struct shepard_parameters *parameters,
                                            const struct shepard_validation_result *to,
                                            const struct shepard_control *control,
                                            struct shepard_error *error);

/* *side: of squares of the map with which distances to the nearest data are most like those of the
 * targets (Eq. 93). */
enum shepard_status shepard_holdout_choose_side(struct shepard_holdout *holdout,
                                                const struct shepard_target_sample *sample,
                                                double *side, struct shepard_error *error);

#endif
