/* SPDX-License-Identifier: MIT */
/* Many columns that each miss other values: each gets the bits of a field of its own, whatever the
 * others miss. */
#include "check.h"
#include "compare.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 41, PLACES = 40, SIDE = 7 };

/* A trial's points with many columns of values, and results at its places or at a raster. */
struct many {
    struct trial trial;
    double *values[COLUMNS];     /* of [n] */
    double *results[4][COLUMNS]; /* values and deviations, together and alone, of [m] */
    size_t m;
};

/* ---- columns --------------------------------------------------------------------------------- */

/* What a column misses: nothing, single values, a half of the box, nearly all, half of all. */
enum gap_kind { GAP_NONE, GAP_FEW, GAP_TENTH, GAP_REGION, GAP_NEARLY_ALL, GAP_HALF, GAP_KINDS };

static bool is_missing(enum gap_kind kind, const struct scene *scene, size_t i,
                       struct chance *chance)
{
    static const double share[GAP_KINDS] = {0, 0.02, 0.1, 0, 0.95, 0.5};
    if (kind == GAP_REGION)
        return scene->x[i] > scene->x0 + 0.45 * scene->size;
    return chance_unit(chance) < share[kind];
}

/* Which of the points at one place are taken goes by all columns with the same gaps: there each is
 * to have its own. */
static enum gap_kind gap_kind_of(const struct scene *scene, struct chance *chance)
{
    const bool repeated = scene->kind == SCENE_DUPLICATES || scene->kind == SCENE_COLLINEAR;
    const size_t draw = chance_below(chance, 3), kind = chance_below(chance, GAP_KINDS);
    return repeated || draw > 0 ? GAP_TENTH : (enum gap_kind)kind;
}

/* A value of a column around size; 0: one of 1, 0, -0 and -1. */
static double draw_value(double size, struct chance *chance)
{
    if (size > 0)
        return size + (double)chance_below(chance, 50);
    return (chance_below(chance, 2) ? 1 : -1) * (double)chance_below(chance, 2);
}

/* At least three values, so that the points have an area. */
static void draw_column(struct many *many, size_t column, struct chance *chance)
{
    const struct scene *scene = &many->trial.scene;
    const enum gap_kind kind = gap_kind_of(scene, chance);
    const double size = (const double[]){0, 1, 1e6}[chance_below(chance, 3)];
    const size_t kept = chance_below(chance, scene->n);
    double *z = many->values[column];
    for (size_t i = 0; i < scene->n; i++) {
        const bool missing = is_missing(kind, scene, i, chance);
        z[i] = draw_value(size, chance);
        if (missing && (i + scene->n - kept) % scene->n > 2)
            z[i] = chance_below(chance, 4) ? NAN : INFINITY;
    }
}

static struct many many_make(enum scene_kind kind, int hood, uint64_t seed)
{
    struct chance chance = {seed};
    struct many many = {.trial = trial_make(kind, hood, (int)(seed % TRIAL_POWERS),
                                            60 + chance_below(&chance, 200), PLACES, &chance),
                        .m = PLACES > SIDE * SIDE ? PLACES : SIDE * SIDE};
    const struct scene *scene = &many.trial.scene;
    /* Three points may lie on a line along a side of their box. */
    const double area = scene->size * scene->size;
    if (isfinite(area) && area > 1e-300)
        many.trial.options.parameters.adaptive.area = area;
    /* Often powers that have a form of their own. */
    double *powers = many.trial.options.parameters.adaptive.powers;
    const double power = (double)chance_below(&chance, 8);
    for (size_t i = 0; i < 5 && power >= 1 && power <= 4; i++)
        powers[i] = power;
    for (size_t c = 0; c < COLUMNS; c++) {
        many.values[c] = scene_memory(scene->n, sizeof(double));
        draw_column(&many, c, &chance);
        for (int r = 0; r < 4; r++)
            many.results[r][c] = scene_memory(many.m, sizeof(double));
    }
    return many;
}

