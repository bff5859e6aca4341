/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "suite.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* A number of any size, either sign, now and then 0. */
static double any_size(struct chance *chance, int exponent_max)
{
    const double exponent = chance_range(chance, -exponent_max, exponent_max);
    const double a = pow(10, exponent) * chance_range(chance, 1, 9);
    const size_t sign = chance_below(chance, 9);
    return sign == 0 ? 0 : sign < 5 ? a : -a;
}

/* Everything finite, and values within the data's range. */
static void check_sane(const struct scene *scene, const struct results *got,
                       const struct model_options *options)
{
    const double slack = 1e-6 + 4 * options->parameters.eps;
    double low = INFINITY, high = -INFINITY;
    for (size_t j = 0; j < scene->n; j++) {
        low = fmin(low, scene->values[0][j]);
        high = fmax(high, scene->values[0][j]);
    }
    for (size_t i = 0; i < got->m; i++) {
        const double z = got->values[0][i];
        check(isfinite(z) && (options->parameters.degree == 1 || (z >= low && z <= high)),
              "value %g of place %zu is not within %g to %g", z, i, low, high);
        check(isfinite(got->deviations[0][i]) && got->deviations[0][i] >= 0, "deviation %g",
              got->deviations[0][i]);
        check(got->effective[i] >= 1 - slack && got->effective[i] <= got->count[i] * (1 + slack),
              "effective %g of %g points", got->effective[i], got->count[i]);
        check(got->nearest[i] >= 0 && isfinite(got->nearest[i]), "nearest %g", got->nearest[i]);
        check(got->power[i] > 0 && got->power[i] <= 100, "power %g", got->power[i]);
    }
}

/* Whether the lengths are refused as too far apart (conformance group spans): ref does as well. */
static bool refused(const struct scene *scene, const struct model_options *options)
{
    const struct shepard_coordinates coordinates = scene_coordinates(scene);
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(scene, columns);
    struct model_options by_ref = *options;
    struct shepard_error errors[2] = {{.message = ""}, {.message = ""}};
    by_ref.points.backend = SHEPARD_BACKEND_REF;
    const enum shepard_status status = model_try(&coordinates, &values, options, &errors[0]);
    const enum shepard_status want = model_try(&coordinates, &values, &by_ref, &errors[1]);
    check(status == want && strcmp(errors[0].message, errors[1].message) == 0,
          "status %d, \"%s\", but ref's %d, \"%s\"", status, errors[0].message, want,
          errors[1].message);
    return status == SHEPARD_ERROR_ARGUMENT && strstr(errors[0].message, "too small") != NULL;
}

static void check_sane_results(const struct scene *scene, const struct model_options *options,
                               const struct places *places)
{
    if (refused(scene, options))
        return;
    struct results got = results_of(scene, options, places);
    check_sane(scene, &got, options);
    results_free(&got);
}

static struct model_options limit_options(const struct shepard_backend_info *on,
                                          struct chance *chance)
{
    static const double powers[] = {DBL_MIN, 1e-9, 0.01, 1, 2, 3.7, 20, 99.9, 100};
    static const double eps[] = {0, 0, 1e-5, 1e-2};
    struct model_options options = options_for(on->backend);
    options.parameters.power = powers[chance_below(chance, 9)];
    options.parameters.precision =
        chance_below(chance, 2) ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
    options.parameters.degree = (int)chance_below(chance, 2);
    options.parameters.neighbourhood.max_points = chance_below(chance, 2) ? 0 : 4;
    options.parameters.ridge = chance_below(chance, 2) ? 0 : 1e-3;
    options.parameters.eps = eps[chance_below(chance, 4)];
    return options;
}

/* In half of the cases any that is allowed. */
static void set_anisotropy(struct model_options *options, struct chance *chance)
{
    static const double exponents[] = {-6, -6, 6, 6, 0.3};
    struct chance own = {chance->state ^ 0x616e69736f74726fu};
    options->points.anisotropy_angle = chance_range(&own, -400, 400);
    if (chance_below(&own, 2))
        options->points.anisotropy_ratio = pow(10, exponents[chance_below(&own, 5)]);
}

/* Coordinates between 10^-e and 10^e in one data set; weights too where weight_exponent is not 0.
 */
