/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "compare.h"
#include "suite.h"

#define PLACES 24

static struct results results_on(const struct trial *trial, const struct shepard_backend_info *on,
                                 uint64_t seed)
{
    struct model_options options = trial->options;
    options.points.backend = on->backend;
    trial_case(trial, on->name, seed);
    return results_of(&trial->scene, &options, &trial->places);
}

/* Single precision has its own sums where nothing but values is asked for. */
static void again_without_diagnostics(const struct trial *trial,
                                      const struct shepard_backend_info *on,
                                      const struct results *got, const struct results *want)
{
    struct model_options options = trial->options;
    options.points.backend = on->backend;
    if (!trial_is_single(trial))
        return;
    struct model *model = model_make(&trial->scene, &options);
    const struct shepard_targets targets = places_targets(&trial->places);
    const struct shepard_output output = {.size = sizeof output, .values = got->to_values};
    check(model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK, "values");
    compare_results(trial, got, want);
    model_free(model);
}

/* Every backend against the equations, and against ref. */
static void compare_backends(const struct suite *suite, const struct trial *trial, uint64_t seed)
{
    struct results slow = compare_slow(trial);
    struct results reference = {0};
    for (size_t b = 0; b < suite->count; b++)
        if (suite->backends[b].backend == SHEPARD_BACKEND_REF)
            reference = results_on(trial, &suite->backends[b], seed);
    for (size_t b = 0; b < suite->count; b++) {
        struct results got = results_on(trial, &suite->backends[b], seed);
        compare_results(trial, &got, &slow);
        if (reference.m > 0)
            compare_results(trial, &got, &reference);
        again_without_diagnostics(trial, &suite->backends[b], &got, &slow);
        results_free(&got);
    }
    results_free(&reference);
    results_free(&slow);
}

static void try_one(const struct suite *suite, enum scene_kind kind, int hood, int power, size_t n,
                    uint64_t seed)
{
    struct chance chance = {seed};
    struct trial trial = trial_make(kind, hood, power, n, PLACES, &chance);
    compare_backends(suite, &trial, seed);
    trial_free(&trial);
}

/* Few points of many sectors: rounds that max_points cuts short. */
static void try_sectors(const struct suite *suite, enum scene_kind kind, size_t n, uint64_t seed)
{
    static const size_t most_each[] = {0, 0, 1, 2, 3};
    struct chance chance = {seed};
    struct trial trial = trial_make(kind, 0, (int)(seed % TRIAL_POWERS), n, PLACES, &chance);
    trial.options.parameters.eps = 0;
    trial.options.parameters.neighbourhood = (struct shepard_neighbourhood){
        .sectors = chance_below(&chance, 2) ? 8 : 4,
        .max_points = 1 + chance_below(&chance, 12),
        .max_points_per_sector = most_each[chance_below(&chance, 5)],
    };
    compare_backends(suite, &trial, seed);
    trial_free(&trial);
}

/* Puts the points of a collinear scene on a line whose coordinates are rounded, thick or not, and
 * the places at all distances from it: the planes that rounding harms most. */
static void make_line(struct trial *trial, double thickness, struct chance *chance)
{
    const double slope = 0.3717;
    for (size_t i = 0; i < trial->scene.n; i++) {
        const double off = thickness * (chance_unit(chance) - 0.5);
        trial->scene.y[i] = slope * trial->scene.x[i] + off;
    }
    for (size_t i = 0; i < trial->places.m; i++) {
        const double along = 0.5 * chance_unit(chance);
        const double off = pow(10, -(double)(i % 8)) * (chance_unit(chance) - 0.5);
        trial->places.x[i] = along - slope * off;
        trial->places.y[i] = slope * along + off;
    }
    trial->options.parameters.degree = 1;
    trial->options.parameters.ridge = 1e-3;
}

static void try_lines(const struct suite *suite, int rounds, size_t n, uint64_t seed,
                      void (*compare)(const struct suite *, const struct trial *, uint64_t))
{
    static const double thicknesses[] = {0, 1e-6, 1e-3};
    for (int i = 0; i < 3 * rounds; i++, seed++) {
        if (!suite_takes(suite, seed))
            continue;
        const int hood = i / 3 % 2 * (int)(seed % TRIAL_HOODS);
        struct chance chance = {seed};
        struct trial trial =
            trial_make(SCENE_COLLINEAR, hood, (int)(seed % TRIAL_POWERS), n, PLACES, &chance);
        make_line(&trial, thicknesses[i % 3], &chance);
        compare(suite, &trial, seed);
        trial_free(&trial);
    }
}

void suite_sweep(const struct suite *suite)
{
    static const size_t sizes[] = {1, 2, 3, 9, 60, 225};
    uint64_t seed = suite->seed;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int hood = 0; hood < TRIAL_HOODS; hood++)
            for (int power = 0; power < TRIAL_POWERS; power++, seed++)
                if (suite_takes(suite, seed))
                    try_one(suite, (enum scene_kind)kind, hood, power,
                            sizes[2 + (size_t)(power + hood) % 4], seed);
    /* All points more often, and very few points. */
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int power = 0; power < TRIAL_POWERS; power++)
            for (size_t s = 0; s < 6; s++, seed++)
                if (suite_takes(suite, seed))
                    try_one(suite, (enum scene_kind)kind, s < 2 ? (int)(seed % TRIAL_HOODS) : 0,
                            power, sizes[s], seed);
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (size_t i = 0; i < 30; i++, seed++)
            if (suite_takes(suite, seed))
                try_sectors(suite, (enum scene_kind)kind, sizes[3 + i % 3], seed);
    try_lines(suite, 12, 225, seed, compare_backends);
}

