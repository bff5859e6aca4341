/* SPDX-License-Identifier: MIT */
/* Rasters much finer than the data, of which a tile of cells may be worked as one, and coarser
 * ones, whose cells share longer lists: windows placed anywhere against the same places without a
 * tolerance, by the backend ref; cut out of larger ones; and the work. */
#include "check.h"
#include "compare.h"
#include "hard.h"
#include "suite.h"

#include <string.h>

/* Cells of a side of a fine raster; a tile is a sixteenth of the mean spacing of 60 points wide, of
 * 3000 as much as two fifths. */
#define SIDE 2000
/* Of a coarse one at least: a window fits. */
#define SIDE_LEAST 20
/* Cells of a window, at most, a side: parts of four tiles, or a whole one. */
#define WINDOW 18

static const double tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-7, 1e-9, 1e-12};
#define TOLERANCES (sizeof tolerances / sizeof tolerances[0])
/* Single precision takes no smaller one. */
#define SINGLE_LEAST 1e-5

static const double powers[] = {2, 0.5, 1, 1.5, 2.5, 3, 4, 6, 8, 20, 0};
#define POWERS (sizeof powers / sizeof powers[0])
/* Coarse rasters of a layout, each with one of the powers. */
#define COARSE 4

struct study {
    struct trial trial;
    struct shepard_raster raster;
    struct shepard_window window;
    struct results reference;
};

/* Over the data and some of its surroundings; cells as long as wide or not, rows down or up. */
static struct shepard_raster raster_over(const struct scene *scene, size_t side,
                                         struct chance *chance)
{
    const double size = 1.4 * scene->size, up = chance_below(chance, 2) == 0 ? -1 : 1;
    const double height = size * (chance_below(chance, 3) == 0 ? 0.3 : 1);
    const double middle = scene->y0 + scene->size / 2;
    const size_t fewer = side < SIDE ? 2 : 20;
    return (struct shepard_raster){.x0 = scene->x0 - 0.2 * scene->size,
                                   .y0 = middle - up * height / 2,
                                   .dx = size / (double)side,
                                   .dy = up * height / (double)side,
                                   .columns = side - chance_below(chance, fewer),
                                   .rows = side - chance_below(chance, fewer)};
}

/* Mostly round a data point, else anywhere; at times at the raster's far corner. */
static size_t start_of(double place, size_t cells, size_t extent, unsigned kind,
                       struct chance *chance)
{
    const double last = (double)(cells - extent);
    if (kind == 0)
        return (size_t)last;
    if (kind < 4 || !isfinite(place))
        return chance_below(chance, (size_t)last + 1);
    return (size_t)fmin(fmax(place - (double)chance_below(chance, extent), 0), last);
}

static struct shepard_window window_in(const struct scene *scene,
                                       const struct shepard_raster *raster, struct chance *chance)
{
    const size_t point = chance_below(chance, scene->n);
    const unsigned kind = (unsigned)chance_below(chance, 8);
    struct shepard_window window = {.columns = 1 + chance_below(chance, WINDOW),
                                    .rows = 1 + chance_below(chance, WINDOW)};
    window.column = start_of((scene->x[point] - raster->x0) / raster->dx, raster->columns,
                             window.columns, kind, chance);
    window.row = start_of((scene->y[point] - raster->y0) / raster->dy, raster->rows, window.rows,
                          kind, chance);
    return window;
}

static struct model_options options_of(const struct scene *scene, double power,
                                       struct chance *chance)
{
    const double spacing = scene->size / sqrt((double)scene->n);
    const double smoothing[] = {0, 0, 0, 1e-2 * spacing, spacing, scene->size};
    struct model_options options = options_for(SHEPARD_BACKEND_REF);
    options.parameters.method = power == 0 ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    options.parameters.power = power == 0 ? 2 : power;
    options.parameters.smoothing = smoothing[chance_below(chance, 6)];
    options.parameters.adaptive.area = scene->size * scene->size;
    return options;
}

/* Cells of a side of a raster: a fine one, or one with up to some fifty points in a cell. */
static size_t side_of(bool coarse, size_t n, struct chance *chance)
{
    if (!coarse)
        return SIDE;
    return (size_t)fmax(sqrt((double)n / pow(10, chance_range(chance, 0, 1.4))), SIDE_LEAST);
}

static struct study study_make(enum hard_layout layout, double power, bool coarse,
                               struct chance *chance)
{
    static const size_t columns[] = {1, 3, 9};
    const size_t n = (size_t)pow(10, coarse ? 4 : chance_range(chance, 1.7, 3.5));
    const size_t side = side_of(coarse, n, chance);
    struct study study = {0};
    struct trial *trial = &study.trial;
    trial->scene = hard_scene(layout, n, columns[chance_below(chance, 3)],
                              (enum hard_field)chance_below(chance, HARD_FIELDS),
                              (enum hard_weights)chance_below(chance, HARD_WEIGHTS), chance);
    trial->options = options_of(&trial->scene, power, chance);
    trial->options.parameters.degree = coarse && chance_below(chance, 3) == 0;
    study.raster = raster_over(&trial->scene, side, chance);
    study.window = window_in(&trial->scene, &study.raster, chance);
    trial->places = raster_places(&study.raster, &study.window);
    study.reference = results_of(&trial->scene, &trial->options, &trial->places);
    return study;
}