static void wild_numbers(const struct shepard_backend_info *on, int exponent, int weight_exponent,
                         struct chance *chance)
{
    struct model_options options = limit_options(on, chance);
    struct scene scene = scene_make(SCENE_UNIFORM, 40, 1, weight_exponent > 0, chance);
    struct places places = scene_places_inside(&scene, 60, chance);
    for (size_t i = 0; i < scene.n; i++) {
        scene.x[i] = any_size(chance, exponent);
        scene.y[i] = any_size(chance, exponent);
        if (scene.weights != NULL)
            scene.weights[i] = pow(10, chance_range(chance, -weight_exponent, weight_exponent));
    }
    for (size_t i = 0; i < places.m; i++) {
        const size_t j = chance_below(chance, scene.n);
        places.x[i] = i % 3 == 0 ? scene.x[j] : any_size(chance, exponent);
        places.y[i] = i % 3 == 0 ? scene.y[j] : any_size(chance, exponent);
    }
    if (chance_below(chance, 3) == 0)
        options.parameters.smoothing = fabs(any_size(chance, exponent));
    set_anisotropy(&options, chance);
    /* No double holds such a length times a million. */
    if (exponent > 300)
        options.points.anisotropy_ratio = fmax(1, options.points.anisotropy_ratio);
    check_sane_results(&scene, &options, &places);
    places_free(&places);
    scene_free(&scene);
}

/* Many points with tiny weights near the target, one with large weights far away: floats
 * hold neither the tiny weights nor their product with the far ones. */
static void wide_weights(const struct shepard_backend_info *on, struct chance *chance)
{
    struct model_options options = options_for(on->backend);
    struct scene scene = scene_make(SCENE_UNIFORM, 128, 1, true, chance);
    const double tiny = pow(10, chance_range(chance, -60, -40));
    options.parameters.power = 8;
    options.parameters.precision = SHEPARD_PRECISION_SINGLE;
    for (size_t i = 0; i < scene.n; i++) {
        scene.x[i] = (i < 64 ? 0 : 1) + 1e-12 * chance_unit(chance);
        scene.y[i] = 1e-12 * chance_unit(chance);
        scene.weights[i] = i < 64 ? tiny : 1;
    }
    struct places places = scene_places_inside(&scene, 8, chance);
    for (size_t i = 0; i < places.m; i++) {
        places.x[i] = 1e-11 * chance_unit(chance);
        places.y[i] = 0;
    }
    /* Values alone: with diagnostics the sums would be in double. */
    struct model *model = model_make(&scene, &options);
    struct results got = results_make(places.m, 1);
    const struct shepard_targets targets = places_targets(&places);
    const struct shepard_output output = {.size = sizeof output, .values = got.to_values};
    struct shepard_error error = {0};
    check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "%s", error.message);
    for (size_t i = 0; i < places.m; i++)
        check(isfinite(got.values[0][i]), "value %g with weights of %g", got.values[0][i], tiny);
    results_free(&got);
    model_free(model);
    places_free(&places);
    scene_free(&scene);
}

/* A tiny box far from the origin in one direction, and the other way round. */
static void thin_box(const struct shepard_backend_info *on, double extent, double offset,
                     struct chance *chance)
{
    struct model_options options = limit_options(on, chance);
    struct scene scene = scene_make(SCENE_UNIFORM, 20, 1, false, chance);
    for (size_t i = 0; i < scene.n; i++) {
        scene.x[i] = extent * (double)(i % 7);
        scene.y[i] = offset;
    }
    struct places places = scene_places_inside(&scene, 20, chance);
    for (size_t i = 0; i < places.m; i++) {
        places.x[i] = extent * chance_range(chance, -1, 8);
        places.y[i] = i % 2 ? offset : offset * chance_unit(chance);
    }
    set_anisotropy(&options, chance);
    check_case("%s: points %g apart at %g, power %g, eps %g, degree %d, %zu points, %s, ratio %g",
               on->name, extent, offset, options.parameters.power, options.parameters.eps,
               options.parameters.degree, options.parameters.neighbourhood.max_points,
               options.parameters.precision == SHEPARD_PRECISION_SINGLE ? "single" : "double",
               options.points.anisotropy_ratio);
    check_sane_results(&scene, &options, &places);
    places_free(&places);
    scene_free(&scene);
}

