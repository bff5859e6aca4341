/* SPDX-License-Identifier: MIT */
/* Data points left out of their own predictions, against data that the points have really been
 * taken from. */
#include "check.h"
#include "compare.h"
#include "slow.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES 8

/* ---- what is left ---------------------------------------------------------------------------- */

/* Which point is left out, and whether those at its place stay. */
static struct {
    size_t point;
    bool alone;
} left;

static bool is_usable(const struct scene *scene, size_t i)
{
    const double weight = scene->weights != NULL ? scene->weights[i] : 1;
    bool usable = isfinite(scene->x[i]) && isfinite(scene->y[i]) && isfinite(weight) && weight > 0;
    for (size_t c = 0; c < scene->columns; c++)
        usable = usable && isfinite(scene->values[c][i]);
    return usable;
}

static bool is_left(const struct scene *scene, size_t i)
{
    const size_t p = left.point;
    return i == p || (!left.alone && scene->x[i] == scene->x[p] && scene->y[i] == scene->y[p]);
}

static bool stays(const struct scene *scene, size_t i)
{
    return is_usable(scene, i) && !is_left(scene, i);
}

/* Points without a value too: they are in the data's box. */
static bool is_other(const struct scene *scene, size_t i)
{
    return !is_left(scene, i);
}

/* Some points lose their values, some their weights, some their places. */
static void spoil(struct scene *scene, struct chance *chance)
{
    for (size_t i = 0; i < scene->n; i++) {
        const size_t kind = chance_below(chance, 24);
        for (size_t c = 0; c < scene->columns && kind < 2; c++)
            scene->values[c][i] = NAN;
        if (kind == 2 && scene->weights != NULL)
            scene->weights[i] = 0;
        if (kind == 3)
            scene->x[i] = NAN;
        if (kind == 4)
            scene->y[i] = INFINITY;
    }
}

/* Some points move to the places of others. */
static void repeat_places(struct scene *scene, struct chance *chance)
{
    for (size_t i = 0; i < scene->n; i++)
        if (chance_below(chance, 5) == 0) {
            const size_t other = chance_below(chance, scene->n);
            scene->x[i] = scene->x[other];
            scene->y[i] = scene->y[other];
        }
}

/* ---- trials ---------------------------------------------------------------------------------- */

struct loo_trial {
    struct trial trial;
    struct scene usable; /* points in use */
    bool alone;
    double area; /* of AIDW, for all points */
};

/* What AIDW expects of all points is asked for with fewer: their share of the area. */
static void settle_area(struct loo_trial *loo)
{
    const struct scene *scene = &loo->trial.scene;
    struct shepard_parameters *parameters = &loo->trial.options.parameters;
    if (scene->kind == SCENE_TINY || scene->kind == SCENE_HUGE)
        parameters->method = SHEPARD_METHOD_IDW;
    if (parameters->method == SHEPARD_METHOD_IDW)
        return;
    /* What is expected of the mean of k, where there are not as many, is that of all points. */
    if (parameters->adaptive.expect != SHEPARD_EXPECT_NN &&
        parameters->adaptive.k > loo->usable.n / 2)
        parameters->adaptive.k = 1 + loo->usable.n / 4;
    loo->area = parameters->adaptive.area = 0.9 * scene->size * scene->size;
}

static struct loo_trial loo_make(enum scene_kind kind, int hood, size_t n, uint64_t seed)
{
    struct chance chance = {seed};
    struct loo_trial loo = {
        .trial = trial_make(kind, hood, (int)(seed % TRIAL_POWERS), n, SAMPLES, &chance)};
    struct scene *scene = &loo.trial.scene;
    if (chance_below(&chance, 2))
        repeat_places(scene, &chance);
    if (n > 9 && chance_below(&chance, 2))
        spoil(scene, &chance);
    loo.alone = chance_below(&chance, 3) == 0;
    loo.usable = scene_subset(scene, is_usable, NULL);
    settle_area(&loo);
    return loo;
}

static void loo_free(struct loo_trial *loo)
{
    scene_free(&loo->usable);
    trial_free(&loo->trial);
}

static struct shepard_targets targets_of(const struct loo_trial *loo, const uint32_t *indices,
                                         size_t count)
{
    return (struct shepard_targets){.size = sizeof(struct shepard_targets),
                                    .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT,
                                    .count = count,
                                    .indices = indices,
                                    .keep_coincident = loo->alone};
}

