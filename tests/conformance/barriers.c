/* SPDX-License-Identifier: MIT */
/* Points behind barriers, against data that the hidden points have really been taken from, and what
 * barriers keep. */
#include "check.h"
#include "check_error.h"
#include "compare.h"
#include "slow.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES 12

/* ---- lines ----------------------------------------------------------------------------------- */

/* Vertices; NaN between two lines. */
struct lines {
    size_t count, room;
    double *x, *y;
};

static struct lines lines_make(size_t room)
{
    return (struct lines){0, room, scene_memory(room, sizeof(double)),
                          scene_memory(room, sizeof(double))};
}

static void lines_free(struct lines *lines)
{
    free(lines->x);
    free(lines->y);
    *lines = (struct lines){0};
}

static void lines_add(struct lines *lines, double x, double y)
{
    lines->x[lines->count] = x;
    lines->y[lines->count++] = y;
}

static struct shepard_barriers barriers_of(const struct lines *lines)
{
    return (struct shepard_barriers){.size = sizeof(struct shepard_barriers),
                                     .count = lines->count,
                                     .x = shepard_doubles(lines->x),
                                     .y = shepard_doubles(lines->y)};
}

/* A coordinate on a grid so coarse that products of two differences are exact here: what touches in
 * a scene touches in the reference. tests/kernels has the numbers that are not exact. */
static double snap(const struct scene *scene, double a)
{
    int exponent;
    frexp(scene->size, &exponent);
    const double unit = ldexp(1, exponent - 22);
    return unit * round(a / unit);
}

static void snap_all(const struct scene *scene, double *x, double *y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = snap(scene, x[i]);
        y[i] = snap(scene, y[i]);
    }
}

static bool on_grid(const struct scene *scene)
{
    return scene->kind == SCENE_LATTICE || scene->kind == SCENE_DUPLICATES;
}

/* A vertex: anywhere, on a data point, on a target, or, where the data lie on a grid, on a grid
 * twice as fine. */
static void add_vertex(struct lines *lines, const struct trial *trial, double reach,
                       struct chance *chance)
{
    const struct scene *scene = &trial->scene;
    const bool follow = lines->count > 0 && !isnan(lines->x[lines->count - 1]);
    double x = scene->x0 + scene->size * chance_range(chance, -0.2, 1.2);
    double y = scene->y0 + scene->size * chance_range(chance, -0.2, 1.2);
    if (follow) {
        x = lines->x[lines->count - 1] + reach * scene->size * chance_range(chance, -1, 1);
        y = lines->y[lines->count - 1] + reach * scene->size * chance_range(chance, -1, 1);
    }
    const size_t kind = chance_below(chance, 8), i = chance_below(chance, scene->n);
    const size_t t = chance_below(chance, trial->places.m);
    const double unit = scene->kind == SCENE_LATTICE ? 0.5 : 1.0 / 16;
    if (kind == 0) {
        x = scene->x[i];
        y = scene->y[i];
    } else if (kind == 1) {
        x = trial->places.x[t];
        y = trial->places.y[t];
    } else if (on_grid(scene)) {
        x = unit * round(x / unit);
        y = unit * round(y / unit);
    }
    snap_all(scene, &x, &y, 1);
    lines_add(lines, x, y);
    if (kind == 2) /* a segment of no length */
        lines_add(lines, x, y);
}

/* Lines of some vertices each, which cross and touch; one of them twice. */
static struct lines draw_lines(const struct trial *trial, size_t count, double reach,
                               struct chance *chance)
{
    struct lines lines = lines_make(20 * count + 20);
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        first = lines.count;
        for (size_t left = 1 + chance_below(chance, 8); left > 0; left--)
            add_vertex(&lines, trial, reach, chance);
        lines_add(&lines, NAN, NAN);
    }
    const size_t end = lines.count;
    for (size_t i = first; i < end; i++)
        lines_add(&lines, lines.x[i], lines.y[i]);
    return lines;
}

/* ---- what is left ---------------------------------------------------------------------------- */

/* The target that the next subset is for. */
static struct {
    double x, y;
    const struct lines *lines;
    size_t point; /* left out, too; SIZE_MAX: none */
} left;

struct offset {
    long double x, y;
};

static struct offset offset(double x, double y, double from_x, double from_y)
{
    return (struct offset){(long double)x - from_x, (long double)y - from_y};
}

