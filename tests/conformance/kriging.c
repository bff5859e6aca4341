/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "check_error.h"
#include "compare.h"
#include "results.h"
#include "slow.h"
#include "suite.h"
#include "trial.h"
#include "wide_kriging.h"

#include <stdlib.h>
#include <string.h>

/* Accuracy promised: of values as a part of their range, of variances as a part of the sill. */
#define ACCURACY 1e-10
/* The same of variances that follow the values: two that are different nearly at one place count by
 * their distance, whose rounding is magnified. */
#define LOCAL_ACCURACY 1e-6

/* Values and standard deviations at places, [m] for each column; free the block. */
struct kriged {
    size_t m, columns;
    double *block, *values[SCENE_COLUMNS_MAX], *sds[SCENE_COLUMNS_MAX];
};

static struct kriged kriged_make(size_t m, size_t columns)
{
    struct kriged made = {.m = m, .columns = columns};
    made.block = scene_memory(2 * columns * m, sizeof(double));
    for (size_t c = 0; c < columns; c++) {
        made.values[c] = made.block + 2 * c * m;
        made.sds[c] = made.values[c] + m;
    }
    for (size_t i = 0; i < 2 * columns * m; i++)
        made.block[i] = -9.87e305;
    return made;
}

static enum shepard_status krige(const struct model *model, const struct shepard_targets *targets,
                                 struct kriged *kriged, struct shepard_error *error)
{
    struct shepard_output_array values[SCENE_COLUMNS_MAX], sds[SCENE_COLUMNS_MAX];
    for (size_t c = 0; c < kriged->columns; c++) {
        values[c] = shepard_output_doubles(kriged->values[c]);
        sds[c] = shepard_output_doubles(kriged->sds[c]);
    }
    const struct shepard_output output = {.size = sizeof output, .values = values, .sds = sds};
    return model_predict(model, targets, &output, NULL, error);
}

static struct kriged krige_at(const struct scene *scene, const struct model_options *options,
                              const struct shepard_targets *targets)
{
    struct kriged kriged = kriged_make(targets->count, scene->columns);
    struct model *model = model_make(scene, options);
    struct shepard_error error = {0};
    const enum shepard_status status = krige(model, targets, &kriged, &error);
    check(status == SHEPARD_OK, "no prediction: %s", error.message);
    model_free(model);
    return kriged;
}

/* ---- trials ---------------------------------------------------------------------------------- */

/* What the model and the kind use of an exponent and a mean. */
static void give_used(struct shepard_kriging *kriging, double p, double mean)
{
    kriging->p = kriging->covariance == SHEPARD_COVARIANCE_STABLE ? p : NAN;
    kriging->mean = kriging->kind == SHEPARD_KRIGING_SIMPLE ? mean : NAN;
}

/* Random parameters, of systems that double can tell apart: smooth covariances have a nugget. */
static void draw(struct shepard_kriging *kriging, double size, struct chance *chance)
{
    kriging->kind = (enum shepard_kriging_kind)chance_below(chance, 3);
    kriging->covariance = (enum shepard_covariance)chance_below(chance, 6);
    kriging->psill = pow(10, chance_range(chance, -2, 3));
    kriging->range = size * pow(10, chance_range(chance, -1.5, 0.5));
    kriging->nugget = chance_below(chance, 2) ? 0 : kriging->psill * chance_unit(chance);
    const double p = chance_range(chance, 0.3, 1.9), mean = chance_range(chance, -2, 2);
    kriging->sd = (enum shepard_kriging_sd)chance_below(chance, 3);
    const bool smooth = kriging->covariance == SHEPARD_COVARIANCE_GAUSSIAN ||
                        kriging->covariance == SHEPARD_COVARIANCE_MATERN32 ||
                        (kriging->covariance == SHEPARD_COVARIANCE_STABLE && p > 1);
    if (smooth && kriging->nugget < 1e-3 * kriging->psill)
        kriging->nugget = 1e-3 * kriging->psill;
    if (kriging->covariance == SHEPARD_COVARIANCE_LINEAR && kriging->kind == SHEPARD_KRIGING_SIMPLE)
        kriging->kind = SHEPARD_KRIGING_ORDINARY;
    give_used(kriging, p, mean);
}

static struct shepard_neighbourhood random_hood(const struct scene *scene, struct chance *chance)
{
    const struct shepard_neighbourhood hoods[] = {
        {.sectors = 1},
        {.sectors = 1, .max_points = 1 + chance_below(chance, 20)},
        {.sectors = 8, .max_points_per_sector = 2},
        {.sectors = 4, .max_points_per_sector = 3, .max_points = 9},
        {.sectors = 1, .radius1 = scene->size / 3, .radius2 = scene->size / 3, .min_points = 3},
        {.sectors = 1, .max_points = 70},
    };
    return hoods[chance_below(chance, sizeof hoods / sizeof hoods[0])];
}

