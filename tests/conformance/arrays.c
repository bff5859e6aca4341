/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "check_error.h"
#include "layout.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- any layout: the same bits ----------------------------------------------------------------
 */

/* All arrays of one model and its prediction, in layouts of their own. */
struct arrangement {
    struct array_layout x, y, weights, values, target_x, target_y;
    struct array_layout to_values, to_deviations, diagnostics[RESULT_SINGLES], distances;
    uint32_t *indices;
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    struct shepard_output_array value_columns[SCENE_COLUMNS_MAX];
    bool matrix; /* the columns are those of one, else arrays of their own */
};

enum { NEIGHBOURS = 3 };

static enum shepard_type draw_type(bool floats, struct chance *chance)
{
    return floats && chance_below(chance, 3) ? SHEPARD_FLOAT32 : SHEPARD_FLOAT64;
}

static struct array_layout lay_out(const double *from, size_t n, bool floats, struct chance *chance)
{
    struct array_layout layout = layout_make(n, 1, draw_type(floats, chance), chance);
    layout_write(&layout, 0, from);
    return layout;
}

/* floats: all numbers are those of a float. */
static void arrange(struct arrangement *made, const struct trial *trial, bool floats,
                    struct chance *chance)
{
    const struct scene *scene = &trial->scene;
    const struct places *places = &trial->places;
    made->matrix = chance_below(chance, 2);
    made->x = lay_out(scene->x, scene->n, floats, chance);
    made->y = lay_out(scene->y, scene->n, floats, chance);
    if (scene->weights != NULL)
        made->weights = lay_out(scene->weights, scene->n, floats, chance);
    made->target_x = lay_out(places->x, places->m, floats, chance);
    made->target_y = lay_out(places->y, places->m, floats, chance);
    made->values = layout_make(scene->n, scene->columns, draw_type(floats, chance), chance);
    made->to_values = layout_make(places->m, scene->columns, draw_type(true, chance), chance);
    made->to_deviations = layout_make(places->m, scene->columns, draw_type(true, chance), chance);
    for (size_t c = 0; c < scene->columns; c++) {
        layout_write(&made->values, c, scene->values[c]);
        made->columns[c] = layout_array(&made->values, c);
        made->value_columns[c] = layout_output(&made->to_values, c);
    }
    for (int a = 0; a < RESULT_SINGLES; a++)
        made->diagnostics[a] = layout_make(places->m, 1, draw_type(true, chance), chance);
    made->distances = layout_make(places->m * NEIGHBOURS, 1, draw_type(true, chance), chance);
    made->indices = scene_memory(places->m * NEIGHBOURS, sizeof *made->indices);
}

static void arrangement_free(struct arrangement *made)
{
    struct array_layout *const layouts[] = {
        &made->x,        &made->y,         &made->weights,       &made->values,   &made->target_x,
        &made->target_y, &made->to_values, &made->to_deviations, &made->distances};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        layout_free(layouts[i]);
    for (int a = 0; a < RESULT_SINGLES; a++)
        layout_free(&made->diagnostics[a]);
    free(made->indices);
}

static struct model *make_arranged(const struct arrangement *made, const struct trial *trial)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = trial->scene.n,
                                                    .x = layout_array(&made->x, 0),
                                                    .y = layout_array(&made->y, 0)};
    struct shepard_values values = {.size = sizeof values,
                                    .column_count = trial->scene.columns,
                                    .columns = made->columns,
                                    .column_stride = made->matrix ? made->values.column_stride : 0};
    if (trial->scene.weights != NULL)
        values.weights = layout_array(&made->weights, 0);
    struct model *model = NULL;
    struct shepard_error error = {0};
    check(model_create(&coordinates, &values, &trial->options, &model, &error) == SHEPARD_OK,
          "no model: %s", error.message);
    return model;
}

static void ask_arranged(const struct model *model, const struct arrangement *made, size_t m)
{
    const struct shepard_output_array deviations = layout_output(&made->to_deviations, 0);
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = m,
                                            .x = layout_array(&made->target_x, 0),
                                            .y = layout_array(&made->target_y, 0)};