static long double cross(struct offset a, struct offset b)
{
    return a.x * b.y - a.y * b.x;
}

static long double dot(struct offset a, struct offset b)
{
    return a.x * b.x + a.y * b.y;
}

/* Whether a segment has a place in common with the line of sight, without its ends: where the two
 * lines meet, as parts of both, or what they share of one line. */
static bool blocks(const struct lines *lines, size_t i, size_t j, double x, double y)
{
    const struct offset d = offset(x, y, left.x, left.y);
    const struct offset a = offset(lines->x[i], lines->y[i], left.x, left.y);
    const struct offset b = offset(lines->x[j], lines->y[j], left.x, left.y);
    const struct offset e = offset(lines->x[j], lines->y[j], lines->x[i], lines->y[i]);
    long double area = cross(d, e), along = cross(a, e), across = cross(a, d);
    if (area != 0) {
        if (area < 0) {
            area = -area;
            along = -along;
            across = -across;
        }
        return along > 0 && along < area && across >= 0 && across <= area;
    }
    if (cross(d, a) != 0 || cross(d, b) != 0)
        return false;
    const long double length = dot(d, d), p = dot(a, d), q = dot(b, d);
    return length > 0 && fminl(p, q) < length && fmaxl(p, q) > 0;
}

static bool stays(const struct scene *scene, size_t i)
{
    const struct lines *lines = left.lines;
    const double x = scene->x[i], y = scene->y[i];
    if (left.point != SIZE_MAX && x == left.x && y == left.y)
        return false;
    for (size_t v = 0; v < lines->count; v++) {
        const bool first = v == 0 || isnan(lines->x[v - 1]);
        const bool last = v + 1 == lines->count || isnan(lines->x[v + 1]);
        if (isnan(lines->x[v]) || (last && !first))
            continue;
        if (blocks(lines, v, last ? v : v + 1, x, y))
            return false;
    }
    return true;
}

/* ---- trials ---------------------------------------------------------------------------------- */

struct barrier_trial {
    struct trial trial; /* its places are the targets */
    struct lines lines;
    struct shepard_barriers barriers;
    bool data; /* targets are data points */
    uint32_t points[SAMPLES];
    double area; /* of AIDW, for all points */
};

/* Kinds of neighbourhood that limit the points. */
static int draw_hood(struct chance *chance)
{
    static const int hoods[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18};
    return hoods[chance_below(chance, sizeof hoods / sizeof *hoods)];
}

static void draw_targets(struct barrier_trial *own, struct chance *chance)
{
    struct trial *trial = &own->trial;
    const struct scene *scene = &trial->scene;
    places_free(&trial->places);
    trial->places = scene_places_inside(scene, SAMPLES, chance);
    for (size_t i = 0; i < SAMPLES; i++) {
        const double unit = scene->kind == SCENE_LATTICE ? 0.5 : 1.0 / 16;
        own->points[i] = (uint32_t)chance_below(chance, scene->n);
        if (own->data || i % 4 == 0) {
            trial->places.x[i] = scene->x[own->points[i]];
            trial->places.y[i] = scene->y[own->points[i]];
        } else if (on_grid(scene)) {
            trial->places.x[i] = unit * round(trial->places.x[i] / unit);
            trial->places.y[i] = unit * round(trial->places.y[i] / unit);
        }
    }
}

/* As without barriers, AIDW expects what all points in their area make it expect. */
static void settle_area(struct barrier_trial *own)
{
    const struct scene *scene = &own->trial.scene;
    struct shepard_parameters *parameters = &own->trial.options.parameters;
    if (scene->kind == SCENE_TINY || scene->kind == SCENE_HUGE)
        parameters->method = SHEPARD_METHOD_IDW;
    parameters->adaptive.expect = SHEPARD_EXPECT_NN;
    if (parameters->method == SHEPARD_METHOD_AIDW)
        own->area = parameters->adaptive.area = 0.9 * scene->size * scene->size;
}