static struct model_options random_options(const struct scene *scene,
                                           const struct shepard_backend_info *on,
                                           struct chance *chance)
{
    struct model_options options = options_for(on->backend);
    options.parameters.method = SHEPARD_METHOD_KRIGE;
    options.parameters.neighbourhood = random_hood(scene, chance);
    options.parameters.nodata = -9999;
    draw(&options.parameters.kriging, scene->size, chance);
    if (scene->kind != SCENE_LATTICE && chance_below(chance, 3) == 0) {
        options.points.anisotropy_ratio = pow(2, chance_range(chance, -2, 3));
        options.points.anisotropy_angle = chance_range(chance, -360, 360);
    }
    return options;
}

static void name_case(const struct scene *scene, const struct model_options *options,
                      const char *backend, uint64_t seed)
{
    const struct shepard_kriging *kriging = &options->parameters.kriging;
    const struct shepard_neighbourhood *hood = &options->parameters.neighbourhood;
    check_case("seed %llu %s: %s n %zu, covariance %d kind %d psill %g range %g nugget %g p %g, k "
               "%zu sectors %d x %zu radius %g, ratio %g angle %g",
               (unsigned long long)seed, backend, scene_name(scene->kind), scene->n,
               kriging->covariance, kriging->kind, kriging->psill, kriging->range, kriging->nugget,
               kriging->p, hood->max_points, hood->sectors, hood->max_points_per_sector,
               hood->radius1, options->points.anisotropy_ratio, options->points.anisotropy_angle);
}

/* Some boxes round the data, and the data points. */
static struct places places_round(const struct scene *scene, size_t m, struct chance *chance)
{
    struct places places = scene_places_inside(scene, m, chance);
    for (size_t i = 0; i < m; i++) {
        const size_t point = chance_below(chance, scene->n);
        if (i % 6 == 4) {
            places.x[i] += scene->size * chance_range(chance, -3, 3);
            places.y[i] += scene->size * chance_range(chance, -3, 3);
        } else if (i % 6 == 5) {
            places.x[i] = scene->x[point];
            places.y[i] = scene->y[point];
        }
    }
    return places;
}

/* ---- against the equations ------------------------------------------------------------------- */

static void compare(const struct scene *scene, const struct model_options *options,
                    const struct slow_prediction *want, const struct kriged *got, size_t i)
{
    const struct shepard_kriging *kriging = &options->parameters.kriging;
    const double sill = kriging->psill + kriging->nugget;
    for (size_t c = 0; c < scene->columns; c++) {
        const double value = got->values[c][i], sd = got->sds[c][i];
        if (!want->met) {
            check(value == -9999 && sd == -9999, "value %g sd %g, not nodata", value, sd);
            continue;
        }
        /* The textbook's system has no solution where a plane is not determined. */
        if (kriging->kind == SHEPARD_KRIGING_UNIVERSAL && want->count < 4) {
            check(isfinite(value) && isfinite(sd), "value %g sd %g", value, sd);
            continue;
        }
        /* What a known mean far from the values, or a plane far away, adds. */
        const double away = kriging->kind == SHEPARD_KRIGING_UNIVERSAL ? fabs(want->values[c])
                            : kriging->kind == SHEPARD_KRIGING_SIMPLE
                                ? fabs(kriging->mean - scene->values[c][0])
                                : 0;
        const double range = fmax(scene_value_range(scene, c), away);
        check_near(value, want->values[c], ACCURACY * range + scene_value_rounding(scene, c),
                   "value");
        const double variance = want->sds[c] * want->sds[c];
        const bool local = kriging->sd == SHEPARD_KRIGING_SD_LOCAL;
        const double off = fabs(sd * sd - variance) / fmax(sill, variance);
        check_near(sd * sd, variance, (local ? LOCAL_ACCURACY : ACCURACY) * fmax(sill, variance),
                   "variance");
        if (scene_value_rounding(scene, c) < 1e-13 * range)
            check_measure("error of kriging / range", fabs(value - want->values[c]) / range);
        check_measure(local ? "error of local variance" : "error of variance / sill", off);
    }
}

static void against_equations(const struct shepard_backend_info *on, enum scene_kind kind, size_t n,
                              uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(kind, n, 3, false, &chance);
    struct places places = places_round(&scene, 18, &chance);
    const struct model_options options = random_options(&scene, on, &chance);
    const struct shepard_targets targets = places_targets(&places);
    name_case(&scene, &options, on->name, seed);
    struct kriged got = krige_at(&scene, &options, &targets);
    for (size_t i = 0; i < places.m; i++) {
        const struct slow_prediction want =
            slow_predict(&scene, &options, places.x[i], places.y[i]);
        compare(&scene, &options, &want, &got, i);
    }
    free(got.block);
    places_free(&places);
    scene_free(&scene);
}