/* ref alone is the reference here: the equations would take too long. */
static void compare_to_ref(const struct suite *suite, const struct trial *trial, uint64_t seed)
{
    struct results reference = {0};
    for (size_t b = 0; b < suite->count; b++) {
        struct results got = results_on(trial, &suite->backends[b], seed);
        if (suite->backends[b].backend == SHEPARD_BACKEND_REF)
            reference = got;
        else if (reference.m > 0) {
            compare_results(trial, &got, &reference);
            again_without_diagnostics(trial, &suite->backends[b], &got, &reference);
        }
        if (got.block != reference.block)
            results_free(&got);
    }
    results_free(&reference);
}

static void try_large(const struct suite *suite, enum scene_kind kind, int hood, size_t n,
                      uint64_t seed)
{
    struct chance chance = {seed};
    struct trial trial = trial_make(kind, hood, (int)(seed % TRIAL_POWERS), n, 64, &chance);
    compare_to_ref(suite, &trial, seed);
    trial_free(&trial);
}

/* Puts nine of ten points into a spot, or all at distances from it over 14 decades, so that there
 * are more at a place than 31 bits of a coordinate tell apart; places are on points and at all
 * distances.
 */
static void make_crowd(struct trial *trial, bool spot, struct chance *chance)
{
    struct scene *scene = &trial->scene;
    const double x = scene->x0 + scene->size / 2, y = scene->y0 + scene->size / 2;
    for (size_t i = 0; i < scene->n; i++) {
        const double distance = scene->size / 2 * pow(10, -14 * chance_unit(chance));
        const double angle = 8 * atan(1) * chance_unit(chance), width = scene->size * 1e-11;
        if (!spot || i % 10 > 0) {
            scene->x[i] = x + (spot ? width * chance_unit(chance) : distance * cos(angle));
            scene->y[i] = y + (spot ? width * chance_unit(chance) : distance * sin(angle));
        }
    }
    for (size_t i = 0; i < trial->places.m; i++) {
        const double distance = scene->size * pow(10, -14 * chance_unit(chance));
        const double angle = 8 * atan(1) * chance_unit(chance);
        const size_t point = chance_below(chance, scene->n);
        trial->places.x[i] = i % 8 == 0 ? scene->x[point] : x + distance * cos(angle);
        trial->places.y[i] = i % 8 == 0 ? scene->y[point] : y + distance * sin(angle);
    }
    trial->options.parameters.degree = 0;
}

static void try_crowds(const struct suite *suite, int rounds, uint64_t seed)
{
    for (int i = 0; i < rounds; i++, seed++) {
        if (!suite_takes(suite, seed))
            continue;
        const int hood = i / 2 % 3 == 0 ? (int)(seed % TRIAL_HOODS) : 0;
        struct chance chance = {seed};
        struct trial trial =
            trial_make(SCENE_UNIFORM, hood, (int)(seed % TRIAL_POWERS), 20000, 24, &chance);
        make_crowd(&trial, i % 2 == 0, &chance);
        compare_to_ref(suite, &trial, seed);
        trial_free(&trial);
    }
}

/* A small cluster of heavy points and a light one far off, seen from one side: the spread that a
 * plane is fitted to is tiny beside the nodes whose moments it comes from, and the plane magnifies
 * it. */
static struct trial make_lever(double eps, double light, double damping, struct chance *chance)
{
    const double size = 1e-3, away = 1.3, angle = 8 * atan(1) * chance_unit(chance);
    const double c = cos(angle), s = sin(angle);
    struct trial trial = {.scene = scene_make(SCENE_UNIFORM, 2001, 1, true, chance),
                          .options = options_for(SHEPARD_BACKEND_REF)};
    for (size_t i = 0; i < trial.scene.n; i++) {
        const double side = i % 2 ? 1 : -1;
        const double x = i == 0 ? 1 : 0.1 + 3.46 * size * fmod(0.618033988749895 * (double)i, 1);
        const double y = i == 0 ? 0 : size * side;
        trial.scene.x[i] = x * c - y * s;
        trial.scene.y[i] = x * s + y * c;
        trial.scene.values[0][i] = i == 0 ? 0 : side;
        trial.scene.weights[i] = i == 0 ? light : 1;
    }
    trial.places = scene_places_inside(&trial.scene, 1, chance);
    trial.places.x[0] = 0.1 * c - away * s;
    trial.places.y[0] = 0.1 * s + away * c;
    struct shepard_parameters *parameters = &trial.options.parameters;
    parameters->degree = 1;
    parameters->ridge = 0;
    parameters->damping = damping;
    parameters->eps = eps;
    parameters->precision = SHEPARD_PRECISION_DOUBLE;
    return trial;
}

static void try_levers(const struct suite *suite, uint64_t seed)
{
    static const struct {
        double eps, light, damping;
    } levers[] = {{1e-9, 1e-4, 0}, {1e-8, 1e-5, 0}, {1e-9, 1e-4, 1e-6}, {1e-3, 1e-4, 0}};
    for (size_t i = 0; i < 160; i++, seed++) {
        const size_t of = i % (sizeof levers / sizeof *levers);
        struct chance chance = {seed};
        if (!suite_takes(suite, seed))
            continue;
        struct trial trial =
            make_lever(levers[of].eps, levers[of].light, levers[of].damping, &chance);
        compare_to_ref(suite, &trial, seed);
        trial_free(&trial);
    }
}

void suite_large(const struct suite *suite)
{
    uint64_t seed = suite->seed + 1000000;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int hood = 0; hood < TRIAL_HOODS; hood++, seed++)
            if (suite_takes(suite, seed))
                try_large(suite, (enum scene_kind)kind, hood, 6000, seed);
    try_lines(suite, 6, 6000, seed, compare_to_ref);
    try_crowds(suite, 12, seed + 1000);
    try_levers(suite, seed + 2000);
}
