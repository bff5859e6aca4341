/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "model.h"
#include "results.h"
#include "scene.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define POINTS 150
#define TARGETS 15
#define COLUMNS 2

/* ---- data ------------------------------------------------------------------------------------ */

enum kind { BOX, BOREHOLES, PLACES, FLAT, FAR, KINDS };

static const char *const names[KINDS] = {"box", "boreholes", "places", "flat", "far"};

struct space {
    enum kind kind;
    double x[POINTS], y[POINTS], z[POINTS], values[COLUMNS][POINTS];
    double at_x[TARGETS], at_y[TARGETS], at_z[TARGETS];
};

static void place(enum kind kind, struct chance *chance, double *x, double *y, double *z)
{
    *x = chance_range(chance, 0, 100);
    *y = chance_range(chance, 0, 80);
    *z = chance_range(chance, -20, 5);
    if (kind == BOREHOLES) { /* many heights at few places */
        *x = 10 * floor(*x / 10);
        *y = 40 * floor(*y / 40);
    } else if (kind == PLACES) {
        *x = 50 * floor(*x / 50);
        *y = 20 * floor(*y / 20);
        *z = 5 * floor(*z / 5);
    } else if (kind == FLAT) {
        *z = 3;
    } else if (kind == FAR) {
        *x += 4e5;
        *y += 5e6;
    }
}

static void fill(struct space *space, enum kind kind, struct chance *chance)
{
    space->kind = kind;
    for (size_t i = 0; i < POINTS; i++) {
        place(kind, chance, &space->x[i], &space->y[i], &space->z[i]);
        for (size_t c = 0; c < COLUMNS; c++)
            space->values[c][i] = chance_range(chance, -5, 5);
        if (i % 9 == 4)
            space->values[1][i] = NAN;
    }
    for (size_t i = 0; i < TARGETS; i++) {
        place(kind == PLACES ? BOX : kind, chance, &space->at_x[i], &space->at_y[i],
              &space->at_z[i]);
        if (i % 5 == 0) {
            const size_t at = chance_below(chance, POINTS);
            space->at_x[i] = space->x[at];
            space->at_y[i] = space->y[at];
            space->at_z[i] = space->z[at];
        }
    }
}

static struct model_options space_options(enum shepard_backend backend)
{
    struct model_options options = options_for(backend);
    options.points.metric = SHEPARD_METRIC_SPACE;
    options.parameters.eps = 0;
    return options;
}

static struct model *model_of(const struct space *space, const struct model_options *options)
{
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = POINTS};
    coordinates.x = shepard_doubles(space->x);
    coordinates.y = shepard_doubles(space->y);
    if (options->points.metric == SHEPARD_METRIC_SPACE)
        coordinates.z = shepard_doubles(space->z);
    struct shepard_array columns[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        columns[c] = shepard_doubles(space->values[c]);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = COLUMNS, .columns = columns};
    struct shepard_error error;
    struct model *model = NULL;
    if (!check(model_create(&coordinates, &values, options, &model, &error) == SHEPARD_OK,
               "no model: %s", error.message))
        exit(1);
    check(model_is_on(model, options->points.backend), "the points are on another backend");
    return model;
}

static struct shepard_targets list_of(const struct space *space, bool with_z)
{
    struct shepard_targets targets = {.size = sizeof targets, .count = TARGETS};
    targets.x = shepard_doubles(space->at_x);
    targets.y = shepard_doubles(space->at_y);
    if (with_z)
        targets.z = shepard_doubles(space->at_z);
    return targets;
}

static struct results predict(const struct space *space, const struct model_options *options,
                              const struct shepard_targets *targets, size_t m)
{
    struct model *model = model_of(space, options);
    struct results results = results_make(m, COLUMNS);
    const struct shepard_output output = results_output(&results);
    struct shepard_error error;
    const struct shepard_control control = model_control(&options->parameters, targets);
    check(model_predict(model, targets, &output, &control, &error) == SHEPARD_OK,
          "no prediction: %s", error.message);
    model_free(model);
    return results;
}

static struct results predict_list(const struct space *space, const struct model_options *options)
{
    const struct shepard_targets targets =
        list_of(space, options->points.metric == SHEPARD_METRIC_SPACE);
    return predict(space, options, &targets, TARGETS);
}