/* Each point left out is each point of scenes without it. */
static void leaving_out(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 30, 2, false, &chance);
    const struct model_options options = random_options(&scene, on, &chance);
    const struct shepard_targets targets = {
        .size = sizeof targets, .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT, .count = scene.n};
    name_case(&scene, &options, on->name, seed);
    struct kriged got = krige_at(&scene, &options, &targets);
    for (size_t i = 0; i < scene.n; i++) {
        struct scene rest = scene;
        const double x = scene.x[i], y = scene.y[i];
        const size_t last = scene.n - 1;
        rest.n = last;
        scene.x[i] = scene.x[last];
        scene.y[i] = scene.y[last];
        double kept[SCENE_COLUMNS_MAX];
        for (size_t c = 0; c < scene.columns; c++) {
            kept[c] = scene.values[c][i];
            scene.values[c][i] = scene.values[c][last];
        }
        const struct slow_prediction want = slow_predict(&rest, &options, x, y);
        scene.x[i] = x;
        scene.y[i] = y;
        for (size_t c = 0; c < scene.columns; c++)
            scene.values[c][i] = kept[c];
        compare(&scene, &options, &want, &got, i);
    }
    free(got.block);
    scene_free(&scene);
}

/* ---- what kriging keeps ---------------------------------------------------------------------- */

/* The data themselves, with sd 0; constants; planes where the mean is one. */
static void keeps(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 200, 3, false, &chance);
    struct model_options options = random_options(&scene, on, &chance);
    struct shepard_kriging *kriging = &options.parameters.kriging;
    options.parameters.neighbourhood =
        (struct shepard_neighbourhood){.sectors = 1, .max_points = 5 + chance_below(&chance, 20)};
    for (size_t i = 0; i < scene.n; i++) {
        scene.values[1][i] = -12.25;
        scene.values[2][i] = 3 + 2 * scene.x[i] - 5 * scene.y[i];
    }
    const struct places at_data = {scene.n, scene.x, scene.y};
    struct shepard_targets targets = places_targets(&at_data);
    name_case(&scene, &options, on->name, seed);
    struct kriged got = krige_at(&scene, &options, &targets);
    for (size_t i = 0; i < scene.n; i++) {
        check_near(got.values[0][i], scene.values[0][i], scene_value_rounding(&scene, 0),
                   "value at a data point");
        check_near(got.sds[0][i], 0, 0, "sd at a data point");
    }
    free(got.block);
    struct places places = scene_places_inside(&scene, 40, &chance);
    targets = places_targets(&places);
    give_used(kriging, kriging->p, -12.25);
    got = krige_at(&scene, &options, &targets);
    for (size_t i = 0; i < places.m; i++) {
        const double plane = 3 + 2 * places.x[i] - 5 * places.y[i];
        check_near(got.values[1][i], -12.25, 1e-13, "a constant");
        if (kriging->kind == SHEPARD_KRIGING_UNIVERSAL)
            check_near(got.values[2][i], plane, 1e-9 * scene_value_range(&scene, 2), "a plane");
    }
    free(got.block);
    places_free(&places);
    scene_free(&scene);
}

/* Near a data point the surface without a nugget comes to its value. */
static void continues(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 100, 1, false, &chance);
    struct model_options options = random_options(&scene, on, &chance);
    options.parameters.neighbourhood =
        (struct shepard_neighbourhood){.sectors = 1, .max_points = 12};
    options.parameters.kriging.covariance = SHEPARD_COVARIANCE_EXPONENTIAL;
    options.parameters.kriging.p = NAN;
    options.parameters.kriging.range = scene.size;
    options.parameters.kriging.nugget = 0;
    struct places places = scene_places_inside(&scene, scene.n, &chance);
    for (size_t i = 0; i < scene.n; i++) {
        places.x[i] = scene.x[i] + 1e-9 * scene.size;
        places.y[i] = scene.y[i];
    }
    const struct shepard_targets targets = places_targets(&places);
    name_case(&scene, &options, on->name, seed);
    struct kriged got = krige_at(&scene, &options, &targets);
    for (size_t i = 0; i < scene.n; i++)
        check_near(got.values[0][i], scene.values[0][i], 1e-5 * scene_value_range(&scene, 0),
                   "value beside a data point");
    free(got.block);
    places_free(&places);
    scene_free(&scene);
}