static struct results leave_out(const struct loo_trial *loo, const struct model_options *options,
                                const uint32_t *indices, size_t count)
{
    const struct scene *scene = &loo->trial.scene;
    struct model *model = model_make(scene, options);
    struct results results = results_make(indices != NULL ? count : scene->n, scene->columns);
    const struct shepard_targets targets = targets_of(loo, indices, count);
    const struct shepard_output output = results_output(&results);
    struct shepard_error error = {0};
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "no prediction: %s",
          error.message);
    model_free(model);
    return results;
}

static void copy_target(struct results *to, size_t i, const struct results *from, size_t j)
{
    for (int a = 0; a < RESULT_SINGLES; a++)
        to->single[a][i] = from->single[a][j];
    for (size_t c = 0; c < to->columns; c++) {
        to->values[c][i] = from->values[c][j];
        to->deviations[c][i] = from->deviations[c][j];
    }
}

static struct results select_targets(const struct results *from, const uint32_t *indices,
                                     size_t count)
{
    struct results results = results_make(count, from->columns);
    for (size_t i = 0; i < count; i++)
        copy_target(&results, i, from, indices[i]);
    return results;
}

/* ---- reference ------------------------------------------------------------------------------- */

static struct results nothing(const struct loo_trial *loo)
{
    struct results results = results_make(1, loo->trial.scene.columns);
    const size_t total = results_per_target(results.columns);
    for (size_t i = 0; i < total; i++)
        results.block[i] = loo->trial.options.parameters.nodata;
    results.count[0] = 0;
    return results;
}

/* A trial at point p of the data that p leaves; by the equations, or by a backend. */
static struct results predict_from_rest(const struct loo_trial *loo, size_t p,
                                        const struct shepard_backend_info *on)
{
    const struct scene *scene = &loo->trial.scene;
    left.point = p;
    left.alone = loo->alone;
    struct trial rest = loo->trial;
    rest.scene = scene_subset(scene, on == NULL ? stays : is_other, NULL);
    rest.places = (struct places){1, &scene->x[p], &scene->y[p]};
    rest.options.parameters.adaptive.area =
        loo->area * (double)rest.scene.n / (double)loo->usable.n;
    struct results results;
    if (rest.scene.n == 0 || !isfinite(scene->x[p]) || !isfinite(scene->y[p])) {
        results = nothing(loo);
    } else if (on == NULL) {
        results = compare_slow(&rest);
    } else {
        rest.options.points.backend = on->backend;
        results = results_of(&rest.scene, &rest.options, &rest.places);
    }
    scene_free(&rest.scene);
    return results;
}

static struct results predict_from_rests(const struct loo_trial *loo, const uint32_t *samples,
                                         const struct shepard_backend_info *on)
{
    struct results all = results_make(SAMPLES, loo->trial.scene.columns);
    for (size_t i = 0; i < SAMPLES; i++) {
        struct results one = predict_from_rest(loo, samples[i], on);
        copy_target(&all, i, &one, 0);
        results_free(&one);
    }
    return all;
}

/* Whether a is between the least and the largest of the others. */
static bool is_between(const double *numbers, size_t n, double a)
{
    bool less = false, more = false;
    for (size_t i = 0; i < n; i++) {
        less = less || numbers[i] < a;
        more = more || numbers[i] > a;
    }
    return less && more;
}

/* Whether the frame, the values' unit and that of the weights are the same without point p and
 * those at its place. */
static bool leaves_units(const struct loo_trial *loo, size_t p)
{
    const struct scene *scene = &loo->trial.scene, *usable = &loo->usable;
    left.point = p;
    left.alone = loo->alone;
    bool same = isfinite(scene->x[p]) && isfinite(scene->y[p]);
    for (size_t i = 0; i < scene->n && same; i++) {
        if (!is_left(scene, i) || !is_usable(scene, i))
            continue;
        same =
            is_between(usable->x, usable->n, scene->x[i]) &&
            is_between(usable->y, usable->n, scene->y[i]) &&
            (scene->weights == NULL || is_between(usable->weights, usable->n, scene->weights[i]));
        for (size_t c = 0; c < scene->columns; c++)
            same = same && is_between(usable->values[c], usable->n, scene->values[c][i]);
    }
    return same;
}

