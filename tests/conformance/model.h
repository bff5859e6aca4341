/* SPDX-License-Identifier: MIT */
/* Points, one field on them and the parameters of its predictions as one object: what most tests
 * make, ask and free together. */
#ifndef SHEPARD_TESTS_MODEL_H
#define SHEPARD_TESTS_MODEL_H

#include "shepard/shepard.h"

struct model_options {
    struct shepard_points_options points;
    struct shepard_parameters parameters;
};

struct model {
    struct shepard_points *points;
    struct shepard_field *field;
    struct shepard_parameters parameters; /* a copy: may be changed between predictions */
};

/* Sets all to the defaults. */
void model_options_init(struct model_options *options);

/* Makes points and a field; the parameters are not looked at. *model is set on success only. */
enum shepard_status model_create(const struct shepard_coordinates *coordinates,
                                 const struct shepard_values *values,
                                 const struct model_options *options, struct model **model,
                                 struct shepard_error *error);

/* NULL is allowed. */
void model_free(struct model *model);

/* The calls of the library with what the model holds. */
enum shepard_status model_prepare(const struct model *model, const struct shepard_output *output,
                                  struct shepard_error *error);
enum shepard_status model_predict(const struct model *model, const struct shepard_targets *targets,
                                  const struct shepard_output *output,
                                  const struct shepard_control *control,
                                  struct shepard_error *error);
enum shepard_status model_nearest(const struct model *model, const struct shepard_targets *targets,
                                  size_t k, uint32_t *indices, double *distances,
                                  const struct shepard_control *control,
                                  struct shepard_error *error);

/* For a prediction on a sphere or in space: a notice is a failed check where a GPU computes it,
 * that is with all points within a radius, at most 256 points or 256 of each sector, 64 of a
 * system, and no stars. */
struct shepard_control model_control(const struct shepard_parameters *parameters,
                                     const struct shepard_targets *targets);

/* The first error of making a model and preparing its predictions, or SHEPARD_OK. */
enum shepard_status model_try(const struct shepard_coordinates *coordinates,
                              const struct shepard_values *values,
                              const struct model_options *options, struct shepard_error *error);

struct shepard_points_info model_points_info(const struct model *model);

/* Whether its points are of a backend; AUTO: of any. */
bool model_is_on(const struct model *model, enum shepard_backend backend);
struct shepard_field_info model_field_info(const struct model *model);

#endif