/* Far from all data a known mean is the prediction, and its sd that of a new measurement; an
 * unknown one is less sure. */
static void far_away(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 60, 1, false, &chance);
    struct model_options options = random_options(&scene, on, &chance);
    struct shepard_kriging *kriging = &options.parameters.kriging;
    struct places places = scene_places_inside(&scene, 2, &chance);
    const double mean = chance_range(&chance, -2, 2);
    kriging->covariance = (enum shepard_covariance)chance_below(&chance, 5);
    kriging->sd = SHEPARD_KRIGING_SD_MODEL;
    places.x[0] += 1e6 * scene.size;
    places.y[1] -= 1e100 * scene.size;
    const struct shepard_targets targets = places_targets(&places);
    for (int kind = 0; kind < 2; kind++) {
        kriging->kind = kind == 0 ? SHEPARD_KRIGING_SIMPLE : SHEPARD_KRIGING_ORDINARY;
        give_used(kriging, 1.5, mean);
        name_case(&scene, &options, on->name, seed);
        struct kriged got = krige_at(&scene, &options, &targets);
        for (size_t i = 0; i < places.m; i++) {
            const double value = got.values[0][i], sd = got.sds[0][i];
            const double sill = sqrt(kriging->psill + kriging->nugget);
            if (value == -9999)
                continue;
            if (kind == 0) {
                check_near(value, kriging->mean, 1e-12 * fmax(1, fabs(kriging->mean)), "the mean");
                check_near(sd, sill, 1e-12 * sill, "sd far away");
            } else {
                check(sd > sill * (1 - 1e-12) && isfinite(value), "value %g sd %g sill %g", value,
                      sd, sill);
            }
        }
        free(got.block);
    }
    places_free(&places);
    scene_free(&scene);
}

/* Data, places and the anisotropy's angle turned together. */
static void turned(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 120, 1, false, &chance);
    struct model_options options = random_options(&scene, on, &chance);
    struct places places = scene_places_inside(&scene, 30, &chance);
    options.points.anisotropy_ratio = 3.5;
    options.points.anisotropy_angle = 20;
    options.parameters.neighbourhood =
        (struct shepard_neighbourhood){.sectors = 1, .max_points = 16};
    const struct shepard_targets targets = places_targets(&places);
    name_case(&scene, &options, on->name, seed);
    struct kriged before = krige_at(&scene, &options, &targets);
    const double turn = chance_range(&chance, 0, 360), c = cos(turn * 0.017453292519943295),
                 s = sin(turn * 0.017453292519943295);
    double *xs[] = {scene.x, places.x}, *ys[] = {scene.y, places.y};
    const size_t counts[] = {scene.n, places.m};
    for (int a = 0; a < 2; a++)
        for (size_t i = 0; i < counts[a]; i++) {
            const double x = xs[a][i], y = ys[a][i];
            xs[a][i] = c * x - s * y;
            ys[a][i] = s * x + c * y;
        }
    options.points.anisotropy_angle += turn;
    struct kriged after = krige_at(&scene, &options, &targets);
    for (size_t i = 0; i < places.m; i++) {
        check_near(after.values[0][i], before.values[0][i], 1e-9 * scene_value_range(&scene, 0),
                   "a turned value");
        check_near(after.sds[0][i], before.sds[0][i], 1e-9 * before.sds[0][i], "a turned sd");
    }
    free(before.block);
    free(after.block);
    places_free(&places);
    scene_free(&scene);
}

/* A target alone, columns alone and more threads: the same bits. */
static void same_bits(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_CLUSTERED, 300, 3, false, &chance);
    struct model_options options = random_options(&scene, on, &chance);
    struct places places = places_round(&scene, 50, &chance);
    const struct shepard_targets targets = places_targets(&places);
    name_case(&scene, &options, on->name, seed);
    struct kriged all = krige_at(&scene, &options, &targets);
    options.points.threads = 3;
    struct kriged threads = krige_at(&scene, &options, &targets);
    check(memcmp(all.block, threads.block, 6 * places.m * sizeof(double)) == 0,
          "other bits with threads");
    struct model *model = model_make(&scene, &options);
    struct kriged one = kriged_make(1, 3);
    for (size_t i = 0; i < places.m; i += 7) {
        const struct places place = {1, places.x + i, places.y + i};
        const struct shepard_targets target = places_targets(&place);
        check(krige(model, &target, &one, NULL) == SHEPARD_OK, "a target alone");
        for (size_t c = 0; c < 3; c++)
            check(memcmp(one.values[c], &all.values[c][i], sizeof(double)) == 0 &&
                      memcmp(one.sds[c], &all.sds[c][i], sizeof(double)) == 0,
                  "a target alone has other bits: %.17g, not %.17g", one.values[c][0],
                  all.values[c][i]);
    }
    model_free(model);
    struct scene column = scene;
    column.columns = 1;
    column.values[0] = scene.values[2];
    struct kriged alone = krige_at(&column, &options, &targets);
    check(memcmp(alone.values[0], all.values[2], places.m * sizeof(double)) == 0 &&
              memcmp(alone.sds[0], all.sds[2], places.m * sizeof(double)) == 0,
          "a column alone has other bits");
    free(all.block);
    free(threads.block);
    free(one.block);
    free(alone.block);
    places_free(&places);
    scene_free(&scene);
}