static struct barrier_trial barrier_make(enum scene_kind kind, size_t n, size_t lines, double reach,
                                         uint64_t seed)
{
    struct chance chance = {seed};
    const int hood = draw_hood(&chance);
    struct barrier_trial own = {
        .trial = trial_make(kind, hood, (int)(seed % TRIAL_POWERS), n, SAMPLES, &chance)};
    own.data = chance_below(&chance, 3) == 0;
    snap_all(&own.trial.scene, own.trial.scene.x, own.trial.scene.y, n);
    draw_targets(&own, &chance);
    snap_all(&own.trial.scene, own.trial.places.x, own.trial.places.y, SAMPLES);
    /* A turned frame rounds, and what touches then might not. */
    if (on_grid(&own.trial.scene) || kind == SCENE_COLLINEAR || kind == SCENE_STRIPS)
        own.trial.options.points.anisotropy_ratio = 1;
    own.lines = draw_lines(&own.trial, lines, reach, &chance);
    own.barriers = barriers_of(&own.lines);
    settle_area(&own);
    return own;
}

static void barrier_free(struct barrier_trial *own)
{
    lines_free(&own->lines);
    trial_free(&own->trial);
}

static struct shepard_targets targets_of(const struct barrier_trial *own)
{
    struct shepard_targets targets = places_targets(&own->trial.places);
    if (own->data) {
        targets.kind = SHEPARD_TARGETS_LEAVE_ONE_OUT;
        targets.indices = own->points;
    }
    return targets;
}

static struct results predict(const struct barrier_trial *own, enum shepard_backend backend,
                              const struct shepard_barriers *barriers)
{
    const struct scene *scene = &own->trial.scene;
    struct model_options options = own->trial.options;
    options.points.backend = backend;
    options.points.barriers = barriers;
    struct model *model = model_make(scene, &options);
    struct results results = results_make(SAMPLES, scene->columns);
    const struct shepard_targets targets = targets_of(own);
    const struct shepard_output output = results_output(&results);
    struct shepard_error error = {0};
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "no prediction: %s",
          error.message);
    model_free(model);
    return results;
}

/* ---- reference ------------------------------------------------------------------------------- */

static void put_nothing(const struct barrier_trial *own, struct results *all, size_t i)
{
    const double nodata = own->trial.options.parameters.nodata;
    for (int a = 0; a < RESULT_SINGLES; a++)
        all->single[a][i] = nodata;
    for (size_t c = 0; c < all->columns; c++)
        all->values[c][i] = all->deviations[c][i] = nodata;
    all->count[i] = 0;
}

static void copy_target(struct results *to, size_t i, const struct results *from)
{
    for (int a = 0; a < RESULT_SINGLES; a++)
        to->single[a][i] = from->single[a][0];
    for (size_t c = 0; c < to->columns; c++) {
        to->values[c][i] = from->values[c][0];
        to->deviations[c][i] = from->deviations[c][0];
    }
}

/* Target i from the data that it sees: by the equations, or, of many points, by ref. */
static void predict_from_rest(const struct barrier_trial *own, size_t i, bool by_ref,
                              struct results *all)
{
    const struct places *places = &own->trial.places;
    left.x = places->x[i];
    left.y = places->y[i];
    left.lines = &own->lines;
    left.point = own->data ? own->points[i] : SIZE_MAX;
    struct trial rest = own->trial;
    rest.scene = scene_subset(&own->trial.scene, stays, NULL);
    rest.places = (struct places){1, &places->x[i], &places->y[i]};
    rest.options.points.backend = SHEPARD_BACKEND_REF;
    rest.options.parameters.adaptive.area =
        own->area * (double)rest.scene.n / (double)own->trial.scene.n;
    check_measure("largest part of the points hidden",
                  1 - (double)rest.scene.n / (double)own->trial.scene.n);
    if (rest.scene.n == 0) {
        put_nothing(own, all, i);
    } else {
        struct results one =
            by_ref ? results_of(&rest.scene, &rest.options, &rest.places) : compare_slow(&rest);
        copy_target(all, i, &one);
        results_free(&one);
    }
    scene_free(&rest.scene);
}

static void try_barriers(const struct suite *suite, enum scene_kind kind, size_t n, size_t lines,
                         double reach, uint64_t seed)
{
    struct barrier_trial own = barrier_make(kind, n, lines, reach, seed);
    struct results want = results_make(SAMPLES, own.trial.scene.columns);
    if (n > 1000 && own.trial.options.parameters.degree == 1)
        own.trial.options.parameters.ridge = 0.05;
    for (size_t i = 0; i < SAMPLES; i++)
        predict_from_rest(&own, i, n > 1000, &want);
    for (size_t b = 0; b < suite->count; b++) {
        struct results got = predict(&own, suite->backends[b].backend, &own.barriers);
        trial_case(&own.trial, suite->backends[b].name, seed);
        compare_results(&own.trial, &got, &want);
        results_free(&got);
    }
    results_free(&want);
    barrier_free(&own);
}