/* Lists of neighbours stand in an order that the data decide; those of all points within a radius
 * in the order of a tree, which a point less may change. */
static bool is_list(const struct trial *trial)
{
    const struct shepard_neighbourhood *hood = &trial->options.parameters.neighbourhood;
    return trial->options.parameters.method == SHEPARD_METHOD_IDW &&
           (hood->max_points > 0 || hood->max_points_per_sector > 0);
}

static void check_bits(const struct loo_trial *loo, const uint32_t *samples,
                       const struct results *got, const struct shepard_backend_info *on)
{
    for (size_t i = 0; i < SAMPLES && is_list(&loo->trial); i++) {
        if (!leaves_units(loo, samples[i]))
            continue;
        struct results want = predict_from_rest(loo, samples[i], on);
        struct results one = select_targets(got, (const uint32_t[]){(uint32_t)i}, 1);
        check(results_equal(&one, &want), "point %u: other bits than without it in the data",
              samples[i]);
        results_free(&one);
        results_free(&want);
    }
}

static void try_leave_one_out(const struct suite *suite, const struct loo_trial *loo, uint64_t seed)
{
    struct chance chance = {seed + 1};
    uint32_t samples[SAMPLES];
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = (uint32_t)chance_below(&chance, loo->trial.scene.n);
    struct trial whole = loo->trial;
    whole.scene = loo->usable;
    whole.places.m = SAMPLES;
    struct results slow = predict_from_rests(loo, samples, NULL);
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        struct model_options options = loo->trial.options;
        options.points.backend = on->backend;
        trial_case(&loo->trial, on->name, seed);
        struct results all = leave_out(loo, &options, NULL, 0);
        struct results got = select_targets(&all, samples, SAMPLES);
        compare_results(&whole, &got, &slow);
        check_bits(loo, samples, &got, on);
        struct results some = leave_out(loo, &options, samples, SAMPLES);
        check(results_equal(&some, &got), "a list of points has other bits than all points");
        results_free(&some);
        results_free(&got);
        results_free(&all);
    }
    results_free(&slow);
}

/* ---- large ----------------------------------------------------------------------------------- */

/* Values alone too: single precision has sums of its own for them. */
static void check_values(const struct loo_trial *loo, const struct model_options *options,
                         const uint32_t *samples, const struct results *got,
                         const struct results *want)
{
    struct model *model = model_make(&loo->trial.scene, options);
    const struct shepard_targets targets = targets_of(loo, samples, got->m);
    const struct shepard_output output = {.size = sizeof output, .values = got->to_values};
    struct trial trial = loo->trial;
    trial.scene = loo->usable;
    check(model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK, "values");
    compare_results(&trial, got, want);
    model_free(model);
}