/* A column that misses values is predicted from the points that it has. */
static void with_gaps(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 90, 2, false, &chance);
    const struct model_options options = random_options(&scene, on, &chance);
    struct places places = scene_places_inside(&scene, 12, &chance);
    const struct shepard_targets targets = places_targets(&places);
    struct scene whole = scene;
    whole.x = scene_memory(scene.n, sizeof(double));
    whole.y = scene_memory(scene.n, sizeof(double));
    whole.values[0] = scene_memory(scene.n, sizeof(double));
    whole.columns = 1;
    whole.n = 0;
    for (size_t i = 0; i < scene.n; i++) {
        if (chance_below(&chance, 4) == 0) {
            scene.values[1][i] = NAN;
            continue;
        }
        whole.x[whole.n] = scene.x[i];
        whole.y[whole.n] = scene.y[i];
        whole.values[0][whole.n++] = scene.values[1][i];
    }
    name_case(&scene, &options, on->name, seed);
    struct kriged got = krige_at(&scene, &options, &targets);
    struct kriged want = krige_at(&whole, &options, &targets);
    const double away = fabs(options.parameters.kriging.mean - whole.values[0][0]);
    const double range = fmax(scene_value_range(&whole, 0), away);
    for (size_t i = 0; i < places.m; i++) {
        check_near(got.values[1][i], want.values[0][i],
                   ACCURACY * range + scene_value_rounding(&whole, 0), "value with gaps");
        check_near(got.sds[1][i], want.sds[0][i], 1e-9 * fabs(want.sds[0][i]), "sd with gaps");
    }
    free(got.block);
    free(want.block);
    free(whole.x);
    free(whole.y);
    free(whole.values[0]);
    places_free(&places);
    scene_free(&scene);
}

/* ---- degenerate data ------------------------------------------------------------------------- */

enum odd { ODD_FEW, ODD_CONSTANT, ODD_LINE, ODD_FOUR, ODD_NEAR, ODD_LATTICE, ODD_UTM, ODDS };

static void make_odd(struct scene *scene, enum odd odd, double unit, double shift,
                     struct chance *chance)
{
    for (size_t i = 0; i < scene->n; i++) {
        double *x = &scene->x[i], *y = &scene->y[i];
        *x = chance_unit(chance);
        *y = chance_unit(chance);
        scene->values[0][i] = shift + unit * chance_normal(chance);
        if (odd == ODD_CONSTANT)
            scene->values[0][i] = shift + unit;
        if (odd == ODD_LINE)
            *y = 0.3717 * *x;
        if (odd == ODD_FOUR || odd == ODD_NEAR) {
            *x = scene->x[i / 4 * 4] + (odd == ODD_NEAR ? 1e-9 * *x : 0);
            *y = scene->y[i / 4 * 4] + (odd == ODD_NEAR ? 1e-9 * *y : 0);
        }
        if (odd == ODD_LATTICE) {
            *x = (double)(i % 5);
            *y = (double)(i / 5);
        }
        if (odd == ODD_UTM) {
            *x = 5e5 + 10 * *x;
            *y = 5.7e6 + 10 * *y;
        }
    }
    scene->x0 = scene->x[0];
    scene->y0 = scene->y[0];
    scene->size = odd == ODD_LATTICE ? 5 : odd == ODD_UTM ? 10 : 1;
    scene->kind = odd == ODD_LATTICE ? SCENE_LATTICE : SCENE_UNIFORM;
}

/* Predictions are finite, those of the data's places are their means, and all backends agree with
 * ref. */