/* Very far away the surface is the weighted mean of all values, and nothing overflows. */
static void far_away(const struct shepard_backend_info *on, struct chance *chance)
{
    struct model_options options = limit_options(on, chance);
    options.parameters.neighbourhood.max_points = 0;
    options.parameters.degree = 0;
    struct scene scene = scene_make(SCENE_UNIFORM, 50, 1, chance_below(chance, 2), chance);
    double x[] = {1e300, -1e300, 1.2e308, 0, 1e200}, y[] = {0, 1e300, -1.2e308, -1.2e308, 1e-300};
    const struct places places = {5, x, y};
    struct results got = results_of(&scene, &options, &places);
    check_sane(&scene, &got, &options);
    long double sum = 0, total = 0;
    for (size_t i = 0; i < scene.n; i++) {
        const long double q = scene.weights != NULL ? scene.weights[i] : 1;
        sum += q * scene.values[0][i];
        total += q;
    }
    const double limit = (options.parameters.precision == SHEPARD_PRECISION_SINGLE ? 1e-6 : 1e-12) +
                         options.parameters.eps;
    for (size_t i = 0; i < places.m; i++) {
        const double away = hypot(x[i], y[i]);
        check_near(got.nearest[i], away, 1e-12 * away, "distance far away");
        check_near(got.values[0][i], (double)(sum / total), limit * scene_value_range(&scene, 0),
                   "value far away");
    }
    results_free(&got);
    scene_free(&scene);
}

/* One point: its value everywhere. More neighbours than points: all of them. */
static void few_points(const struct shepard_backend_info *on, struct chance *chance)
{
    struct model_options options = limit_options(on, chance);
    struct scene one = scene_make(SCENE_UNIFORM, 1, 1, chance_below(chance, 2), chance);
    struct places places = scene_places(&one, 32, chance);
    struct results got = results_of(&one, &options, &places);
    for (size_t i = 0; i < places.m; i++) {
        check_near(got.values[0][i], one.values[0][0], 0, "value of one point");
        check_near(got.count[i], 1, 0, "count of one point");
        check_near(got.effective[i], 1, 1e-14, "effective of one point");
    }
    results_free(&got);
    struct scene few = scene_make(SCENE_UNIFORM, 5, 1, false, chance);
    options.parameters.degree = 0;
    options.parameters.eps = 0;
    options.parameters.precision = SHEPARD_PRECISION_DOUBLE;
    options.parameters.neighbourhood.max_points = 0;
    struct results all = results_of(&few, &options, &places);
    options.parameters.neighbourhood.max_points = 6;
    struct results more = results_of(&few, &options, &places);
    for (size_t i = 0; i < places.m; i++) {
        check_near(more.values[0][i], all.values[0][i], 1e-12 * scene_value_range(&few, 0),
                   "k > n against all points");
        check_near(more.count[i], 5, 0, "count of k > n");
    }
    results_free(&more);
    results_free(&all);
    places_free(&places);
    scene_free(&few);
    scene_free(&one);
}

/* Makes some coordinates unusable, in every way there is; returns how many. */
static size_t spoil(struct scene *scene, struct chance *chance)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    size_t spoilt = 0;
    for (size_t i = 0; i < scene->n; i++) {
        double *const fields[] = {scene->x, scene->y};
        if (chance_below(chance, 3) != 0)
            continue;
        fields[chance_below(chance, 2)][i] = bad[chance_below(chance, 3)];
        spoilt++;
    }
    return spoilt;
}

static bool place_is_finite(const struct scene *scene, size_t i)
{
    return isfinite(scene->x[i]) && isfinite(scene->y[i]);
}

static void search_both(const struct scene *scene, const struct scene *clean, const uint32_t *index,
                        const struct model_options *options, const struct places *places)
{
    const struct shepard_targets targets = places_targets(places);
    struct model *whole = model_make(scene, options), *part = model_make(clean, options);
    uint32_t *a = scene_memory(3 * places->m, sizeof *a),
             *b = scene_memory(3 * places->m, sizeof *b);
    check(model_nearest(whole, &targets, 3, a, NULL, NULL, NULL) == SHEPARD_OK &&
              model_nearest(part, &targets, 3, b, NULL, NULL, NULL) == SHEPARD_OK,
          "searches");
    for (size_t i = 0; i < 3 * places->m; i++)
        check(a[i] == index[b[i]], "neighbour %u, not %u as the data were given", a[i],
              index[b[i]]);
    const struct shepard_points_info info = model_points_info(whole);
    check(info.points == clean->n && info.skipped == scene->n - clean->n,
          "%zu points and %zu skipped, not %zu and %zu", info.points, info.skipped, clean->n,
          scene->n - clean->n);
    for (size_t c = 0; c < scene->columns; c++)
        check(shepard_field_count(whole->field, c) == clean->n, "%zu points in use, not %zu",
              shepard_field_count(whole->field, c), clean->n);
    free(a);
    free(b);
    model_free(whole);
    model_free(part);
}