static void many_free(struct many *many)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        free(many->values[c]);
        for (int r = 0; r < 4; r++)
            free(many->results[r][c]);
    }
    trial_free(&many->trial);
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* spreads: NULL for none. */
static void predict_into(const struct many *many, const struct model_options *options, size_t first,
                         size_t count, const struct shepard_targets *targets,
                         const struct shepard_output_array *means,
                         const struct shepard_output_array *spreads)
{
    const struct scene *scene = &many->trial.scene;
    const struct shepard_coordinates coordinates = scene_coordinates(scene);
    struct shepard_array columns[COLUMNS];
    for (size_t c = 0; c < count; c++)
        columns[c] = shepard_doubles(many->values[first + c]);
    const struct shepard_values given = {.size = sizeof given,
                                         .column_count = count,
                                         .columns = columns,
                                         .weights = shepard_doubles(scene->weights)};
    const struct shepard_output output = {
        .size = sizeof output, .values = means, .deviations = spreads};
    struct shepard_error error = {0};
    struct model *model = NULL;
    check(model_create(&coordinates, &given, options, &model, &error) == SHEPARD_OK &&
              model_predict(model, targets, &output, NULL, &error) == SHEPARD_OK,
          "%zu columns: %s", count, error.message);
    model_free(model);
}

static void predict(const struct many *many, const struct model_options *options, size_t first,
                    size_t count, const struct shepard_targets *targets, double *const *values,
                    double *const *deviations)
{
    struct shepard_output_array means[COLUMNS], spreads[COLUMNS];
    for (size_t c = 0; c < count; c++) {
        means[c] = shepard_output_doubles(values[c]);
        spreads[c] = shepard_output_doubles(deviations != NULL ? deviations[c] : NULL);
    }
    predict_into(many, options, first, count, targets, means, deviations != NULL ? spreads : NULL);
}

/* All columns in one call against a call for each. */
static void check_bits(const struct many *many, const struct model_options *options,
                       const struct shepard_targets *targets, size_t m, bool deviations)
{
    predict(many, options, 0, COLUMNS, targets, many->results[0],
            deviations ? many->results[1] : NULL);
    for (size_t c = 0; c < COLUMNS; c++) {
        predict(many, options, c, 1, targets, many->results[2] + c,
                deviations ? many->results[3] + c : NULL);
        check(memcmp(many->results[0][c], many->results[2][c], m * sizeof(double)) == 0,
              "column %zu has other values alone", c);
        check(!deviations ||
                  memcmp(many->results[1][c], many->results[3][c], m * sizeof(double)) == 0,
              "column %zu has other deviations alone", c);
    }
}

/* How results lie: those of a target side by side; columns that begin at other places of a cache
 * line; every other number of them; floats. */
enum result_layout { RESULTS_BESIDE, RESULTS_SHIFTED, RESULTS_SPREAD, RESULTS_FLOATS, LAYOUTS };

static struct shepard_output_array result_column(enum result_layout layout, double *numbers,
                                                 size_t m, size_t c)
{
    const ptrdiff_t size = sizeof *numbers;
    if (layout == RESULTS_BESIDE)
        return (struct shepard_output_array){numbers + c, SHEPARD_FLOAT64, COLUMNS * size};
    if (layout == RESULTS_SHIFTED)
        return shepard_output_doubles(numbers + c * (m + 2) + c % 3);
    if (layout == RESULTS_SPREAD)
        return (struct shepard_output_array){numbers + 2 * c * m, SHEPARD_FLOAT64, 2 * size};
    return shepard_output_floats((float *)numbers + c * m);
}

static bool is_same(const struct shepard_output_array *column, size_t i, double value)
{
    const ptrdiff_t size = column->type == SHEPARD_FLOAT32 ? sizeof(float) : sizeof(double);
    const ptrdiff_t stride = column->stride != 0 ? column->stride : size;
    const char *const at = (const char *)column->data + (ptrdiff_t)i * stride;
    const float single = (float)value;
    return memcmp(at, column->type == SHEPARD_FLOAT32 ? (const void *)&single : &value,
                  (size_t)size) == 0;
}

/* The values that check_bits has left, however results lie. */
static void check_layouts(const struct many *many, const struct model_options *options,
                          const struct shepard_targets *targets, size_t m)
{
    double *const numbers = scene_memory(2 * COLUMNS * (m + 2), sizeof *numbers);
    for (int layout = 0; layout < LAYOUTS; layout++) {
        struct shepard_output_array means[COLUMNS];
        for (size_t c = 0; c < COLUMNS; c++)
            means[c] = result_column((enum result_layout)layout, numbers, m, c);
        predict_into(many, options, 0, COLUMNS, targets, means, NULL);
        for (size_t c = 0; c < COLUMNS; c++)
            for (size_t i = 0; i < m; i++)
                check(is_same(&means[c], i, many->results[0][c][i]),
                      "column %zu, target %zu: another value in layout %d", c, i, layout);
    }
    free(numbers);
}