static void on_odd(const struct shepard_backend_info *on, enum odd odd, size_t n, uint64_t seed)
{
    static const double units[] = {1, 1e-200, 1, 1e12}, shifts[] = {0, 0, 1e12, 0};
    struct chance chance = {seed};
    const size_t u = chance_below(&chance, 4);
    struct scene scene = scene_make(SCENE_UNIFORM, n, 1, false, &chance);
    make_odd(&scene, odd, units[u], shifts[u], &chance);
    struct places places = places_round(&scene, 18, &chance);
    const struct shepard_targets targets = places_targets(&places);
    struct model_options options = random_options(&scene, on, &chance);
    struct shepard_kriging *kriging = &options.parameters.kriging;
    options.parameters.neighbourhood.radius1 = options.parameters.neighbourhood.radius2 = 0;
    options.parameters.neighbourhood.min_points = 0;
    /* Smooth covariances without a nugget, too. */
    if (chance_below(&chance, 2))
        kriging->nugget = 0;
    give_used(kriging, kriging->p, shifts[u]);
    name_case(&scene, &options, on->name, seed);
    struct kriged got = krige_at(&scene, &options, &targets);
    options.points.backend = SHEPARD_BACKEND_REF;
    struct kriged want = krige_at(&scene, &options, &targets);
    const double range = scene_value_range(&scene, 0);
    for (size_t i = 0; i < places.m; i++) {
        const double value = got.values[0][i], sd = got.sds[0][i];
        check(isfinite(value) && isfinite(sd) && sd >= 0, "value %g sd %g", value, sd);
        const double least = fmax(range, fabs(want.values[0][i] - shifts[u]));
        check_near(value, want.values[0][i], 1e-6 * least + 4 * scene_value_rounding(&scene, 0),
                   "value, not that of ref");
        check_measure("odd data: difference from ref / range",
                      fabs(value - want.values[0][i]) /
                          (least + 1e7 * scene_value_rounding(&scene, 0)));
    }
    free(got.block);
    free(want.block);
    places_free(&places);
    scene_free(&scene);
}

/* Without a nugget several values at a place are one point with their mean. */
static void merges(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 60, 1, false, &chance);
    make_odd(&scene, ODD_FOUR, 1, 0, &chance);
    struct scene merged = scene_make(SCENE_UNIFORM, 15, 1, false, &chance);
    for (size_t i = 0; i < merged.n; i++) {
        merged.x[i] = scene.x[4 * i];
        merged.y[i] = scene.y[4 * i];
        merged.values[0][i] = 0;
        for (size_t j = 0; j < 4; j++)
            merged.values[0][i] += scene.values[0][4 * i + j] / 4;
    }
    struct model_options options = random_options(&scene, on, &chance);
    options.parameters.kriging.covariance = SHEPARD_COVARIANCE_EXPONENTIAL;
    options.parameters.kriging.p = NAN;
    options.parameters.kriging.nugget = 0;
    options.parameters.neighbourhood =
        (struct shepard_neighbourhood){.sectors = 1, .max_points = 4 * (5 + seed % 5)};
    struct places places = scene_places_inside(&scene, 20, &chance);
    const struct shepard_targets targets = places_targets(&places);
    name_case(&scene, &options, on->name, seed);
    struct kriged got = krige_at(&scene, &options, &targets);
    options.parameters.neighbourhood.max_points /= 4;
    struct kriged want = krige_at(&merged, &options, &targets);
    for (size_t i = 0; i < places.m; i++) {
        check_near(got.values[0][i], want.values[0][i],
                   ACCURACY * (scene_value_range(&scene, 0) + 2), "value of merged points");
        check_near(got.sds[0][i], want.sds[0][i], 1e-9 * want.sds[0][i], "sd of merged points");
    }
    free(got.block);
    free(want.block);
    places_free(&places);
    scene_free(&merged);
    scene_free(&scene);
}

/* Pairs of points at all distances that leave the systems regular: all backends are as near to ref
 * as elsewhere. */
static void pairs(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 40, 1, false, &chance);
    for (size_t i = 1; i < scene.n; i += 2) {
        scene.x[i] = scene.x[i - 1] + scene.size * pow(10, chance_range(&chance, -7, -2));
        scene.y[i] = scene.y[i - 1];
    }
    struct model_options options = random_options(&scene, on, &chance);
    options.parameters.kriging.covariance = SHEPARD_COVARIANCE_EXPONENTIAL;
    options.parameters.kriging.p = NAN;
    options.parameters.kriging.range = scene.size;
    options.parameters.kriging.nugget = 0;
    options.parameters.neighbourhood =
        (struct shepard_neighbourhood){.sectors = 1, .max_points = 12};
    struct places places = scene_places_inside(&scene, 40, &chance);
    const struct shepard_targets targets = places_targets(&places);
    name_case(&scene, &options, on->name, seed);
    struct kriged got = krige_at(&scene, &options, &targets);
    options.points.backend = SHEPARD_BACKEND_REF;
    struct kriged want = krige_at(&scene, &options, &targets);
    const double range = fmax(scene_value_range(&scene, 0), 2);
    for (size_t i = 0; i < places.m; i++)
        check_near(got.values[0][i], want.values[0][i],
                   ACCURACY * fmax(range, fabs(want.values[0][i])), "value among pairs");
    free(got.block);
    free(want.block);
    places_free(&places);
    scene_free(&scene);
}