#define SINGLE(id, array, name) .array = layout_output(&made->diagnostics[RESULT_##id], 0),
    const struct shepard_output output = {.size = sizeof output,
                                          .values = made->value_columns,
                                          .values_stride =
                                              made->matrix ? made->to_values.column_stride : 0,
                                          .deviations = &deviations,
                                          .deviations_stride = made->to_deviations.column_stride,
                                          SHEPARD_DIAGNOSTIC_LIST(SINGLE, RESULT_NOT)};
#undef SINGLE
    const struct shepard_nearest_output found = {.size = sizeof found,
                                                 .indices = made->indices,
                                                 .distances = layout_output(&made->distances, 0)};
    struct shepard_error error = {0};
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "no prediction: %s",
          error.message);
    check(shepard_nearest(model->points, &targets, NEIGHBOURS, &found, NULL, &error) == SHEPARD_OK,
          "no search: %s", error.message);
}

static void check_predictions(const struct arrangement *made, const struct results *want)
{
    for (size_t c = 0; c < want->columns; c++) {
        check(layout_holds(&made->to_values, c, want->values[c]), "values of column %zu", c);
        check(layout_holds(&made->to_deviations, c, want->deviations[c]),
              "deviations of column %zu", c);
    }
    check(layout_is_clean(&made->to_values) && layout_is_clean(&made->to_deviations),
          "a gap between predictions was written to");
    for (int a = 0; a < RESULT_SINGLES; a++)
        check(layout_holds(&made->diagnostics[a], 0, want->single[a]) &&
                  layout_is_clean(&made->diagnostics[a]),
              "diagnostic %d", a);
}

static void check_search(const struct arrangement *made, const struct trial *trial)
{
    const size_t count = trial->places.m * NEIGHBOURS;
    uint32_t *indices = scene_memory(count, sizeof *indices);
    double *distances = scene_memory(count, sizeof *distances);
    const struct shepard_targets targets = places_targets(&trial->places);
    struct model *model = model_make(&trial->scene, &trial->options);
    check(model_nearest(model, &targets, NEIGHBOURS, indices, distances, NULL, NULL) == SHEPARD_OK,
          "no search");
    check(memcmp(indices, made->indices, count * sizeof *indices) == 0, "indices");
    check(layout_holds(&made->distances, 0, distances) && layout_is_clean(&made->distances),
          "distances");
    model_free(model);
    free(distances);
    free(indices);
}

/* What is too large for a float keeps its digits. */
static void round_all(double *numbers, size_t count)
{
    int exponent;
    for (size_t i = 0; numbers != NULL && i < count; i++) {
        if (fabs(numbers[i]) > FLT_MAX)
            numbers[i] = frexp(numbers[i], &exponent);
        numbers[i] = (double)(float)numbers[i];
    }
}

static void round_to_floats(struct trial *trial)
{
    struct scene *scene = &trial->scene;
    round_all(scene->x, scene->n);
    round_all(scene->y, scene->n);
    round_all(scene->weights, scene->n);
    for (size_t c = 0; c < scene->columns; c++)
        round_all(scene->values[c], scene->n);
    round_all(trial->places.x, trial->places.m);
    round_all(trial->places.y, trial->places.m);
}

/* Whether the box of the points has an area yet, which AIDW asks for. */
static bool has_area(const struct scene *scene)
{
    bool x = false, y = false;
    for (size_t i = 1; i < scene->n; i++) {
        x = x || scene->x[i] != scene->x[0];
        y = y || scene->y[i] != scene->y[0];
    }
    return x && y;
}

