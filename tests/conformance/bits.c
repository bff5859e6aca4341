/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>

static struct results raster_results(const struct shepard_model *model, size_t columns,
                                     const struct shepard_raster *raster,
                                     const struct shepard_window *window)
{
    struct results results = results_make(window->columns * window->rows, columns);
    const struct shepard_output output = results_output(&results);
    struct shepard_error error = {0};
    enum shepard_status status =
        shepard_predict_raster(model, raster, window, &output, NULL, &error);
    check(status == SHEPARD_OK, "no raster: %s", error.message);
    /* Single precision has its own sums where nothing but values is asked for. */
    const struct shepard_output values = {.values = results.values};
    status = shepard_predict_raster(model, raster, window, &values, NULL, &error);
    check(status == SHEPARD_OK, "no values: %s", error.message);
    return results;
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_at(const struct results *a, size_t i, const struct results *b, size_t j)
{
    bool equal = same(a->count[i], b->count[j]) && same(a->nearest[i], b->nearest[j]) &&
                 same(a->alpha[i], b->alpha[j]) && same(a->effective[i], b->effective[j]);
    for (size_t c = 0; c < a->columns; c++)
        equal = equal && same(a->values[c][i], b->values[c][j]) &&
                same(a->deviations[c][i], b->deviations[c][j]);
    return equal;
}

/* A north-up raster over the scene and some of its surroundings. */
static struct shepard_raster raster_over(const struct scene *scene, struct chance *chance)
{
    const size_t columns = 10 + chance_below(chance, 40), rows = 5 + chance_below(chance, 30);
    const double size = 1.3 * scene->size;
    return (struct shepard_raster){.x0 = scene->x0 - 0.1 * scene->size,
                                   .y0 = scene->y0 + 1.2 * scene->size,
                                   .dx = size / (double)columns,
                                   .dy = -size / (double)rows,
                                   .columns = columns,
                                   .rows = rows};
}

static struct shepard_window random_window(const struct shepard_raster *raster,
                                           struct chance *chance)
{
    struct shepard_window window = {.column = chance_below(chance, raster->columns),
                                    .row = chance_below(chance, raster->rows)};
    window.columns = 1 + chance_below(chance, raster->columns - window.column);
    window.rows = 1 + chance_below(chance, raster->rows - window.row);
    return window;
}

static void windows_agree(const struct shepard_model *model, size_t columns,
                          const struct shepard_raster *raster, const struct results *whole,
                          struct chance *chance)
{
    const struct shepard_window window = random_window(raster, chance);
    struct results part = raster_results(model, columns, raster, &window);
    size_t wrong = 0;
    for (size_t row = 0; row < window.rows; row++)
        for (size_t column = 0; column < window.columns; column++)
            wrong += !same_at(&part, row * window.columns + column, whole,
                              (window.row + row) * raster->columns + window.column + column);
    check(wrong == 0, "%zu of %zu cells of a window differ from the whole raster", wrong,
          window.columns * window.rows);
    results_free(&part);
}

/* Cells against the same places as a list: one formula for cell centres. */
static void list_agrees(const struct trial *trial, const struct shepard_options *options,
                        const struct shepard_raster *raster, const struct results *whole)
{
    const size_t m = raster->columns * raster->rows;
    struct places places = {m, scene_memory(m, sizeof(double)), scene_memory(m, sizeof(double))};
    for (size_t i = 0; i < m; i++) {
        places.x[i] = raster->x0 + ((double)(i % raster->columns) + 0.5) * raster->dx;
        places.y[i] = raster->y0 + ((double)(i / raster->columns) + 0.5) * raster->dy;
    }
    struct results list = results_of(&trial->scene, options, &places);
    const double limit =
        (trial_is_single(trial) ? 2e-6 : 2e-12) * scene_value_range(&trial->scene, 0) +
        scene_value_rounding(&trial->scene, 0);
    for (size_t i = 0; i < m; i++)
        check_near(list.values[0][i], whole->values[0][i], limit, "cell as a place in a list");
    results_free(&list);
    places_free(&places);
}

static void rasters_agree(const struct shepard_backend_info *on, struct trial *trial,
                          struct chance *chance)
{
    static const int threads[] = {1, 2, 5};
    const struct shepard_raster raster = raster_over(&trial->scene, chance);
    const struct shepard_window all = {0, 0, raster.columns, raster.rows};
    const size_t columns = trial->scene.columns;
    struct shepard_options options = trial->options;
    options.backend = on->backend;
    struct results first = {0};
    for (int t = 0; t < 3; t++) {
        options.threads = threads[t];
        struct shepard_model *model = model_make(&trial->scene, &options);
        struct results whole = raster_results(model, columns, &raster, &all);
        if (t == 0)
            first = whole;
        check(results_equal(&whole, &first), "%d threads give other bits than 1", threads[t]);
        for (int w = 0; w < 3; w++)
            windows_agree(model, columns, &raster, &first, chance);
        shepard_model_free(model);
        if (t > 0)
            results_free(&whole);
    }
    list_agrees(trial, &options, &raster, &first);
    results_free(&first);
}

/* Places in another order, and one by one. */
static void orders_agree(const struct shepard_backend_info *on, const struct trial *trial,
                         struct chance *chance)
{
    struct shepard_options options = trial->options;
    options.backend = on->backend;
    const size_t m = trial->places.m;
    size_t *order = scene_memory(m, sizeof *order);
    struct places shuffled = {m, scene_memory(m, sizeof(double)), scene_memory(m, sizeof(double))};
    for (size_t i = 0; i < m; i++) {
        const size_t j = chance_below(chance, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < m; i++) {
        shuffled.x[i] = trial->places.x[order[i]];
        shuffled.y[i] = trial->places.y[order[i]];
    }
    struct results in_order = results_of(&trial->scene, &options, &trial->places);
    struct results other = results_of(&trial->scene, &options, &shuffled);
    size_t wrong = 0;
    for (size_t i = 0; i < m; i++)
        wrong += !same_at(&other, i, &in_order, order[i]);
    check(wrong == 0, "%zu of %zu places differ in another order", wrong, m);
    for (size_t i = 0; i < m; i += 37) {
        const struct places one = {1, &shuffled.x[i], &shuffled.y[i]};
        struct results alone = results_of(&trial->scene, &options, &one);
        check(same_at(&alone, 0, &other, i), "a place alone gets other bits than among others");
        results_free(&alone);
    }
    results_free(&other);
    results_free(&in_order);
    places_free(&shuffled);
    free(order);
}

void suite_bits(const struct suite *suite)
{
    uint64_t seed = suite->seed + 4000000;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int hood = 0; hood < TRIAL_HOODS; hood += 1 + kind % 3, seed++) {
            struct chance chance = {seed};
            struct trial trial = trial_make((enum scene_kind)kind, hood, (int)(seed % TRIAL_POWERS),
                                            300, 150, &chance);
            for (size_t b = 0; b < suite->count; b++) {
                trial_case(&trial, suite->backends[b].name, seed);
                rasters_agree(&suite->backends[b], &trial, &chance);
                orders_agree(&suite->backends[b], &trial, &chance);
            }
            trial_free(&trial);
        }
}
