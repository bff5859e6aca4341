/* SPDX-License-Identifier: MIT */
/* Targets with stars, against data that the points which a star covers have really been taken
 * from. */
#include "check.h"
#include "compare.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES 8
#define OCTANTS 8

/* ---- what is left ---------------------------------------------------------------------------- */

/* The target that the next subset is for. */
static struct {
    double x, y;
    const double *radii;
    size_t point; /* left out, too; SIZE_MAX: none */
    bool alone;   /* others at its place stay */
} left;

static size_t octant_of(double dx, double dy)
{
    if (fabs(dx) > fabs(dy))
        return dx >= 0 ? (dy >= 0 ? 7 : 5) : (dy >= 0 ? 6 : 4);
    return dx >= 0 ? (dy >= 0 ? 3 : 1) : (dy >= 0 ? 2 : 0);
}

static bool stays(const struct scene *scene, size_t i)
{
    const double dx = scene->x[i] - left.x, dy = scene->y[i] - left.y;
    const bool here =
        left.point != SIZE_MAX && (i == left.point || (!left.alone && dx == 0 && dy == 0));
    return !here && hypot(dx, dy) >= left.radii[octant_of(dx, dy)];
}

/* ---- trials ---------------------------------------------------------------------------------- */

struct star_trial {
    struct trial trial; /* its places are the targets */
    bool data;          /* targets are data points */
    bool alone;
    uint32_t points[SAMPLES];
    double radii[SAMPLES * OCTANTS];
    double area; /* of AIDW, for all points */
};

/* Some octants are open, some closed; some stars cover all data, some none. */
static void draw_radii(struct star_trial *star, struct chance *chance)
{
    const double size = star->trial.scene.size;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double wide = size * pow(10, chance_range(chance, -2.5, 0.3));
        const size_t kind = chance_below(chance, 12);
        for (size_t o = 0; o < OCTANTS; o++) {
            const size_t own = chance_below(chance, 8);
            double radius = wide * chance_range(chance, 0.3, 1);
            radius = own == 0 ? 0 : own == 1 ? INFINITY : radius;
            star->radii[OCTANTS * i + o] = kind == 0 ? 0 : kind == 1 ? INFINITY : radius;
        }
    }
}

/* As without stars, AIDW expects what all points in their area make it expect. */
static void settle_area(struct star_trial *star)
{
    const struct scene *scene = &star->trial.scene;
    struct shepard_parameters *parameters = &star->trial.options.parameters;
    if (scene->kind == SCENE_TINY || scene->kind == SCENE_HUGE)
        parameters->method = SHEPARD_METHOD_IDW;
    parameters->adaptive.expect = SHEPARD_EXPECT_NN;
    if (parameters->method == SHEPARD_METHOD_AIDW)
        star->area = parameters->adaptive.area = 0.9 * scene->size * scene->size;
}

static void draw_targets(struct star_trial *star, struct chance *chance)
{
    struct trial *trial = &star->trial;
    const struct scene *scene = &trial->scene;
    places_free(&trial->places);
    trial->places = scene_places_inside(scene, SAMPLES, chance);
    /* One place, two stars. */
    trial->places.x[1] = trial->places.x[0];
    trial->places.y[1] = trial->places.y[0];
    if (!star->data)
        return;
    /* Turned axes would round the boundaries of octants, which points of these data lie on. */
    if (scene->kind == SCENE_LATTICE || scene->kind == SCENE_DUPLICATES ||
        scene->kind == SCENE_COLLINEAR || scene->kind == SCENE_STRIPS)
        trial->options.points.anisotropy_ratio = 1;
    for (size_t i = 0; i < SAMPLES; i++) {
        star->points[i] = i == 1 ? star->points[0] : (uint32_t)chance_below(chance, scene->n);
        trial->places.x[i] = scene->x[star->points[i]];
        trial->places.y[i] = scene->y[star->points[i]];
    }
}

static struct star_trial star_make(enum scene_kind kind, int hood, size_t n, uint64_t seed)
{
    struct chance chance = {seed};
    struct star_trial star = {
        .trial = trial_make(kind, hood, (int)(seed % TRIAL_POWERS), n, SAMPLES, &chance)};
    star.data = chance_below(&chance, 2);
    star.alone = chance_below(&chance, 3) == 0;
    draw_targets(&star, &chance);
    draw_radii(&star, &chance);
    settle_area(&star);
    return star;
}

