/* SPDX-License-Identifier: MIT */
/* Room for all that a prediction gives, and models made for one backend. */
#ifndef SHEPARD_TESTS_RESULTS_H
#define SHEPARD_TESTS_RESULTS_H

#include "model.h"
#include "scene.h"

/* The diagnostics that a target has one of. */
#define RESULT_NOT(id, array, name)
#define RESULT_NUMBER(id, array, name) RESULT_##id,
#define RESULT_ARRAY(id, array, name) double *array;
enum result_single { SHEPARD_DIAGNOSTIC_LIST(RESULT_NUMBER, RESULT_NOT) RESULT_SINGLES };

struct results {
    size_t m, columns;
    double *values[SCENE_COLUMNS_MAX], *deviations[SCENE_COLUMNS_MAX];
    union {
        struct {
            SHEPARD_DIAGNOSTIC_LIST(RESULT_ARRAY, RESULT_NOT)
        };
        double *single[RESULT_SINGLES]; /* the same, by number */
    };
    double *block;
    /* Arrays that describe them. */
    struct shepard_output_array to_values[SCENE_COLUMNS_MAX], to_deviations[SCENE_COLUMNS_MAX];
};

/* Numbers that a target gets. */
size_t results_per_target(size_t columns);

struct results results_make(size_t m, size_t columns);
void results_free(struct results *results);
struct shepard_output results_output(const struct results *results);
struct shepard_nearest_output nearest_output(uint32_t *indices, double *distances);

/* The same bits everywhere. */
bool results_equal(const struct results *a, const struct results *b);

/* The defaults, for a backend, but one thread, double precision and exact sums. */
struct model_options options_for(enum shepard_backend backend);

/* A model. If it cannot be made, the program ends with a failed check. */
struct shepard_points *points_make(const struct scene *scene,
                                   const struct shepard_points_options *options);
struct model *model_make(const struct scene *scene, const struct model_options *options);

/* Predicts at places with a model made for the call; a status other than SHEPARD_OK is a failed
 * check. Free the results. */
struct results results_of(const struct scene *scene, const struct model_options *options,
                          const struct places *places);

#endif