/* ---- smooth models --------------------------------------------------------------------------- */

/* The 16 nearest of 17 points of this spacing round about; the value that they give. */
static bool solve_wide(const struct scene *scene, const struct shepard_kriging *kriging, double x,
                       double y, double *value)
{
    long double dx[17], dy[17], weight[17], farthest = 0;
    size_t last = 0;
    for (size_t i = 0; i < scene->n; i++) {
        dx[i] = (long double)scene->x[i] - x;
        dy[i] = (long double)scene->y[i] - y;
        const long double d2 = dx[i] * dx[i] + dy[i] * dy[i];
        last = d2 > farthest ? i : last;
        farthest = d2 > farthest ? d2 : farthest;
    }
    dx[last] = dx[16];
    dy[last] = dy[16];
    struct slow_system system = {.kriging = kriging, .n = 16, .x = dx, .y = dy, .weight = weight};
    const bool solved = wide_kriging_solve(&system);
    long double sum = 0;
    for (size_t i = 0; i < 16; i++)
        sum += weight[i] * scene->values[0][i == last ? 16 : i];
    *value = (double)sum;
    return solved;
}

/* Without a nugget, and with a range of many spacings. */
static void smooth(const struct shepard_backend_info *on, enum shepard_covariance covariance,
                   double spacings, double accuracy, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 17, 1, false, &chance);
    struct model_options options = options_for(on->backend);
    options.parameters.method = SHEPARD_METHOD_KRIGE;
    options.parameters.neighbourhood =
        (struct shepard_neighbourhood){.sectors = 1, .max_points = 16};
    options.parameters.kriging = (struct shepard_kriging){
        .covariance = covariance, .psill = 1, .range = scene.size / 4 * spacings};
    give_used(&options.parameters.kriging, 1, NAN);
    struct places places = scene_places_inside(&scene, 20, &chance);
    const struct shepard_targets targets = places_targets(&places);
    name_case(&scene, &options, on->name, seed);
    struct kriged got = krige_at(&scene, &options, &targets);
    for (size_t i = 0; i < places.m; i++) {
        double want;
        if (!solve_wide(&scene, &options.parameters.kriging, places.x[i], places.y[i], &want))
            continue;
        const double range = fmax(scene_value_range(&scene, 0), fabs(want));
        check_near(got.values[0][i], want, accuracy * range, "value of a smooth model");
    }
    free(got.block);
    places_free(&places);
    scene_free(&scene);
}