static void study_free(struct study *study)
{
    results_free(&study->reference);
    trial_free(&study->trial);
}

/* ---- accuracy -------------------------------------------------------------------------------- */

static struct shepard_work predict(const struct model *model, const struct shepard_raster *raster,
                                   const struct shepard_window *window,
                                   const struct shepard_output_array *values)
{
    struct shepard_work work = {0};
    struct shepard_error error = {0};
    const struct shepard_output output = {.size = sizeof output, .values = values};
    const struct shepard_control control = {.size = sizeof control, .work = &work};
    const struct shepard_targets targets = raster_targets(raster, window);
    const enum shepard_status status = model_predict(model, &targets, &output, &control, &error);
    check(status == SHEPARD_OK, "no prediction: %s", error.message);
    return work;
}

/* Values alone are asked for: the diagnostics are the reference's. */
static void try_tolerance(const struct study *study)
{
    const struct results *reference = &study->reference;
    struct model *model = model_make(&study->trial.scene, &study->trial.options);
    struct results got = results_make(reference->m, reference->columns);
    memcpy(got.block, reference->block,
           reference->m * results_per_target(reference->columns) * sizeof(double));
    for (size_t c = 0; c < reference->columns; c++)
        for (size_t i = 0; i < reference->m; i++)
            got.values[c][i] = -9.87e305;
    predict(model, &study->raster, &study->window, got.to_values);
    compare_results(&study->trial, &got, reference);
    results_free(&got);
    model_free(model);
}

static void try_study(const struct shepard_backend_info *on, struct study *study, uint64_t seed,
                      enum hard_layout layout)
{
    const struct shepard_window *window = &study->window;
    struct model_options *options = &study->trial.options;
    options->points.backend = on->backend;
    for (size_t i = 0; i < 2 * TOLERANCES; i++) {
        const bool single = i % 2 == 0;
        options->parameters.eps = tolerances[i / 2];
        options->parameters.precision =
            single ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
        if (single && options->parameters.eps < SINGLE_LEAST)
            continue;
        check_case(
            "seed %llu %s: %s n %zu columns %zu%s, %s degree %d power %g smoothing %g %s "
            "eps %g, %zu x %zu cells, window %zu %zu %zu %zu",
            (unsigned long long)seed, on->name, hard_name(layout), study->trial.scene.n,
            study->trial.scene.columns, study->trial.scene.weights != NULL ? " weighted" : "",
            options->parameters.method == SHEPARD_METHOD_AIDW ? "aidw" : "idw",
            options->parameters.degree, options->parameters.power, options->parameters.smoothing,
            single ? "single" : "double", options->parameters.eps, study->raster.columns,
            study->raster.rows, window->column, window->row, window->columns, window->rows);
        try_tolerance(study);
    }
}

/* ---- bits ------------------------------------------------------------------------------------ */

