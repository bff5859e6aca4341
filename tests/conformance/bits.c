/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void ask(const struct model *model, const struct shepard_targets *targets,
                const struct shepard_output *output)
{
    struct shepard_error error = {0};
    const enum shepard_status status = model_predict(model, targets, output, NULL, &error);
    check(status == SHEPARD_OK, "no prediction: %s", error.message);
}

/* All results; but the values of the last columns, or of the only one, are asked for alone: sums
 * may go another way where nothing but values is asked for. */
static void ask_twice(const struct model *model, const struct shepard_targets *targets,
                      struct results *results)
{
    const struct shepard_output all = results_output(results);
    ask(model, targets, &all);
    struct shepard_output_array values[SCENE_COLUMNS_MAX] = {{.data = NULL}};
    for (size_t c = results->columns / 2; c < results->columns; c++)
        values[c] = results->to_values[c];
    const struct shepard_output alone = {.size = sizeof alone, .values = values};
    ask(model, targets, &alone);
}

static struct results raster_results(const struct model *model, size_t columns,
                                     const struct shepard_raster *raster,
                                     const struct shepard_window *window)
{
    struct results results = results_make(window->columns * window->rows, columns);
    const struct shepard_targets targets = raster_targets(raster, window);
    ask_twice(model, &targets, &results);
    return results;
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_at(const struct results *a, size_t i, const struct results *b, size_t j)
{
    bool equal = true;
    for (int k = 0; k < RESULT_SINGLES; k++)
        equal = equal && same(a->single[k][i], b->single[k][j]);
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

static void windows_agree(const struct model *model, size_t columns,
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
static void list_agrees(const struct trial *trial, const struct model_options *options,
                        const struct shepard_raster *raster, const struct results *whole)
{
    struct places places = raster_places(raster, NULL);
    struct results list = results_of(&trial->scene, options, &places);
    const double limit = ((trial_is_single(trial) ? 2e-6 : 2e-12) + 2 * trial_eps(trial)) *
                             scene_value_range(&trial->scene, 0) +
                         scene_value_rounding(&trial->scene, 0);
    for (size_t i = 0; i < places.m; i++)
        check_near(list.values[0][i], whole->values[0][i], limit, "cell as a place in a list");
    results_free(&list);
    places_free(&places);
}

static void rasters_agree(const struct shepard_backend_info *on, struct trial *trial,
                          struct chance *chance)
{
    static const int threads[] = {1, 5, 2};
    /* ref works each place by itself, and slowly. */
    const bool is_ref = on->backend == SHEPARD_BACKEND_REF;
    const int rounds = is_ref ? 2 : 3, windows = is_ref ? 1 : 3;
    const struct shepard_raster raster = raster_over(&trial->scene, chance);
    const struct shepard_window all = {0, 0, raster.columns, raster.rows};
    const size_t columns = trial->scene.columns;
    struct model_options options = trial->options;
    options.points.backend = on->backend;
    struct results first = {0};
    for (int t = 0; t < rounds; t++) {
        options.points.threads = threads[t];
        struct model *model = model_make(&trial->scene, &options);
        struct results whole = raster_results(model, columns, &raster, &all);
        if (t == 0)
            first = whole;
        check(results_equal(&whole, &first), "%d threads give other bits than 1", threads[t]);
        for (int w = 0; w < windows; w++)
            windows_agree(model, columns, &raster, &first, chance);
        model_free(model);
        if (t > 0)
            results_free(&whole);
    }
    list_agrees(trial, &options, &raster, &first);
    results_free(&first);
}

/* All results at some of the places, given by their numbers. */
static struct results results_at(const struct model *model, const struct trial *trial,
                                 const size_t *numbers, size_t count)
{
    struct results results = results_make(count, trial->scene.columns);
    struct places some = {count, scene_memory(count, sizeof(double)),
                          scene_memory(count, sizeof(double))};
    for (size_t i = 0; i < count; i++) {
        some.x[i] = trial->places.x[numbers[i]];
        some.y[i] = trial->places.y[numbers[i]];
    }
    const struct shepard_targets targets = places_targets(&some);
    ask_twice(model, &targets, &results);
    places_free(&some);
    return results;
}

static void same_as_before(const struct model *model, const struct trial *trial,
                           const struct results *before, const size_t *numbers, size_t count,
                           const char *what)
{
    struct results got = results_at(model, trial, numbers, count);
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += !same_at(&got, i, before, numbers[i]);
    check(wrong == 0, "%zu of %zu places differ %s", wrong, count, what);
    results_free(&got);
}

static void shuffle(size_t *numbers, size_t count, struct chance *chance)
{
    for (size_t i = count; i-- > 1;) {
        const size_t j = chance_below(chance, i + 1), old = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = old;
    }
}

/* Places in other orders, some of them, and each alone, by any number of threads. */
static void orders_agree(const struct shepard_backend_info *on, const struct trial *trial,
                         size_t step, struct chance *chance)
{
    const size_t m = trial->places.m;
    const int most_threads = on->backend == SHEPARD_BACKEND_REF ? 1 : 5;
    struct model_options options = trial->options;
    options.points.backend = on->backend;
    struct model *model = model_make(&trial->scene, &options);
    size_t *numbers = scene_memory(m, sizeof *numbers);
    for (size_t i = 0; i < m; i++)
        numbers[i] = i;
    struct results before = results_at(model, trial, numbers, m);
    for (size_t i = 0; i < m; i += step)
        same_as_before(model, trial, &before, &i, 1, "alone");
    for (size_t i = 0; i < m; i++)
        numbers[i] = m - 1 - i;
    same_as_before(model, trial, &before, numbers, m, "in reverse");
    model_free(model);
    for (options.points.threads = 1; options.points.threads <= most_threads;
         options.points.threads += 2) {
        model = model_make(&trial->scene, &options);
        shuffle(numbers, m, chance);
        same_as_before(model, trial, &before, numbers, m, "in another order");
        same_as_before(model, trial, &before, numbers, 1 + chance_below(chance, m),
                       "without others");
        same_as_before(model, trial, &before, numbers, 1 + chance_below(chance, 40), "in a few");
        model_free(model);
    }
    results_free(&before);
    free(numbers);
}

static void try_bits(const struct suite *suite, struct trial *trial, size_t step, uint64_t seed,
                     struct chance *chance)
{
    for (size_t b = 0; b < suite->count; b++) {
        trial_case(trial, suite->backends[b].name, seed);
        rasters_agree(&suite->backends[b], trial, chance);
        orders_agree(&suite->backends[b], trial, step, chance);
    }
}

static struct suite without_ref(const struct suite *suite, uint64_t seed)
{
    struct suite fast = {.seed = seed};
    for (size_t b = 0; b < suite->count; b++)
        if (suite->backends[b].backend != SHEPARD_BACKEND_REF)
            fast.backends[fast.count++] = suite->backends[b];
    return fast;
}

/* Planes over so many points that a backend may share expansions between targets. */
static void try_planes(const struct suite *suite, uint64_t seed)
{
    struct chance chance = {seed};
    struct trial trial = trial_make(SCENE_UNIFORM, 0, 0, 30000, 300, &chance);
    trial.options = options_for(SHEPARD_BACKEND_CPU);
    trial.options.parameters.method = SHEPARD_METHOD_AIDW;
    trial.options.parameters.degree = 1;
    const struct suite fast = without_ref(suite, seed);
    try_bits(&fast, &trial, 16, seed, &chance);
    trial_free(&trial);
}

/* All points, of which there are so many that sums have a use for their tolerance. */
static void try_many(const struct suite *suite, enum scene_kind kind, int power, uint64_t seed)
{
    static const double eps[] = {1e-4, 1e-2, 1e-8};
    struct chance chance = {seed};
    struct trial trial = trial_make(kind, 0, power, 3000, 400, &chance);
    trial.options.parameters.precision =
        seed % 3 == 2 || seed % 2 ? SHEPARD_PRECISION_DOUBLE : SHEPARD_PRECISION_SINGLE;
    trial.options.parameters.eps = eps[seed % 3];
    trial.options.parameters.adaptive.k = 1 + seed % 15;
    const struct suite fast = without_ref(suite, seed);
    try_bits(&fast, &trial, seed % 3 == 0 && !suite->repeat ? 1 : 16, seed, &chance);
    trial_free(&trial);
}

/* AIDW where some points are a heap, alone in a wide empty square: half of the places are in and
 * round it. Cells there are far smaller than the next with more points; large heaps are too many
 * for the empty cells round them to stay whole. */
static void try_heap(const struct suite *suite, size_t heap, double radius, uint64_t seed)
{
    struct chance chance = {seed};
    const size_t n = heap <= 2000 ? 3000 : 2 * heap;
    struct trial trial = trial_make(SCENE_UNIFORM, 0, 0, n, 400, &chance);
    struct scene *scene = &trial.scene;
    const double size = scene->size, x = scene->x[0], y = scene->y[0];
    for (size_t i = 0; i < scene->n; i++) {
        if (i < heap) {
            scene->x[i] = x + radius * size * chance_unit(&chance);
            scene->y[i] = y + radius * size * chance_unit(&chance);
        } else if (fabs(scene->x[i] - x) < size / 4 && fabs(scene->y[i] - y) < size / 4) {
            scene->x[i] = x + size * (1 + chance_unit(&chance));
        }
    }
    for (size_t i = 0; i < trial.places.m; i += 2) {
        const double part = size * pow(10, chance_range(&chance, -11, -0.5));
        trial.places.x[i] = x + part * chance_range(&chance, -1, 1);
        trial.places.y[i] = y + part * chance_range(&chance, -1, 1);
    }
    trial.options = options_for(SHEPARD_BACKEND_CPU);
    trial.options.parameters.method = SHEPARD_METHOD_AIDW;
    trial.options.parameters.eps = 1e-4;
    trial.options.parameters.adaptive.r_max = seed % 2 ? 2 : 6;
    const struct suite fast = without_ref(suite, seed);
    try_bits(&fast, &trial, 16, seed, &chance);
    struct model_options reference = trial.options;
    reference.points.backend = SHEPARD_BACKEND_REF;
    reference.parameters.eps = 0;
    struct results want = results_of(scene, &reference, &trial.places);
    const double most = trial.options.parameters.eps * scene_value_range(scene, 0);
    for (size_t b = 0; b < fast.count; b++) {
        trial.options.points.backend = fast.backends[b].backend;
        trial_case(&trial, fast.backends[b].name, seed);
        struct results got = results_of(scene, &trial.options, &trial.places);
        for (size_t i = 0; i < trial.places.m; i++)
            check_near(got.values[0][i], want.values[0][i], most, "value near a cluster");
        results_free(&got);
    }
    results_free(&want);
    trial_free(&trial);
}

void suite_bits(const struct suite *suite)
{
    /* A repetition takes each kind of data once: with plain C many points take minutes. */
    const int rounds = suite->repeat ? 1 : 3;
    uint64_t seed = suite->seed + 4000000;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int hood = 0; hood < TRIAL_HOODS; hood += 1 + kind % 3, seed++) {
            if (!suite_takes(suite, seed))
                continue;
            struct chance chance = {seed};
            struct trial trial = trial_make((enum scene_kind)kind, hood, (int)(seed % TRIAL_POWERS),
                                            300, 150, &chance);
            try_bits(suite, &trial, 37, seed, &chance);
            trial_free(&trial);
        }
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int round = 0; round < rounds; round++, seed++)
            if (suite_takes(suite, seed))
                try_many(suite, (enum scene_kind)kind, (int)(seed % TRIAL_POWERS), seed);
    if (!suite->repeat)
        try_planes(suite, seed);
    static const size_t heaps[] = {140, 500, 1000, 2000, 4000};
    static const double radii[] = {0, 1e-11, 1e-6, 1e-2};
    for (size_t i = 0; i < sizeof heaps / sizeof heaps[0]; i++)
        for (size_t j = 0; j < sizeof radii / sizeof radii[0] && !suite->repeat; j++, seed++)
            try_heap(suite, heaps[i], radii[j], seed);
}