/* Deep trees: against ref, which shares no sums with others. */
static void try_large(const struct suite *suite, enum scene_kind kind, int hood, double eps,
                      uint64_t seed)
{
    enum { COUNT = 64 };
    struct loo_trial loo = loo_make(kind, hood, 5000, seed);
    struct chance chance = {seed + 1};
    uint32_t samples[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        samples[i] = (uint32_t)chance_below(&chance, loo.trial.scene.n);
    struct trial *trial = &loo.trial;
    trial->places.m = COUNT;
    trial->options.parameters.eps = eps;
    if (trial->options.parameters.degree == 1)
        trial->options.parameters.ridge = 0.05;
    struct model_options options = trial->options;
    options.points.backend = SHEPARD_BACKEND_REF;
    struct results want = leave_out(&loo, &options, samples, COUNT);
    struct trial whole = *trial;
    whole.scene = loo.usable;
    for (size_t b = 0; b < suite->count; b++) {
        options.points.backend = suite->backends[b].backend;
        trial_case(trial, suite->backends[b].name, seed);
        if (options.points.backend == SHEPARD_BACKEND_REF)
            continue;
        struct results all = leave_out(&loo, &options, NULL, 0);
        struct results got = select_targets(&all, samples, COUNT);
        compare_results(&whole, &got, &want);
        check_values(&loo, &options, samples, &got, &want);
        results_free(&got);
        results_free(&all);
    }
    results_free(&want);
    trial->places.m = SAMPLES;
    loo_free(&loo);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Columns with gaps of their own: each as if it were alone, also at points that it has no value at.
 */
static void try_columns(const struct suite *suite, int hood, uint64_t seed)
{
    struct loo_trial loo = loo_make(SCENE_UNIFORM, hood, 300, seed);
    struct scene *scene = &loo.trial.scene;
    struct chance chance = {seed};
    scene_make_gaps(scene, 0, &chance);
    for (size_t b = 0; b < suite->count; b++) {
        struct model_options options = loo.trial.options;
        options.points.backend = suite->backends[b].backend;
        trial_case(&loo.trial, suite->backends[b].name, seed);
        struct results all = leave_out(&loo, &options, NULL, 0);
        for (size_t c = 0; c < all.columns; c++) {
            struct loo_trial one = loo;
            one.trial.scene.columns = 1;
            one.trial.scene.values[0] = scene->values[c];
            struct results alone = leave_out(&one, &options, NULL, 0);
            check(memcmp(all.values[c], alone.values[0], all.m * sizeof(double)) == 0,
                  "column %zu has other bits alone", c);
            results_free(&alone);
        }
        results_free(&all);
    }
    loo_free(&loo);
}

/* ---- nearest points -------------------------------------------------------------------------- */

static void check_row(const struct loo_trial *loo, size_t p, size_t k, const uint32_t *got,
                      const double *distances)
{
    const struct scene *scene = &loo->trial.scene;
    uint32_t *index = scene_memory(scene->n, sizeof *index), *want = scene_memory(k, sizeof *want);
    left.point = p;
    left.alone = loo->alone;
    struct scene rest = scene_subset(scene, stays, index);
    const size_t found =
        isfinite(scene->x[p]) ? slow_nearest(&rest, NULL, k, scene->x[p], scene->y[p], want) : 0;
    for (size_t j = 0; j < k; j++)
        check(j < found ? got[j] == index[want[j]] &&
                              fabs(distances[j] - hypot(scene->x[got[j]] - scene->x[p],
                                                        scene->y[got[j]] - scene->y[p])) <=
                                  1e-14 * scene->size
                        : got[j] == SHEPARD_NO_POINT && isnan(distances[j]),
              "neighbour %zu of point %zu is %u at %g, %zu found", j, p, got[j], distances[j],
              found);
    scene_free(&rest);
    free(want);
    free(index);
}

static void try_nearest(const struct suite *suite, enum scene_kind kind, size_t k, uint64_t seed)
{
    struct loo_trial loo = loo_make(kind, 1, 200, seed);
    struct scene *scene = &loo.trial.scene;
    for (size_t i = 0; i < scene->n; i++) {
        /* Points without a value are points. */
        for (size_t c = 0; c < scene->columns; c++)
            scene->values[c][i] = 1;
        if (scene->weights != NULL)
            scene->weights[i] = 1;
        if (isnan(scene->x[i]) || isinf(scene->y[i]))
            scene->x[i] = scene->y[i] = NAN;
    }
    for (size_t b = 0; b < suite->count; b++) {
        struct model_options options = options_for(suite->backends[b].backend);
        struct shepard_points *points = points_make(scene, &options.points);
        uint32_t *indices = scene_memory(scene->n * k, sizeof *indices);
        double *distances = scene_memory(scene->n * k, sizeof *distances);
        const struct shepard_targets targets = targets_of(&loo, NULL, 0);
        check_case("seed %llu %s: %s k %zu%s", (unsigned long long)seed, suite->backends[b].name,
                   scene_name(kind), k, loo.alone ? " alone" : "");
        const struct shepard_nearest_output found = nearest_output(indices, distances);
        check(shepard_nearest(points, &targets, k, &found, NULL, NULL) == SHEPARD_OK, "no search");
        for (size_t p = 0; p < scene->n; p += 3)
            check_row(&loo, p, k, indices + p * k, distances + p * k);
        free(distances);
        free(indices);
        shepard_points_free(points);
    }
    loo_free(&loo);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void wrong_index(const struct shepard_backend_info *on)
{
    struct chance chance = {1};
    struct scene scene = scene_make(SCENE_UNIFORM, 9, 1, false, &chance);
    const struct model_options options = options_for(on->backend);
    struct model *model = model_make(&scene, &options);
    struct results results = results_make(2, 1);
    const struct shepard_output output = results_output(&results);
    const uint32_t indices[] = {8, 9};
    struct shepard_targets targets = {.size = sizeof targets,
                                      .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT,
                                      .count = 2,
                                      .indices = indices};
    struct shepard_error error = {0};
    check_case("%s: an index past the last", on->name);
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_ERROR_ARGUMENT &&
              strcmp(error.argument, "targets.indices") == 0,
          "status %d for \"%s\": %s", error.status, error.argument, error.message);
    targets.count = 1;
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "%s", error.message);
    results_free(&results);
    model_free(model);
    scene_free(&scene);
}

/* ---- notices --------------------------------------------------------------------------------- */

static void count_notice(const char *notice, void *user)
{
    (void)notice;
    ++*(size_t *)user;
}

/* A backend computes itself what it does not refuse at other targets either; a GPU leaves smoothed
 * sums over all points to the CPU where coincident ones stay, or within a tolerance. */
static void try_notices(const struct suite *suite, int hood, uint64_t seed)
{
    struct loo_trial loo = loo_make(SCENE_UNIFORM, hood, 90, seed);
    const struct shepard_parameters *parameters = &loo.trial.options.parameters;
    const bool smoothed =
        hood == 0 && parameters->smoothing > 0 && (loo.alone || parameters->eps > 0);
    for (size_t b = 0; b < suite->count; b++) {
        size_t notices[] = {0, 0};
        struct model_options options = loo.trial.options;
        options.points.backend = suite->backends[b].backend;
        trial_case(&loo.trial, suite->backends[b].name, seed);
        struct model *model = model_make(&loo.trial.scene, &options);
        struct results results = results_make(SAMPLES, loo.trial.scene.columns);
        const struct shepard_output output = results_output(&results);
        const uint32_t samples[SAMPLES] = {0};
        const struct shepard_targets targets[] = {{.size = sizeof targets[0],
                                                   .count = SAMPLES,
                                                   .x = shepard_doubles(loo.trial.places.x),
                                                   .y = shepard_doubles(loo.trial.places.y)},
                                                  targets_of(&loo, samples, SAMPLES)};
        for (int i = 0; i < 2; i++) {
            const struct shepard_control control = {
                .size = sizeof control, .notice = count_notice, .user = &notices[i]};
            check(model_predict(model, &targets[i], &output, &control, NULL) == SHEPARD_OK,
                  "no prediction");
        }
        check(notices[1] == notices[0] ||
                  (smoothed && options.points.backend == SHEPARD_BACKEND_CUDA),
              "%zu notices, %zu at other targets", notices[1], notices[0]);
        results_free(&results);
        model_free(model);
    }
    loo_free(&loo);
}

void suite_leave_one_out(const struct suite *suite)
{
    static const size_t sizes[] = {1, 2, 5, 40, 90, 200}, ks[] = {1, 7, 30, 300};
    uint64_t seed = suite->seed + 18000000;
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int hood = 0; hood < 2 * TRIAL_HOODS; hood++, seed++) {
            if (!suite_takes(suite, seed))
                continue;
            struct loo_trial loo = loo_make((enum scene_kind)kind, hood < TRIAL_HOODS ? hood : 0,
                                            sizes[seed % 6], seed);
            try_leave_one_out(suite, &loo, seed);
            loo_free(&loo);
        }
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (int i = kind % 2; i < 6; i += 2, seed++)
            if (suite_takes(suite, seed))
                try_large(suite, (enum scene_kind)kind, i < 5 ? 0 : (int)(seed % TRIAL_HOODS),
                          i % 3 == 0 ? 0 : 1e-4, seed);
    for (int hood = 0; hood < TRIAL_HOODS; hood++, seed++)
        if (suite_takes(suite, seed))
            try_columns(suite, hood, seed);
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (size_t i = 0; i < 4; i++, seed++)
            try_nearest(suite, (enum scene_kind)kind, ks[i], seed);
    for (int hood = 0; hood < 8; hood++, seed++)
        try_notices(suite, hood % 4, seed);
    for (size_t b = 0; b < suite->count; b++)
        wrong_index(&suite->backends[b]);
}