static void smooth_ranges(const struct shepard_backend_info *on, uint64_t seed)
{
    for (int decade = 1; decade <= 6; decade++)
        smooth(on, SHEPARD_COVARIANCE_MATERN32, pow(10, decade), 1e-9, seed);
    smooth(on, SHEPARD_COVARIANCE_GAUSSIAN, 5, 1e-7, seed);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* A copy of good options, to be spoilt. */
static void expect_error(const struct scene *scene, const struct model_options *options,
                         const struct shepard_output *output, enum shepard_status status,
                         const char *argument)
{
    struct model *model = model_make(scene, options);
    struct shepard_error error = {0};
    double x = 0, y = 0;
    const struct places place = {1, &x, &y};
    const struct shepard_targets targets = places_targets(&place);
    check_error(model_predict(model, &targets, output, NULL, &error), &error, status, argument);
    check_error(model_prepare(model, output, &error), &error, status, argument);
    model_free(model);
}

static void errors(const struct shepard_backend_info *on)
{
    struct chance chance = {1};
    struct scene scene = scene_make(SCENE_UNIFORM, 20, 1, false, &chance);
    double value, sd;
    const struct shepard_output_array values = shepard_output_doubles(&value);
    const struct shepard_output_array sds = shepard_output_doubles(&sd);
    const struct shepard_output output = {.size = sizeof output, .values = &values, .sds = &sds};
    struct model_options good = options_for(on->backend);
    good.parameters.method = SHEPARD_METHOD_KRIGE;
    good.parameters.kriging = (struct shepard_kriging){
        .mean = 1, .psill = 1, .range = 1, .nugget = 0, .p = 1, .kind = SHEPARD_KRIGING_SIMPLE};
    check_case("%s: errors of kriging", on->name);
#define SPOIL(field, bad, member)                                                                  \
    do {                                                                                           \
        struct model_options options = good;                                                       \
        options.parameters.field = bad;                                                            \
        expect_error(&scene, &options, &output, SHEPARD_ERROR_ARGUMENT, "parameters." member);     \
    } while (0)
    SPOIL(kriging.psill, NAN, "kriging.psill");
    SPOIL(kriging.psill, -1, "kriging.psill");
    SPOIL(kriging.psill, 1e308 * 2, "kriging.psill");
    SPOIL(kriging.range, NAN, "kriging.range");
    SPOIL(kriging.range, 0, "kriging.range");
    SPOIL(kriging.range, 1e-200, "kriging.range");
    SPOIL(kriging.nugget, NAN, "kriging.nugget");
    SPOIL(kriging.nugget, INFINITY, "kriging.nugget");
    SPOIL(kriging.p, NAN, "kriging.p");
    SPOIL(kriging.p, 2.1, "kriging.p");
    SPOIL(kriging.mean, NAN, "kriging.mean");
    SPOIL(kriging.mean, INFINITY, "kriging.mean");
    SPOIL(kriging.kind, (enum shepard_kriging_kind)3, "kriging.kind");
    SPOIL(kriging.kind, SHEPARD_KRIGING_ORDINARY, "kriging.mean");
    SPOIL(kriging.kind, SHEPARD_KRIGING_UNIVERSAL, "kriging.mean");
    SPOIL(kriging.covariance, SHEPARD_COVARIANCE_SPHERICAL, "kriging.p");
    SPOIL(kriging.covariance, (enum shepard_covariance)6, "kriging.covariance");
    SPOIL(kriging.sd, (enum shepard_kriging_sd)3, "kriging.sd");
    good.parameters.kriging.p = NAN;
    SPOIL(kriging.covariance, SHEPARD_COVARIANCE_LINEAR, "kriging.covariance");
#undef SPOIL
    good.parameters.kriging.p = 1;
    struct model_options options = good;
    options.parameters.kriging.range = 1e-200;
    struct model *model = model_make(&scene, &options);
    struct shepard_error error = {0};
    check(model_prepare(model, &output, &error) == SHEPARD_ERROR_ARGUMENT &&
              strstr(error.message, "give at least") != NULL,
          "a range of 0 is no way out: %s", error.message);
    model_free(model);
    scene_free(&scene);
    scene = scene_make(SCENE_UNIFORM, 20, 1, true, &chance);
    expect_error(&scene, &good, &output, SHEPARD_ERROR_ARGUMENT, "parameters.method");
    scene_free(&scene);
    scene = scene_make(SCENE_UNIFORM, SHEPARD_KRIGING_POINTS_MAX + 1, 1, false, &chance);
    expect_error(&scene, &good, &output, SHEPARD_ERROR_SIZE, "parameters.neighbourhood.max_points");
    options = good;
    options.parameters.neighbourhood.radius1 = options.parameters.neighbourhood.radius2 = 1e9;
    model = model_make(&scene, &options);
    const double x = 0, y = 0;
    const struct shepard_targets targets = {
        .size = sizeof targets, .count = 1, .x = shepard_doubles(&x), .y = shepard_doubles(&y)};
    check_error(model_predict(model, &targets, &output, NULL, &error), &error, SHEPARD_ERROR_SIZE,
                "parameters.neighbourhood");
    model_free(model);
    scene_free(&scene);
}

/* ---------------------------------------------------------------------------------------------- */

static void run(const struct suite *suite, const struct shepard_backend_info *on)
{
    static const enum scene_kind kinds[] = {SCENE_UNIFORM, SCENE_CLUSTERED, SCENE_STRIPS,
                                            SCENE_LATTICE, SCENE_UTM,       SCENE_TINY,
                                            SCENE_HUGE};
    static const size_t sizes[] = {1, 2, 5, 20, 60, 90}, few[] = {2, 3, 5, 8, 20};
    uint64_t seed = suite->seed;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t i = 0; i < 30; i++, seed++)
            if (suite_takes(suite, seed))
                against_equations(on, kinds[k], sizes[i % 6], seed);
    for (size_t i = 0; i < 12; i++, seed++) {
        leaving_out(on, seed);
        keeps(on, seed);
        continues(on, seed);
        far_away(on, seed);
        turned(on, seed);
        same_bits(on, seed);
        with_gaps(on, seed);
        merges(on, seed);
        pairs(on, seed);
        smooth_ranges(on, seed);
    }
    for (int odd = 0; odd < ODDS; odd++)
        for (size_t i = 0; i < 40; i++, seed++)
            on_odd(on, (enum odd)odd, few[i % 5], seed);
    errors(on);
}

void suite_kriging(const struct suite *suite)
{
    for (size_t b = 0; b < suite->count; b++)
        run(suite, &suite->backends[b]);
}