static void try_layouts(const struct shepard_backend_info *on, uint64_t seed, bool floats)
{
    struct chance chance = {seed};
    struct trial trial = trial_make((enum scene_kind)(seed % SCENE_TINY), (int)(seed % TRIAL_HOODS),
                                    (int)(seed % TRIAL_POWERS), 1 + chance_below(&chance, 200),
                                    1 + chance_below(&chance, 60), &chance);
    struct arrangement made = {.matrix = false};
    if (trial.scene.n > 60 && chance_below(&chance, 2))
        scene_make_gaps(&trial.scene, 0, &chance);
    if (floats)
        round_to_floats(&trial);
    if (!has_area(&trial.scene))
        trial.options.parameters.method = SHEPARD_METHOD_IDW;
    trial.options.points.backend = on->backend;
    trial_case(&trial, on->name, seed);
    arrange(&made, &trial, floats, &chance);
    struct model *model = make_arranged(&made, &trial);
    if (model != NULL) {
        struct results want = results_of(&trial.scene, &trial.options, &trial.places);
        ask_arranged(model, &made, trial.places.m);
        check_predictions(&made, &want);
        check_search(&made, &trial);
        results_free(&want);
    }
    model_free(model);
    arrangement_free(&made);
    trial_free(&trial);
}

/* ---- wrong arrays -----------------------------------------------------------------------------
 */

/* Spoils a described array in one way; whether there is another. */
static bool spoil(int way, struct shepard_array *array)
{
    switch (way) {
    case 0:
        array->type = (enum shepard_type)2;
        return true;
    case 1:
        array->data = (const char *)array->data + 4;
        return true;
    case 2:
        array->stride = 12;
        return true;
    case 3:
        array->stride = PTRDIFF_MAX / 8 * 8;
        return true;
    default:
        return false;
    }
}