static struct shepard_targets targets_of(const struct star_trial *star)
{
    struct shepard_targets targets = places_targets(&star->trial.places);
    targets.star_radii = star->radii;
    if (star->data) {
        targets.kind = SHEPARD_TARGETS_LEAVE_ONE_OUT;
        targets.indices = star->points;
        targets.keep_coincident = star->alone;
    }
    return targets;
}

static struct results predict(const struct star_trial *star, const struct model_options *options)
{
    const struct scene *scene = &star->trial.scene;
    struct model *model = model_make(scene, options);
    struct results results = results_make(SAMPLES, scene->columns);
    const struct shepard_targets targets = targets_of(star);
    const struct shepard_output output = results_output(&results);
    struct shepard_error error = {0};
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "no prediction: %s",
          error.message);
    model_free(model);
    return results;
}

/* ---- reference ------------------------------------------------------------------------------- */

static void put_nothing(const struct star_trial *star, struct results *all, size_t i)
{
    const double nodata = star->trial.options.parameters.nodata;
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

/* Target i from the data that its star leaves: by the equations, or by a backend. */
static void predict_from_rest(const struct star_trial *star, size_t i,
                              const struct shepard_backend_info *on, struct results *all)
{
    const struct places *places = &star->trial.places;
    left.x = places->x[i];
    left.y = places->y[i];
    left.radii = star->radii + OCTANTS * i;
    left.point = star->data ? star->points[i] : SIZE_MAX;
    left.alone = star->alone;
    struct trial rest = star->trial;
    rest.scene = scene_subset(&star->trial.scene, stays, NULL);
    rest.places = (struct places){1, &places->x[i], &places->y[i]};
    rest.options.parameters.adaptive.area =
        star->area * (double)rest.scene.n / (double)star->trial.scene.n;
    if (rest.scene.n == 0) {
        put_nothing(star, all, i);
    } else {
        if (on != NULL)
            rest.options.points.backend = on->backend;
        struct results one =
            on == NULL ? compare_slow(&rest) : results_of(&rest.scene, &rest.options, &rest.places);
        copy_target(all, i, &one);
        results_free(&one);
    }
    scene_free(&rest.scene);
}

static struct results predict_from_rests(const struct star_trial *star,
                                         const struct shepard_backend_info *on)
{
    struct results all = results_make(SAMPLES, star->trial.scene.columns);
    for (size_t i = 0; i < SAMPLES; i++)
        predict_from_rest(star, i, on, &all);
    return all;
}

static void try_stars(const struct suite *suite, const struct star_trial *star, uint64_t seed)
{
    struct results slow = predict_from_rests(star, NULL);
    for (size_t b = 0; b < suite->count; b++) {
        struct model_options options = star->trial.options;
        options.points.backend = suite->backends[b].backend;
        trial_case(&star->trial, suite->backends[b].name, seed);
        struct results got = predict(star, &options);
        compare_results(&star->trial, &got, &slow);
        results_free(&got);
    }
    results_free(&slow);
}

/* Deep trees: against ref from the rest of the data. */
static void try_large(const struct suite *suite, enum scene_kind kind, int hood, double eps,
                      uint64_t seed)
{
    struct star_trial star = star_make(kind, hood, 5000, seed);
    struct shepard_parameters *parameters = &star.trial.options.parameters;
    parameters->eps = eps;
    if (parameters->degree == 1)
        parameters->ridge = 0.05;
    struct results want = predict_from_rests(&star, &suite->backends[0]);
    for (size_t b = 0; b < suite->count; b++) {
        struct model_options options = star.trial.options;
        options.points.backend = suite->backends[b].backend;
        trial_case(&star.trial, suite->backends[b].name, seed);
        struct results got = predict(&star, &options);
        compare_results(&star.trial, &got, &want);
        results_free(&got);
    }
    results_free(&want);
    trial_free(&star.trial);
}

/* ---- kriging --------------------------------------------------------------------------------- */

/* Kriging has no deviations. */
static void compare_kriging(const struct star_trial *star, const struct results *got,
                            const struct results *want)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        check(got->count[i] == want->count[i], "%g points, not %g", got->count[i], want->count[i]);
        for (size_t c = 0; c < got->columns; c++)
            check_near(got->values[c][i], want->values[c][i],
                       1e-9 * scene_value_range(&star->trial.scene, c) +
                           scene_value_rounding(&star->trial.scene, c),
                       "value");
    }
}