/* ---- the nearest ----------------------------------------------------------------------------- */

/* The k nearest of what a target sees, by index. */
static void try_nearest(const struct suite *suite, enum scene_kind kind, size_t n, uint64_t seed)
{
    struct barrier_trial own = barrier_make(kind, n, 10, 0.3, seed);
    const size_t k = 1 + seed % 20;
    uint32_t *got = scene_memory(SAMPLES * k, sizeof *got), *want = scene_memory(k, sizeof *want);
    uint32_t *index = scene_memory(n, sizeof *index);
    own.data = false;
    own.trial.options.points.barriers = &own.barriers;
    for (size_t b = 0; b < suite->count; b++) {
        struct model_options options = own.trial.options;
        options.points.backend = suite->backends[b].backend;
        trial_case(&own.trial, suite->backends[b].name, seed);
        struct model *model = model_make(&own.trial.scene, &options);
        const struct shepard_targets targets = targets_of(&own);
        check(model_nearest(model, &targets, k, got, NULL, NULL, NULL) == SHEPARD_OK, "no search");
        for (size_t i = 0; i < SAMPLES; i++) {
            left.x = own.trial.places.x[i];
            left.y = own.trial.places.y[i];
            left.lines = &own.lines;
            left.point = SIZE_MAX;
            struct scene rest = scene_subset(&own.trial.scene, stays, index);
            const size_t found =
                rest.n > 0 ? slow_nearest(&rest, &options, k, left.x, left.y, want) : 0;
            for (size_t j = 0; j < k; j++)
                check(got[i * k + j] == (j < found ? index[want[j]] : SHEPARD_NO_POINT),
                      "neighbour %zu of target %zu", j, i);
            scene_free(&rest);
        }
        model_free(model);
    }
    free(index);
    free(want);
    free(got);
    barrier_free(&own);
}

/* ---- what barriers keep ---------------------------------------------------------------------- */

/* The lines from the last to the first and backwards, each segment cut in two, some twice. Middles
 * on the grid are exact. */
static struct lines rearrange(const struct lines *lines)
{
    struct lines other = lines_make(5 * lines->count);
    for (size_t i = lines->count; i-- > 0;) {
        lines_add(&other, lines->x[i], lines->y[i]);
        if (i == 0 || isnan(lines->x[i]) || isnan(lines->x[i - 1]))
            continue;
        lines_add(&other, (lines->x[i] + lines->x[i - 1]) / 2, (lines->y[i] + lines->y[i - 1]) / 2);
        if (i % 3 == 0) {
            lines_add(&other, NAN, NAN);
            lines_add(&other, lines->x[i], lines->y[i]);
            lines_add(&other, lines->x[i - 1], lines->y[i - 1]);
        }
    }
    return other;
}

static void try_rearranged(const struct suite *suite, uint64_t seed)
{
    struct barrier_trial own = barrier_make(SCENE_LATTICE, 300, 12, 0.2, seed);
    struct lines other = rearrange(&own.lines);
    const struct shepard_barriers rearranged = barriers_of(&other);
    for (size_t b = 0; b < suite->count; b++) {
        const enum shepard_backend backend = suite->backends[b].backend;
        struct results one = predict(&own, backend, &own.barriers);
        struct results two = predict(&own, backend, &rearranged);
        trial_case(&own.trial, suite->backends[b].name, seed);
        check(results_equal(&one, &two), "other bits from the same lines cut and turned");
        results_free(&two);
        results_free(&one);
    }
    lines_free(&other);
    barrier_free(&own);
}