static void same_number(double got, double want, double tolerance, const char *what)
{
    if (!(isnan(got) && isnan(want)))
        check_near(got, want, tolerance, what);
}

static void compare(const struct results *got, const struct results *want)
{
    for (size_t i = 0; i < got->m; i++) {
        check(got->count[i] == want->count[i], "count of %zu is %g, not %g", i, got->count[i],
              want->count[i]);
        same_number(got->nearest[i], want->nearest[i], 1e-12 * want->nearest[i], "nearest");
        same_number(got->power[i], want->power[i], 1e-10, "power");
        same_number(got->effective[i], want->effective[i], 1e-10 * want->effective[i], "effective");
        for (size_t c = 0; c < got->columns; c++) {
            same_number(got->values[c][i], want->values[c][i], 1e-11, "value");
            same_number(got->deviations[c][i], want->deviations[c][i], 1e-7, "deviation");
        }
    }
}

/* ---- the equations --------------------------------------------------------------------------- */

static double distance(const struct space *space, size_t i, size_t target, double factor)
{
    const double dz = factor * (space->z[i] - space->at_z[target]);
    return sqrt(pow(space->x[i] - space->at_x[target], 2) +
                pow(space->y[i] - space->at_y[target], 2) + dz * dz);
}

/* IDW from all points, by the equations. */
static void try_equations(const struct shepard_backend_info *on, const struct space *space,
                          struct chance *chance)
{
    struct model_options options = space_options(on->backend);
    const double factor = options.points.vertical_factor = chance_range(chance, 0.2, 9);
    const double power = options.parameters.power = chance_range(chance, 0.5, 5);
    struct results got = predict_list(space, &options);
    for (size_t t = 0; t < TARGETS; t++) {
        double nearest = INFINITY, sum = 0, total = 0;
        for (size_t i = 0; i < POINTS; i++)
            nearest = fmin(nearest, distance(space, i, t, factor));
        for (size_t i = 0; i < POINTS; i++) {
            const double d = distance(space, i, t, factor);
            const double w = nearest > 0 ? pow(nearest / d, power) : d == 0;
            sum += w * space->values[0][i];
            total += w;
        }
        check_near(got.nearest[t], nearest, 1e-8 * nearest, "distance");
        check_near(got.values[0][t], sum / total, 1e-7, "value");
    }
    results_free(&got);
}

static void choose(struct shepard_parameters *parameters, size_t trial, enum kind kind,
                   struct chance *chance)
{
    struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const bool flat = kind == FLAT; /* of volume 0 */
    parameters->method = trial % 3 == 2 ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    parameters->adaptive.area = flat ? 1e5 : 0;
    parameters->power = chance_range(chance, 0.5, 4);
    parameters->smoothing = chance_below(chance, 3) == 0 ? chance_unit(chance) : 0;
    if (trial % 5 != 0)
        hood->max_points = 1 + chance_below(chance, 20);
    if (trial % 5 == 2 || trial % 5 == 3)
        hood->radius1 = hood->radius2 = 30 * chance_unit(chance);
    if (trial % 5 == 3)
        hood->max_points = 0;
    if (trial % 4 == 1) {
        hood->sectors = trial % 8 == 1 ? 4 : 8;
        hood->max_points_per_sector = 1 + chance_below(chance, 4);
        hood->min_points_per_sector = trial % 16 == 1;
    }
    if (hood->max_points > 2 && chance_below(chance, 2) == 0)
        hood->min_points = 2;
}

/* Stars of m targets; open and closed octants among them. */
static double *draw_stars(size_t m, struct chance *chance)
{
    double *radii = malloc(8 * m * sizeof *radii);
    for (size_t i = 0; radii != NULL && i < 8 * m; i++) {
        const size_t own = chance_below(chance, 8);
        radii[i] = own == 0 ? 0 : own == 1 ? INFINITY : pow(10, chance_range(chance, -1, 3));
    }
    return radii;
}