static void try_many(const struct shepard_backend_info *on, const struct many *many, uint64_t seed)
{
    const struct scene *scene = &many->trial.scene;
    struct model_options options = many->trial.options;
    const double cell = scene->size / SIDE;
    const struct shepard_raster raster = {scene->x0, scene->y0 + scene->size, cell, -cell, 3 * SIDE,
                                          3 * SIDE};
    const struct shepard_window window = {seed % SIDE, SIDE, SIDE, SIDE};
    const struct shepard_targets places = places_targets(&many->trial.places);
    const struct shepard_targets cells = raster_targets(&raster, &window);
    options.points.backend = on->backend;
    trial_case(&many->trial, on->name, seed);
    check_bits(many, &options, &places, PLACES, seed % 2);
    check_bits(many, &options, &places, PLACES, false);
    check_layouts(many, &options, &places, PLACES);
    options.points.threads = 1 + (int)(seed % 3);
    check_bits(many, &options, &cells, SIDE * SIDE, seed % 3 == 0);
    check_bits(many, &options, &cells, SIDE * SIDE, false);
    check_layouts(many, &options, &cells, SIDE * SIDE);
}

/* ---- few near points --------------------------------------------------------------------------
 */

/* The k of AIDW, the points of a neighbourhood, and those round the middle that every third column
 * misses: from number FIRST_MISSED on by distance, MISSED of them. */
enum { NEAR = 10, TAKEN = 4, FIRST_MISSED = 6, MISSED = 60 };

struct ranked {
    size_t i;
    double d2;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *first = a, *second = b;
    return (first->d2 > second->d2) - (first->d2 < second->d2);
}

/* Every third column misses a ring of points round the middle of the box. */
static void miss_ring(struct many *many)
{
    const struct scene *scene = &many->trial.scene;
    const double x = scene->x0 + scene->size / 2, y = scene->y0 + scene->size / 2;
    struct ranked *ranked = scene_memory(scene->n, sizeof *ranked);
    for (size_t i = 0; i < scene->n; i++)
        ranked[i] = (struct ranked){i, (scene->x[i] - x) * (scene->x[i] - x) +
                                           (scene->y[i] - y) * (scene->y[i] - y)};
    qsort(ranked, scene->n, sizeof *ranked, compare_ranked);
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t j = 0; j < scene->n; j++) {
            const bool missed = c % 3 == 0 && j >= FIRST_MISSED && j < FIRST_MISSED + MISSED;
            many->values[c][ranked[j].i] = missed ? NAN : (double)((j * 7 + c * 3) % 50);
        }
    free(ranked);
}

/* In the middle of the ring the columns that miss it have as many points as a neighbourhood takes,
 * but fewer than k among those that are near enough for all columns. */
static void try_few_near(const struct shepard_backend_info *on, uint64_t seed, int degree)
{
    struct many many = many_make(SCENE_UNIFORM, 1, seed);
    const struct scene *scene = &many.trial.scene;
    struct places *places = &many.trial.places;
    struct model_options options = options_for(on->backend);
    options.parameters.method = SHEPARD_METHOD_AIDW;
    options.parameters.adaptive.k = NEAR;
    options.parameters.neighbourhood.max_points = TAKEN;
    options.parameters.degree = degree;
    miss_ring(&many);
    /* So few that they are left out one by one, not all targets of their columns. */
    for (size_t i = 0; i < 2; i++) {
        places->x[i] = scene->x0 + scene->size * (0.5 + 1e-3 * (double)i);
        places->y[i] = scene->y0 + scene->size * 0.5;
    }
    const struct shepard_targets targets = places_targets(places);
    check_case("%s: few near points, degree %d, seed %llu", on->name, degree,
               (unsigned long long)seed);
    check_bits(&many, &options, &targets, PLACES, false);
    many_free(&many);
}

void suite_many_gaps(const struct suite *suite)
{
    uint64_t seed = suite->seed + 23000000;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int hood = 1 + kind % 2; hood < TRIAL_HOODS; hood += 2, seed++) {
            if (!suite_takes(suite, seed))
                continue;
            struct many many = many_make((enum scene_kind)kind, hood, seed);
            for (size_t b = 0; b < suite->count; b++)
                try_many(&suite->backends[b], &many, seed);
            many_free(&many);
        }
    seed = suite->seed + 23500000;
    for (int trial = 0; trial < 6; trial++, seed++) {
        if (!suite_takes(suite, seed))
            continue;
        for (size_t b = 0; b < suite->count; b++)
            try_few_near(&suite->backends[b], seed, trial % 2);
    }
}