/* Barriers that hide nothing change nothing. */
static void try_without(const struct suite *suite, uint64_t seed)
{
    struct barrier_trial own =
        barrier_make((enum scene_kind)(seed % SCENE_KINDS), 500, 1, 0.1, seed);
    const double far = own.trial.scene.x0 + 1e9 * own.trial.scene.size;
    double x[] = {NAN, far, far, NAN}, y[] = {NAN, -far, far, NAN};
    struct lines away = {4, 4, x, y}, gaps = {1, 1, x, y};
    const struct shepard_barriers none = {.size = sizeof none}, beyond = barriers_of(&away);
    const struct shepard_barriers only_gaps = barriers_of(&gaps);
    const struct shepard_barriers *const same[] = {&none, &beyond, &only_gaps};
    for (size_t b = 0; b < suite->count; b++) {
        const enum shepard_backend backend = suite->backends[b].backend;
        /* Past lines the CPU looks for the GPU. */
        const enum shepard_backend looking =
            backend == SHEPARD_BACKEND_CUDA ? SHEPARD_BACKEND_CPU : backend;
        trial_case(&own.trial, suite->backends[b].name, seed);
        for (size_t i = 0; i < 3; i++) {
            struct results plain = predict(&own, i == 0 ? backend : looking, NULL);
            struct results got = predict(&own, backend, same[i]);
            check(results_equal(&plain, &got), "other bits with barriers %zu that hide nothing", i);
            results_free(&got);
            results_free(&plain);
        }
    }
    barrier_free(&own);
}

/* A ring of many vertices: what is inside sees nothing outside. */
static void try_ring(const struct suite *suite, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 600, 1, false, &chance);
    struct places places = scene_places_inside(&scene, 100, &chance);
    struct lines ring = lines_make(101);
    for (int i = 0; i <= 100; i++) {
        const double angle = i % 100 * 6.283185307179586 / 100;
        lines_add(&ring, 0.5 + 0.3 * cos(angle), 0.5 + 0.3 * sin(angle));
    }
    for (size_t i = 0; i < scene.n; i++) {
        const double r = hypot(scene.x[i] - 0.5, scene.y[i] - 0.5);
        /* Between the ring and the circle round it: on neither side. */
        scene.values[0][i] = fabs(r - 0.3) < 2e-4 ? NAN : r < 0.3 ? 1 : 2;
    }
    const struct shepard_barriers barriers = barriers_of(&ring);
    for (size_t b = 0; b < suite->count; b++) {
        struct model_options options = options_for(suite->backends[b].backend);
        options.points.barriers = &barriers;
        options.parameters.neighbourhood.max_points = 12;
        check_case("seed %llu %s: ring", (unsigned long long)seed, suite->backends[b].name);
        struct results got = results_of(&scene, &options, &places);
        for (size_t i = 0; i < places.m; i++) {
            const double r = hypot(places.x[i] - 0.5, places.y[i] - 0.5);
            if (fabs(r - 0.3) > 2e-4)
                check_near(got.values[0][i], r < 0.3 ? 1 : 2, 1e-12, "value on this side");
        }
        results_free(&got);
    }
    lines_free(&ring);
    places_free(&places);
    scene_free(&scene);
}

/* Columns that miss values at other points, in one call and each alone. */
static void try_gaps(const struct suite *suite, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 800, 6, false, &chance);
    struct trial trial = {.scene = scene, .places = scene_places_inside(&scene, 200, &chance)};
    struct lines lines = draw_lines(&trial, 40, 0.1, &chance);
    const struct shepard_barriers barriers = barriers_of(&lines);
    scene_make_gaps(&scene, 0, &chance);
    for (size_t b = 0; b < suite->count; b++) {
        struct model_options options = options_for(suite->backends[b].backend);
        options.points.barriers = &barriers;
        options.parameters.neighbourhood = trial_hood(draw_hood(&chance), &scene);
        options.parameters.degree = (int)(seed & 1);
        check_case("seed %llu %s: gaps", (unsigned long long)seed, suite->backends[b].name);
        struct results all = results_of(&scene, &options, &trial.places);
        for (size_t c = 0; c < scene.columns; c++) {
            struct scene alone = scene;
            alone.columns = 1;
            alone.values[0] = scene.values[c];
            struct results one = results_of(&alone, &options, &trial.places);
            check(memcmp(one.values[0], all.values[c], trial.places.m * sizeof(double)) == 0,
                  "other bits of column %zu alone", c);
            results_free(&one);
        }
        results_free(&all);
    }
    lines_free(&lines);
    places_free(&trial.places);
    scene_free(&scene);
}

/* ---- kriging --------------------------------------------------------------------------------- */