/* Points without a place are as if they were not there, and counted; their values and weights are
 * not looked at. Missing values: group gaps. */
static void skipped_points(const struct shepard_backend_info *on, struct chance *chance)
{
    const struct model_options options = limit_options(on, chance);
    struct scene scene = scene_make(SCENE_UNIFORM, 80, 2, true, chance);
    struct places places = scene_places_inside(&scene, 40, chance);
    uint32_t *index = scene_memory(scene.n, sizeof *index);
    const size_t spoilt = spoil(&scene, chance);
    struct scene clean = scene_subset(&scene, place_is_finite, index);
    check(clean.n == scene.n - spoilt && spoilt > 0, "%zu spoilt points", spoilt);
    for (size_t i = 0; i < scene.n; i++)
        if (!place_is_finite(&scene, i) && chance_below(chance, 2))
            scene.values[chance_below(chance, 2)][i] = scene.weights[i] = NAN;
    struct results got = results_of(&scene, &options, &places);
    struct results want = results_of(&clean, &options, &places);
    check(results_equal(&got, &want), "skipped points change the prediction");
    search_both(&scene, &clean, index, &options, &places);
    results_free(&got);
    results_free(&want);
    scene_free(&clean);
    places_free(&places);
    scene_free(&scene);
    free(index);
}

/* Places that are not finite, and neighbourhoods that are not met. */
static void nodata_places(const struct shepard_backend_info *on, struct chance *chance)
{
    struct model_options options = limit_options(on, chance);
    struct scene scene = scene_make(SCENE_LATTICE, 25, 1, false, chance);
    double x[] = {NAN, INFINITY, 2, 2, 90}, y[] = {2, 2, -INFINITY, 2, 2};
    const struct places places = {5, x, y};
    options.parameters.nodata = -1234;
    options.parameters.neighbourhood =
        (struct shepard_neighbourhood){.sectors = 1, .radius1 = 1, .radius2 = 1, .min_points = 6};
    struct results got = results_of(&scene, &options, &places);
    for (size_t i = 0; i < places.m; i++) {
        check_near(got.values[0][i], -1234, 0, "value where nothing is");
        check_near(got.deviations[0][i], -1234, 0, "deviation where nothing is");
        check_near(got.power[i], -1234, 0, "power where nothing is");
        check_near(got.effective[i], -1234, 0, "effective where nothing is");
        /* (2, 2) has itself and four points at distance 1, on the edge of the circle. */
        check_near(got.count[i], i == 3 ? 5 : 0, 0, "count");
        check_near(got.nearest[i], i == 3 ? 0 : -1234, 0, "nearest");
    }
    results_free(&got);
    scene_free(&scene);
}

void suite_limits(const struct suite *suite)
{
    struct chance chance = {suite->seed + 5000000};
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        for (int round = 0; round < 25; round++) {
            check_case("seed %llu %s: limits, round %d", (unsigned long long)suite->seed, on->name,
                       round);
            wild_numbers(on, 5, 0, &chance);
            wild_numbers(on, 60, 0, &chance);
            wild_numbers(on, 307, 0, &chance);
            wild_numbers(on, 2, 300, &chance);
            wide_weights(on, &chance);
            thin_box(on, 1e-300, 1e10, &chance);
            thin_box(on, 1e-100, 1e10, &chance);
            thin_box(on, 1e-3, 1e300, &chance);
            thin_box(on, 4.9e-324, 0, &chance);
            thin_box(on, 0, 3, &chance);
            far_away(on, &chance);
            few_points(on, &chance);
            skipped_points(on, &chance);
            nodata_places(on, &chance);
        }
    }
}