static size_t differences(const struct results *whole, const struct shepard_window *all,
                          const struct results *part, const struct shepard_window *window)
{
    size_t wrong = 0;
    for (size_t c = 0; c < whole->columns; c++)
        for (size_t i = 0; i < part->m; i++) {
            const size_t column = window->column - all->column + i % window->columns;
            const size_t row = window->row - all->row + i / window->columns;
            wrong += memcmp(&part->values[c][i], &whole->values[c][row * all->columns + column],
                            sizeof(double)) != 0;
        }
    return wrong;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* A window, and windows cut out of it down to single cells, by any number of threads. */
static void try_cuts(const struct shepard_backend_info *on, struct study *study,
                     struct chance *chance)
{
    struct model_options *options = &study->trial.options;
    const struct shepard_raster *raster = &study->raster;
    struct shepard_window all = {.columns = smaller(raster->columns, 50),
                                 .rows = smaller(raster->rows, 40)};
    all.column = chance_below(chance, raster->columns - all.columns + 1);
    all.row = chance_below(chance, raster->rows - all.rows + 1);
    struct results whole = results_make(all.columns * all.rows, study->trial.scene.columns);
    options->points.backend = on->backend;
    options->parameters.eps = 1e-3;
    for (int i = 0; i < 8; i++) {
        const size_t most = i < 4 ? smaller(all.columns, all.rows) : 2;
        struct shepard_window window = {.columns = 1 + chance_below(chance, most),
                                        .rows = 1 + chance_below(chance, most)};
        window.column = all.column + chance_below(chance, all.columns - window.columns + 1);
        window.row = all.row + chance_below(chance, all.rows - window.rows + 1);
        options->points.threads = 1 + i % 3;
        struct model *model = model_make(&study->trial.scene, options);
        struct results part = results_make(window.columns * window.rows, whole.columns);
        if (i == 0)
            predict(model, raster, &all, whole.to_values);
        predict(model, raster, &window, part.to_values);
        const size_t wrong = differences(&whole, &all, &part, &window);
        check(wrong == 0, "%zu values of a window of %zu x %zu cells differ from a larger one's",
              wrong, window.columns, window.rows);
        results_free(&part);
        model_free(model);
    }
    results_free(&whole);
    options->points.threads = 1;
}

/* ---- work ------------------------------------------------------------------------------------ */

/* The same cells as a list take many times as many sums: a processor interpolates those of a
 * raster.
 */
static void try_work(const struct shepard_backend_info *on, struct chance *chance)
{
    struct scene scene = hard_scene(HARD_UNIFORM, 3000, 1, HARD_COINS, HARD_NO_WEIGHTS, chance);
    struct model_options options = options_for(on->backend);
    options.parameters.eps = 1e-3;
    const struct shepard_raster raster = {.x0 = scene.x0,
                                          .y0 = scene.y0,
                                          .dx = scene.size / 8000,
                                          .dy = scene.size / 8000,
                                          .columns = 8000,
                                          .rows = 8000};
    const struct shepard_window window = {3000, 4000, 64, 64};
    struct places places = raster_places(&raster, &window);
    const struct shepard_targets targets = places_targets(&places);
    struct results results = results_make(places.m, 1);
    struct model *model = model_make(&scene, &options);
    struct shepard_work listed = {0};
    const struct shepard_control control = {.size = sizeof control, .work = &listed};
    const struct shepard_output output = {.size = sizeof output, .values = results.to_values};
    check_case("%s: work of a fine raster", on->name);
    const struct shepard_work work = predict(model, &raster, &window, results.to_values);
    check(model_predict(model, &targets, &output, &control, NULL) == SHEPARD_OK, "no prediction");
    check(3 * (work.pairs + work.nodes) < listed.pairs + listed.nodes,
          "%g pairs and %g nodes, as a list %g and %g", work.pairs, work.nodes, listed.pairs,
          listed.nodes);
    model_free(model);
    results_free(&results);
    places_free(&places);
    scene_free(&scene);
}

/* Pairs that a raster of a tenth as many cells as points takes. */
static double coarse_pairs(const struct scene *scene, const struct model_options *options)
{
    const size_t side = (size_t)sqrt((double)scene->n / 10);
    const struct shepard_raster raster = {.x0 = scene->x0,
                                          .y0 = scene->y0,
                                          .dx = scene->size / (double)side,
                                          .dy = scene->size / (double)side,
                                          .columns = side,
                                          .rows = side};
    const struct shepard_window window = {0, 0, side, side};
    struct results results = results_make(side * side, 1);
    struct model *model = model_make(scene, options);
    const struct shepard_work work = predict(model, &raster, &window, results.to_values);
    model_free(model);
    results_free(&results);
    return work.pairs;
}

/* Cells of a coarse raster share longer lists where a point costs little: in single precision, of
 * a power whose weights take no logarithm. */
static void try_coarse_work(const struct shepard_backend_info *on, struct chance *chance)
{
    struct scene scene = hard_scene(HARD_UNIFORM, 20000, 1, HARD_COINS, HARD_NO_WEIGHTS, chance);
    struct model_options options = options_for(on->backend);
    options.parameters.eps = 1e-4;
    check_case("%s: work of a coarse raster", on->name);
    for (int precise = 0; precise < 2; precise++) {
        options.parameters.precision =
            precise ? SHEPARD_PRECISION_DOUBLE : SHEPARD_PRECISION_SINGLE;
        options.parameters.power = 2;
        const double light = coarse_pairs(&scene, &options);
        options.parameters.power = 2.001;
        const double other = coarse_pairs(&scene, &options);
        check(precise ? fabs(light / other - 1) < 0.1 : light > 1.2 * other,
              "%g pairs with power 2, %g with 2.001", light, other);
    }
    scene_free(&scene);
}

void suite_dense(const struct suite *suite)
{
    uint64_t seed = suite->seed + 11000000;
    for (int layout = 0; layout < HARD_LAYOUTS; layout++)
        for (size_t p = 0; p < POWERS + COARSE; p++, seed++) {
            if (!suite_takes(suite, seed))
                continue;
            struct chance chance = {seed};
            const bool coarse = p >= POWERS;
            const size_t power = coarse ? chance_below(&chance, POWERS) : p;
            struct study study =
                study_make((enum hard_layout)layout, powers[power], coarse, &chance);
            for (size_t b = 0; b < suite->count; b++) {
                const struct shepard_backend_info *on = &suite->backends[b];
                if (on->backend == SHEPARD_BACKEND_REF)
                    continue;
                try_study(on, &study, seed, (enum hard_layout)layout);
                if (coarse || p % 3 == 0)
                    try_cuts(on, &study, &chance);
            }
            study_free(&study);
        }
    for (size_t b = 0; b < suite->count; b++) {
        struct chance chance = {seed};
        if (suite->backends[b].backend != SHEPARD_BACKEND_CPU)
            continue;
        try_work(&suite->backends[b], &chance);
        try_coarse_work(&suite->backends[b], &chance);
    }
}