/* From a neighbourhood and from all points, with ref from the rest of the data. */
static void try_kriging(const struct suite *suite, bool all_points, uint64_t seed)
{
    struct star_trial star = star_make(SCENE_UNIFORM, 0, 60, seed);
    struct shepard_parameters *parameters = &star.trial.options.parameters;
    parameters->nodata = NAN;
    free(star.trial.scene.weights);
    star.trial.scene.weights = NULL;
    shepard_parameters_parse(all_points ? "krige:psill=1:range=1:nugget=.1:p=1:k=0:sectors=1"
                                        : "krige:psill=1:range=1:nugget=.1:p=1",
                             parameters, NULL, NULL);
    parameters->kriging.range = star.trial.scene.size / 3;
    struct results want = predict_from_rests(&star, &suite->backends[0]);
    for (size_t b = 0; b < suite->count; b++) {
        struct model_options options = star.trial.options;
        options.points.backend = suite->backends[b].backend;
        trial_case(&star.trial, suite->backends[b].name, seed);
        struct results got = predict(&star, &options);
        compare_kriging(&star, &got, &want);
        results_free(&got);
    }
    results_free(&want);
    trial_free(&star.trial);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void refuse(const struct shepard_backend_info *on)
{
    struct chance chance = {1};
    struct scene scene = scene_make(SCENE_UNIFORM, 9, 1, false, &chance);
    const struct model_options options = options_for(on->backend);
    struct model *model = model_make(&scene, &options);
    struct results results = results_make(1, 1);
    const struct shepard_output output = results_output(&results);
    double radii[OCTANTS] = {0, 1, INFINITY, 0, 0, 0, 0, NAN}, distance;
    uint32_t index;
    const struct shepard_raster raster = {0, 0, 1, 1, 1, 1};
    struct shepard_targets targets = {.size = sizeof targets,
                                      .count = 1,
                                      .x = shepard_doubles(scene.x),
                                      .y = shepard_doubles(scene.y),
                                      .raster = raster,
                                      .star_radii = radii};
    struct shepard_error error = {0};
    check_case("%s: wrong stars", on->name);
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_ERROR_ARGUMENT &&
              strcmp(error.argument, "targets.star_radii") == 0 &&
              strstr(error.message, "[7] is nan") != NULL,
          "\"%s\": %s", error.argument, error.message);
    radii[7] = 0;
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "%s", error.message);
    check(model_nearest(model, &targets, 1, &index, &distance, NULL, &error) ==
                  SHEPARD_ERROR_ARGUMENT &&
              strcmp(error.argument, "targets.star_radii") == 0,
          "nearest: \"%s\": %s", error.argument, error.message);
    targets.kind = SHEPARD_TARGETS_RASTER;
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_ERROR_ARGUMENT &&
              strcmp(error.argument, "targets.star_radii") == 0,
          "raster: \"%s\": %s", error.argument, error.message);
    results_free(&results);
    model_free(model);
    scene_free(&scene);
}

void suite_stars(const struct suite *suite)
{
    static const size_t sizes[] = {1, 2, 5, 40, 90, 200};
    uint64_t seed = suite->seed + 26000000;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int hood = 0; hood < 2 * TRIAL_HOODS; hood++, seed++) {
            if (!suite_takes(suite, seed))
                continue;
            struct star_trial star = star_make((enum scene_kind)kind, hood < TRIAL_HOODS ? hood : 0,
                                               sizes[seed % 6], seed);
            try_stars(suite, &star, seed);
            trial_free(&star.trial);
        }
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int i = 0; i < 5; i++, seed++)
            if (suite_takes(suite, seed))
                try_large(suite, (enum scene_kind)kind, i < 3 ? 0 : (int)(seed % TRIAL_HOODS),
                          i % 3 == 0 ? 0 : 1e-4, seed);
    for (int i = 0; i < 20; i++, seed++)
        try_kriging(suite, i % 2 == 0, seed);
    for (size_t b = 0; b < suite->count; b++)
        refuse(&suite->backends[b]);
}
