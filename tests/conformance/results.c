/* SPDX-License-Identifier: MIT */
#include "results.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

size_t results_per_target(size_t columns)
{
    return 2 * columns + RESULT_SINGLES;
}

struct results results_make(size_t m, size_t columns)
{
    const size_t total = m * results_per_target(columns);
    struct results results = {.m = m, .columns = columns};
    double *next = results.block = scene_memory(total, sizeof(double));
    /* A value that no prediction gives: what stays unset is seen. */
    for (size_t i = 0; i < total; i++)
        next[i] = -9.87e305;
    for (size_t a = 0; a < RESULT_SINGLES; a++, next += m)
        results.single[a] = next;
    for (size_t c = 0; c < columns; c++, next += 2 * m) {
        results.values[c] = next;
        results.deviations[c] = next + m;
        results.to_values[c] = shepard_output_doubles(results.values[c]);
        results.to_deviations[c] = shepard_output_doubles(results.deviations[c]);
    }
    return results;
}

void results_free(struct results *results)
{
    free(results->block);
    *results = (struct results){0};
}

struct shepard_output results_output(const struct results *results)
{
#define SINGLE(id, array, name) .array = shepard_output_doubles(results->array),
    return (struct shepard_output){.size = sizeof(struct shepard_output),
                                   .values = results->to_values,
                                   .deviations = results->to_deviations,
                                   SHEPARD_DIAGNOSTIC_LIST(SINGLE, RESULT_NOT)};
#undef SINGLE
}

struct shepard_nearest_output nearest_output(uint32_t *indices, double *distances)
{
    return (struct shepard_nearest_output){.size = sizeof(struct shepard_nearest_output),
                                           .indices = indices,
                                           .distances = shepard_output_doubles(distances)};
}

bool results_equal(const struct results *a, const struct results *b)
{
    return a->m == b->m && a->columns == b->columns &&
           memcmp(a->block, b->block, a->m * results_per_target(a->columns) * sizeof(double)) == 0;
}

struct model_options options_for(enum shepard_backend backend)
{
    struct model_options options;
    model_options_init(&options);
    options.points.backend = backend;
    options.points.threads = 1;
    options.parameters.precision = SHEPARD_PRECISION_DOUBLE;
    options.parameters.eps = 0;
    return options;
}

struct shepard_points *points_make(const struct scene *scene,
                                   const struct shepard_points_options *options)
{
    const struct shepard_coordinates coordinates = scene_coordinates(scene);
    struct shepard_points *points = NULL;
    struct shepard_error error = {0};
    enum shepard_status status = shepard_points_create(&coordinates, options, &points, &error);
    if (!check(status == SHEPARD_OK && points != NULL, "no points: %s", error.message))
        exit(check_finish("conformance, given up"));
    return points;
}

struct model *model_make(const struct scene *scene, const struct model_options *options)
{
    const struct shepard_coordinates coordinates = scene_coordinates(scene);
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(scene, columns);
    struct model *model = NULL;
    struct shepard_error error = {0};
    enum shepard_status status = model_create(&coordinates, &values, options, &model, &error);
    if (!check(status == SHEPARD_OK && model != NULL, "no model: %s", error.message))
        exit(check_finish("conformance, given up"));
    return model;
}

struct results results_of(const struct scene *scene, const struct model_options *options,
                          const struct places *places)
{
    struct results results = results_make(places->m, scene->columns);
    struct model *model = model_make(scene, options);
    const struct shepard_targets targets = places_targets(places);
    const struct shepard_output output = results_output(&results);
    struct shepard_error error = {0};
    enum shepard_status status = model_predict(model, &targets, &output, NULL, &error);
    check(status == SHEPARD_OK, "no prediction: %s", error.message);
    model_free(model);
    return results;
}