static void try_parameters(const struct shepard_backend_info *on, const struct space *space,
                           size_t trial, struct chance *chance)
{
    struct model_options options = space_options(on->backend);
    choose(&options.parameters, trial, space->kind, chance);
    options.points.vertical_factor = trial % 2 ? 3 : 1;
    if (trial % 6 == 4) {
        options.points.anisotropy_ratio = 2.5;
        options.points.anisotropy_angle = 30;
    }
    struct shepard_targets targets = list_of(space, true);
    size_t m = TARGETS;
    if (trial % 7 == 5 || trial % 7 == 6) {
        targets =
            (struct shepard_targets){.size = sizeof targets, .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT};
        targets.keep_coincident = trial % 7 == 6;
        m = POINTS;
    } else if (trial % 7 == 4) {
        const struct shepard_raster raster = {space->x[0] - 30, space->y[0] + 40, 7, -9, 5, 4};
        targets = raster_targets(&raster, NULL);
        targets.raster_z = space->at_z[1];
        m = 20;
    }
    double *stars =
        targets.kind != SHEPARD_TARGETS_RASTER && trial % 4 == 3 ? draw_stars(m, chance) : NULL;
    targets.star_radii = stars;
    options.points.threads = 1 + (int)(trial % 2);
    struct results got = predict(space, &options, &targets, m);
    options.points.backend = SHEPARD_BACKEND_REF;
    struct results want = predict(space, &options, &targets, m);
    compare(&got, &want);
    results_free(&want);
    results_free(&got);
    free(stars);
}

/* ---- what a surface keeps -------------------------------------------------------------------- */

/* Points of one height are in a plane. */
static void try_plane(const struct shepard_backend_info *on, struct chance *chance)
{
    struct space space;
    fill(&space, FLAT, chance);
    struct model_options options = space_options(on->backend);
    options.parameters.neighbourhood =
        (struct shepard_neighbourhood){.max_points = 15, .sectors = 4, .max_points_per_sector = 5};
    struct results got = predict_list(&space, &options);
    options.points.metric = SHEPARD_METRIC_PLANE;
    struct results want = predict_list(&space, &options);
    compare(&got, &want);
    results_free(&want);
    results_free(&got);
}

/* A change of the axes' names, and the vertical factor as a unit of z. */
static void try_axes(const struct shepard_backend_info *on, const struct space *space)
{
    struct model_options options = space_options(on->backend);
    struct space turned = *space;
    options.parameters.neighbourhood.max_points = 9;
    options.points.vertical_factor = 4;
    struct results want = predict_list(space, &options);
    for (size_t i = 0; i < POINTS; i++) {
        turned.x[i] = 4 * space->z[i];
        turned.y[i] = -space->x[i];
        turned.z[i] = space->y[i];
    }
    for (size_t i = 0; i < TARGETS; i++) {
        turned.at_x[i] = 4 * space->at_z[i];
        turned.at_y[i] = -space->at_x[i];
        turned.at_z[i] = space->at_y[i];
    }
    options.points.vertical_factor = 1;
    struct results got = predict_list(&turned, &options);
    for (size_t i = 0; space->kind != PLACES && space->kind != BOREHOLES && i < TARGETS; i++) {
        check_near(got.nearest[i], want.nearest[i], 1e-8 * want.nearest[i], "nearest of others");
        check_near(got.values[0][i], want.values[0][i], 1e-7, "value by other axes");
    }
    results_free(&want);
    results_free(&got);
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* A box of 4 x 3 x 2 has a volume of 24, with a factor of 5 120. Of a Poisson pattern of 120 points
 * in it the expected distance of the nearest is 0.55396 (Eq. 101): with points 0.55396 away on all
 * sides R is 1, and mu a half. */
static void check_volume(const struct shepard_backend_info *on)
{
    const double x[] = {0, 4, 1}, y[] = {3, 0, 1}, z[] = {-1, 1, 0};
    struct model_options options = space_options(on->backend);
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = 3};
    coordinates.x = shepard_doubles(x);
    coordinates.y = shepard_doubles(y);
    coordinates.z = shepard_doubles(z);
    options.points.vertical_factor = 5;
    struct shepard_points *points = NULL;
    struct shepard_points_info info = {.size = sizeof info};
    check(shepard_points_create(&coordinates, &options.points, &points, NULL) == SHEPARD_OK,
          "no points");
    shepard_points_get_info(points, &info);
    check_near(info.area, 120, 1e-12, "volume");
    shepard_points_free(points);
}