static void wrong_inputs(const struct shepard_backend_info *on, const struct scene *scene)
{
    const struct shepard_points_options options = options_for(on->backend).points;
    const struct shepard_coordinates good = scene_coordinates(scene);
    struct shepard_points *made = NULL, *points = points_make(scene, &options);
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    struct shepard_error error = {0};
    struct shepard_coordinates coordinates = good;
    struct shepard_values values = scene_values(scene, columns);
    struct shepard_field *field = NULL;
    for (int way = 0; spoil(way, &coordinates.y); way++, coordinates = good) {
        check_error(shepard_points_create(&coordinates, &options, &made, &error), &error,
                    SHEPARD_ERROR_ARGUMENT, "coordinates.y");
        values.weights = coordinates.y;
        check_error(shepard_field_create(points, &values, &field, &error), &error,
                    SHEPARD_ERROR_ARGUMENT, "values.weights");
        values = scene_values(scene, columns);
        columns[1] = coordinates.y;
        check_error(shepard_field_create(points, &values, &field, &error), &error,
                    SHEPARD_ERROR_ARGUMENT, "values.columns[1]");
        values = scene_values(scene, columns);
    }
    coordinates.z = good.x;
    check_error(shepard_points_create(&coordinates, &options, &made, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "coordinates.z");
    values.column_stride = 4;
    check_error(shepard_field_create(points, &values, &field, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "values.columns[1]");
    values.column_stride = PTRDIFF_MAX - 7;
    check_error(shepard_field_create(points, &values, &field, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "values.column_stride");
    check(made == NULL && field == NULL, "an object after an error");
    values = scene_values(scene, columns);
    values.weights = (struct shepard_array){NULL, SHEPARD_FLOAT64, 12};
    check(shepard_field_create(points, &values, &field, &error) == SHEPARD_OK,
          "no array, with a stride: %s", error.message);
    shepard_field_free(field);
    shepard_points_free(points);
}

static void wrong_targets(const struct model *model)
{
    static double place[4];
    const struct places one = {2, place, place};
    const struct shepard_targets good = places_targets(&one);
    const struct shepard_output output = {.size = sizeof output};
    struct shepard_targets targets = good;
    struct shepard_error error = {0};
    for (int way = 0; spoil(way, &targets.x); way++, targets = good)
        check_error(model_predict(model, &targets, &output, NULL, &error), &error,
                    SHEPARD_ERROR_ARGUMENT, "targets.x");
    targets.z = good.x;
    check_error(model_predict(model, &targets, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "targets.z");
}

static void wrong_outputs(const struct model *model)
{
    static double place[2];
    static double room[16];
    const struct places one = {2, place, place};
    const struct shepard_targets targets = places_targets(&one);
    struct shepard_output_array first = shepard_output_doubles(room);
    struct shepard_output output = {.size = sizeof output};
    struct shepard_nearest_output found = {.size = sizeof found};
    struct shepard_error error = {0};
    output.power = (struct shepard_output_array){room, SHEPARD_FLOAT64, 12};
    check_error(model_predict(model, &targets, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "output.power");
    found.distances = output.power;
    check_error(shepard_nearest(model->points, &targets, 2, &found, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "output.distances");
    output.power = (struct shepard_output_array){(void *)1, SHEPARD_FLOAT64, 0};
    check(model_prepare(model, &output, &error) == SHEPARD_OK, "a placeholder in a preparation: %s",
          error.message);
    output.power.data = NULL;
    output.values = &first;
    output.values_stride = 8;
    first.data = NULL;
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK,
          "a matrix that is not wanted: %s", error.message);
    first = shepard_output_doubles(room);
    output.values_stride = 8;
    check_error(model_predict(model, &targets, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "output.values");
    first.stride = 24;
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK,
          "rows of a matrix, read from the left: %s", error.message);
    output.values_stride = -16;
    first.data = room + 14;
    check_error(model_predict(model, &targets, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "output.values");
}

/* The host's arrays declared as those of a device: said, not read. */
static void wrong_memory(const struct shepard_backend_info *on, const struct scene *scene,
                         const struct model *model)
{
    static double place[2];
    const bool cuda = on->backend == SHEPARD_BACKEND_CUDA;
    const struct places one = {1, place, place};
    const struct shepard_memory device = {SHEPARD_MEMORY_CUDA, NULL};
    const struct shepard_memory unknown = {(enum shepard_memory_kind)2, NULL};
    const struct shepard_points_options options = options_for(on->backend).points;
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    struct shepard_coordinates coordinates = scene_coordinates(scene);
    struct shepard_values values = scene_values(scene, columns);
    struct shepard_targets targets = places_targets(&one);
    struct shepard_output output = {.size = sizeof output,
                                    .count = shepard_output_doubles(place + 1)};
    struct shepard_nearest_output found = nearest_output(NULL, place + 1);
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error = {0};
    coordinates.memory = device;
    check_error(shepard_points_create(&coordinates, &options, &points, &error), &error,
                SHEPARD_ERROR_ARGUMENT, cuda ? "coordinates.x" : "coordinates.memory");
    coordinates.memory = unknown;
    check_error(shepard_points_create(&coordinates, &options, &points, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "coordinates.memory");
    values.memory = device;
    check_error(shepard_field_create(model->points, &values, &field, &error), &error,
                SHEPARD_ERROR_ARGUMENT, cuda ? "values.columns[0]" : "values.memory");
    output.memory = found.memory = device;
    check_error(model_predict(model, &targets, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, cuda ? "output.count" : "output.memory");
    check_error(shepard_nearest(model->points, &targets, 1, &found, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, cuda ? "output.distances" : "output.memory");
    targets.memory = device;
    check_error(model_predict(model, &targets, &output, NULL, &error), &error,
                SHEPARD_ERROR_ARGUMENT, cuda ? "targets.x" : "targets.memory");
}

static void try_wrong(const struct shepard_backend_info *on, const struct suite *suite)
{
    struct chance chance = {suite->seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 20, 3, true, &chance);
    const struct model_options options = options_for(on->backend);
    struct model *model = model_make(&scene, &options);
    check_case("%s: wrong arrays", on->name);
    wrong_inputs(on, &scene);
    wrong_targets(model);
    wrong_outputs(model);
    wrong_memory(on, &scene, model);
    model_free(model);
    scene_free(&scene);
}

void suite_arrays(const struct suite *suite)
{
    for (size_t b = 0; b < suite->count; b++) {
        for (uint64_t i = 0; i < 120; i++)
            try_layouts(&suite->backends[b], suite->seed + 21000000 + i, i % 2);
        try_wrong(&suite->backends[b], suite);
    }
}