static void try_kriging(const struct suite *suite, uint64_t seed)
{
    struct barrier_trial own = barrier_make(SCENE_UNIFORM, 80, 6, 0.4, seed);
    struct shepard_parameters *parameters = &own.trial.options.parameters;
    free(own.trial.scene.weights);
    own.trial.scene.weights = NULL;
    shepard_parameters_parse("krige:psill=1:range=1:nugget=.1:p=1", parameters, NULL, NULL);
    parameters->kriging.range = own.trial.scene.size / 3;
    struct results want = results_make(SAMPLES, own.trial.scene.columns);
    for (size_t i = 0; i < SAMPLES; i++)
        predict_from_rest(&own, i, true, &want);
    for (size_t b = 0; b < suite->count; b++) {
        struct results got = predict(&own, suite->backends[b].backend, &own.barriers);
        trial_case(&own.trial, suite->backends[b].name, seed);
        for (size_t i = 0; i < SAMPLES; i++) {
            check(got.count[i] == want.count[i], "%g points, not %g", got.count[i], want.count[i]);
            for (size_t c = 0; c < got.columns; c++)
                check_near(got.values[c][i], want.values[c][i],
                           1e-9 * scene_value_range(&own.trial.scene, c) +
                               scene_value_rounding(&own.trial.scene, c),
                           "value");
        }
        results_free(&got);
    }
    results_free(&want);
    barrier_free(&own);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void refuse(const struct shepard_backend_info *on)
{
    struct chance chance = {7};
    struct scene scene = scene_make(SCENE_UNIFORM, 9, 1, false, &chance);
    struct places places = scene_places_inside(&scene, 3, &chance);
    const struct shepard_coordinates coordinates = scene_coordinates(&scene);
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(&scene, columns);
    double x[] = {0, 1, 2}, y[] = {0, 1, 2};
    struct lines lines = {3, 3, x, y};
    struct shepard_barriers barriers = barriers_of(&lines);
    struct model_options options = options_for(on->backend);
    struct shepard_error error;
    options.points.barriers = &barriers;
    check_case("%s: wrong barriers", on->name);
    check_error(model_try(&coordinates, &values, &options, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "parameters.neighbourhood");
    options.parameters.neighbourhood.max_points = 3;
    check(model_try(&coordinates, &values, &options, &error) == SHEPARD_OK, "refused: %s",
          error.message);
    y[1] = NAN;
    check_error(model_try(&coordinates, &values, &options, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "barriers");
    y[1] = INFINITY;
    check_error(model_try(&coordinates, &values, &options, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "barriers");
    y[1] = 1e300;
    check_error(model_try(&coordinates, &values, &options, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "barriers");
    y[1] = 1;
    barriers.y.data = NULL;
    check_error(model_try(&coordinates, &values, &options, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "barriers.y");
    barriers = barriers_of(&lines);
    barriers.count = (size_t)SHEPARD_SEGMENTS_MAX + 1;
    check_error(model_try(&coordinates, &values, &options, &error), &error, SHEPARD_ERROR_SIZE,
                "barriers.count");
    places_free(&places);
    scene_free(&scene);
}

void suite_barriers(const struct suite *suite)
{
    for (size_t i = 0; i < 60; i++) {
        const uint64_t seed = suite->seed + 1000 * i;
        static const double reaches[] = {0.05, 0.2, 0.6};
        if (suite_takes(suite, seed))
            try_barriers(suite, (enum scene_kind)(i % SCENE_KINDS), 1 + seed / 7 % 90, 1 + i % 14,
                         reaches[i % 3], seed);
    }
    for (size_t i = 0; i < 5; i++) {
        const uint64_t seed = suite->seed + 7 * i;
        if (suite_takes(suite, seed))
            try_barriers(suite, (enum scene_kind)(i % SCENE_KINDS), 1500, 20 << i % 3, 0.05, seed);
        if (suite_takes(suite, ~seed)) {
            try_nearest(suite, (enum scene_kind)(i % SCENE_KINDS), 10 + 90 * i, seed);
            try_rearranged(suite, seed);
            try_without(suite, seed);
            try_gaps(suite, seed);
            try_kriging(suite, seed);
        }
    }
    try_ring(suite, suite->seed);
    for (size_t b = 0; b < suite->count; b++)
        refuse(&suite->backends[b]);
}