static void check_expectation(const struct shepard_backend_info *on)
{
    struct model_options options = space_options(on->backend);
    double x = 1, y = 2, z = 3, value = 4, at_x = 1, at_y = 2, at_z = 3 + 0.5539602783650912, power;
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = 1};
    coordinates.x = shepard_doubles(&x);
    coordinates.y = shepard_doubles(&y);
    coordinates.z = shepard_doubles(&z);
    const struct shepard_array column = shepard_doubles(&value);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    options.parameters.method = SHEPARD_METHOD_AIDW;
    options.parameters.adaptive.area = 1;
    struct model *model = NULL;
    struct shepard_targets targets = {.size = sizeof targets, .count = 1};
    targets.x = shepard_doubles(&at_x);
    targets.y = shepard_doubles(&at_y);
    targets.z = shepard_doubles(&at_z);
    struct shepard_output output = {.size = sizeof output};
    output.power = shepard_output_doubles(&power);
    check(model_create(&coordinates, &values, &options, &model, NULL) == SHEPARD_OK &&
              model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK,
          "no power");
    check_near(power, 2.5, 1e-12, "power where R is 1");
    model_free(model);
}

static void check_error_of(const char *argument, enum shepard_status status,
                           const struct shepard_error *error)
{
    check(status == SHEPARD_ERROR_ARGUMENT && strcmp(error->argument, argument) == 0,
          "%s: status %d, argument %s, %s", argument, status, error->argument, error->message);
}

static void check_errors(const struct shepard_backend_info *on, struct chance *chance)
{
    struct space space;
    fill(&space, BOX, chance);
    struct model_options options = space_options(on->backend);
    struct shepard_error error = {.argument = ""};
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = POINTS};
    struct shepard_points *points = NULL;
    coordinates.x = shepard_doubles(space.x);
    coordinates.y = shepard_doubles(space.y);
    check_error_of("coordinates.z",
                   shepard_points_create(&coordinates, &options.points, &points, &error), &error);
    coordinates.z = shepard_doubles(space.z);
    options.points.vertical_factor = 0;
    check_error_of("options.vertical_factor",
                   shepard_points_create(&coordinates, &options.points, &points, &error), &error);
    options.points.vertical_factor = 1;
    options.points.metric = SHEPARD_METRIC_PLANE;
    check_error_of("coordinates.z",
                   shepard_points_create(&coordinates, &options.points, &points, &error), &error);
    options.points.metric = SHEPARD_METRIC_SPACE;
    struct model *model = model_of(&space, &options);
    struct results results = results_make(TARGETS, COLUMNS);
    const struct shepard_output output = results_output(&results);
    struct shepard_targets targets = list_of(&space, false);
    check_error_of("targets.z", model_predict(model, &targets, &output, NULL, &error), &error);
    targets = list_of(&space, true);
    targets.raster_z = 1;
    check_error_of("targets.raster_z", model_predict(model, &targets, &output, NULL, &error),
                   &error);
    results_free(&results);
    model_free(model);
}

void suite_space(const struct suite *suite)
{
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        struct chance chance = {suite->seed + 19000000};
        check_case("seed %llu %s: by hand", (unsigned long long)suite->seed, on->name);
        check_volume(on);
        check_expectation(on);
        check_errors(on, &chance);
        try_plane(on, &chance);
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t trial = 0; trial < 21; trial++) {
                struct space space;
                const uint64_t seed = suite->seed + 100 * (uint64_t)kind + trial;
                struct chance own = {seed};
                check_case("seed %llu %s: %s, trial %zu", (unsigned long long)suite->seed, on->name,
                           names[kind], trial);
                if (!suite_takes(suite, seed))
                    continue;
                fill(&space, (enum kind)kind, &own);
                try_equations(on, &space, &own);
                try_axes(on, &space);
                if (on->backend != SHEPARD_BACKEND_REF)
                    try_parameters(on, &space, trial, &own);
            }
    }
}
