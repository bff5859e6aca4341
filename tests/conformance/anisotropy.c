/* SPDX-License-Identifier: MIT */
/* Anisotropy is a map of the plane: what that says of predictions, on every backend. */
#include "check.h"
#include "compare.h"
#include "slow.h"
#include "suite.h"

#include <stdlib.h>

#define PI 3.14159265358979323846264338327950288L

/* Neighbourhoods of one sector. */
static const int one_sector[] = {0, 0, 1, 2, 3, 5, 6, 7, 8, 13};

/* A trial with anisotropy, on points without equal distances. */
static struct trial stretched_trial(int hood, struct chance *chance)
{
    static const enum scene_kind kinds[] = {SCENE_UNIFORM, SCENE_CLUSTERED, SCENE_STRIPS,
                                            SCENE_SPOT,    SCENE_UTM,       SCENE_HUGE};
    const enum scene_kind kind = kinds[chance_below(chance, 6)];
    const int power = (int)chance_below(chance, TRIAL_POWERS);
    struct trial trial = trial_make(kind, hood, power, 40 + chance_below(chance, 200), 24, chance);
    trial.options.points.anisotropy_ratio = pow(2, chance_range(chance, -5, 5));
    trial.options.points.anisotropy_angle = chance_range(chance, -400, 400);
    return trial;
}

static struct results predict(const struct trial *trial, const struct shepard_backend_info *on)
{
    struct model_options options = trial->options;
    options.points.backend = on->backend;
    return results_of(&trial->scene, &options, &trial->places);
}

/* What a map makes of all places of a trial. */
struct map {
    long double xx, xy, yx, yy;
};

static struct map turn_by(double angle)
{
    const long double c = cosl(angle * PI / 180), s = sinl(angle * PI / 180);
    return (struct map){c, -s, s, c};
}

static void map_all(const struct map *map, const struct scene *scene, size_t n, double *x,
                    double *y)
{
    for (size_t i = 0; i < n; i++) {
        const long double dx = (long double)x[i] - scene->x0, dy = (long double)y[i] - scene->y0;
        x[i] = (double)(map->xx * dx + map->xy * dy);
        y[i] = (double)(map->yx * dx + map->yy * dy);
    }
}

static void map_trial(struct trial *trial, const struct map *map)
{
    const struct scene *scene = &trial->scene;
    map_all(map, scene, scene->n, scene->x, scene->y);
    map_all(map, scene, trial->places.m, trial->places.x, trial->places.y);
}

/* The same as without anisotropy where the coordinates are mapped beforehand, by Eq. 38. */
static void mapped_beforehand(const struct shepard_backend_info *on, struct trial *trial)
{
    struct model_options *options = &trial->options;
    const struct model_options before = *options;
    const long double ratio = before.points.anisotropy_ratio;
    struct results got = predict(trial, on);
    struct map map = turn_by(-before.points.anisotropy_angle);
    map.xx /= ratio;
    map.xy /= ratio;
    map_trial(trial, &map);
    options->points.anisotropy_ratio = 1;
    options->parameters.neighbourhood.angle -= before.points.anisotropy_angle;
    options->parameters.adaptive.area /= before.points.anisotropy_ratio;
    struct results want = predict(trial, on);
    *options = before;
    compare_results(trial, &got, &want);
    results_free(&want);
    results_free(&got);
}

/* A stretch along is a shrink across in another unit of length. */
static void along_or_across(const struct shepard_backend_info *on, struct trial *trial)
{
    struct model_options *options = &trial->options;
    const struct model_options before = *options;
    const double ratio = before.points.anisotropy_ratio;
    struct results want = predict(trial, on);
    options->points.anisotropy_ratio = 1 / ratio;
    options->points.anisotropy_angle += 90;
    options->parameters.smoothing *= ratio;
    options->parameters.neighbourhood.radius1 *= ratio;
    options->parameters.neighbourhood.radius2 *= ratio;
    struct results got = predict(trial, on);
    *options = before;
    for (size_t i = 0; i < got.m; i++)
        got.nearest[i] = got.count[i] > 0 ? got.nearest[i] / ratio : got.nearest[i];
    compare_results(trial, &got, &want);
    results_free(&want);
    results_free(&got);
}

/* Data, places and angles turned together; sectors turn too. */
static void turned(const struct shepard_backend_info *on, struct trial *trial, double angle)
{
    const struct model_options before = trial->options;
    struct results want = predict(trial, on);
    const struct map map = turn_by(angle);
    map_trial(trial, &map);
    trial->options.points.anisotropy_angle += angle;
    trial->options.parameters.neighbourhood.angle += angle;
    struct results got = predict(trial, on);
    trial->options = before;
    compare_results(trial, &got, &want);
    results_free(&want);
    results_free(&got);
}

/* A ratio of 1 has no angle: the same bits. */
static void no_stretch(const struct shepard_backend_info *on, struct trial *trial)
{
    const struct model_options before = trial->options;
    trial->options.points.anisotropy_ratio = 1;
    struct results some = predict(trial, on);
    trial->options.points.anisotropy_angle = 0;
    struct results none = predict(trial, on);
    check(results_equal(&some, &none), "a ratio of 1 has an angle");
    trial->options = before;
    results_free(&some);
    results_free(&none);
}

/* The k nearest points by Eq. 37, but for those that rounding cannot tell apart. */
static void nearest_agree(const struct shepard_backend_info *on, const struct trial *trial)
{
    const size_t k = 5, m = trial->places.m;
    struct model_options options = trial->options;
    options.points.backend = on->backend;
    struct model *model = model_make(&trial->scene, &options);
    const struct shepard_targets targets = places_targets(&trial->places);
    uint32_t *indices = scene_memory(m * k, sizeof *indices);
    double *distances = scene_memory(m * k, sizeof *distances);
    check(model_nearest(model, &targets, k, indices, distances, NULL, NULL) == SHEPARD_OK,
          "no search");
    const long double angle = options.points.anisotropy_angle * PI / 180, c = cosl(angle),
                      s = sinl(angle);
    for (size_t i = 0; i < m; i++) {
        uint32_t want[5];
        const double x = trial->places.x[i], y = trial->places.y[i];
        slow_nearest(&trial->scene, &options, k, x, y, want);
        for (size_t j = 0; j < k; j++) {
            const long double dx = (long double)trial->scene.x[want[j]] - x;
            const long double dy = (long double)trial->scene.y[want[j]] - y;
            const double d = (double)hypotl((dx * c + dy * s) / options.points.anisotropy_ratio,
                                            dy * c - dx * s);
            const double limit = 1e-14 * d + trial_blur(trial, d);
            check_near(distances[i * k + j], d, limit, "counted distance");
            check(indices[i * k + j] == want[j] || d > 1e4 * trial->scene.size,
                  "neighbour %zu of place %zu is %u, not %u", j, i, indices[i * k + j], want[j]);
        }
    }
    free(distances);
    free(indices);
    model_free(model);
}

/* Very far away: distances by Eq. 37, and the mean of all values. */
static void far_away(const struct shepard_backend_info *on, struct trial *trial)
{
    double x[] = {1e300, -1e300, 1e300, 0, 1e290}, y[] = {0, 1e300, -1e300, -1e300, 1e-300};
    const struct places places = {5, x, y};
    struct model_options options = trial->options;
    options.points.backend = on->backend;
    options.parameters.method = SHEPARD_METHOD_IDW;
    options.parameters.degree = 0;
    options.parameters.smoothing = 0;
    struct results got = results_of(&trial->scene, &options, &places);
    const long double angle = options.points.anisotropy_angle * PI / 180, c = cosl(angle),
                      s = sinl(angle);
    for (size_t i = 0; i < places.m; i++) {
        const double d = (double)hypotl((x[i] * c + y[i] * s) / options.points.anisotropy_ratio,
                                        y[i] * c - x[i] * s);
        check_near(got.nearest[i], d, 1e-12 * d, "counted distance far away");
        check(isfinite(got.values[0][i]), "value %g far away", got.values[0][i]);
    }
    results_free(&got);
}

/* A given area that is the default changes nothing; info is of the user's plane. */
static void areas_agree(const struct shepard_backend_info *on, struct trial *trial)
{
    const struct model_options before = trial->options;
    trial->options.parameters.method = SHEPARD_METHOD_AIDW;
    trial->options.parameters.adaptive.area = 0;
    trial->options.parameters.adaptive.expect = SHEPARD_EXPECT_KNN;
    struct results want = predict(trial, on);
    struct model *model = model_make(&trial->scene, &trial->options);
    const struct shepard_points_info info = model_points_info(model);
    model_free(model);
    double x_min = trial->scene.x[0];
    for (size_t i = 0; i < trial->scene.n; i++)
        x_min = fmin(x_min, trial->scene.x[i]);
    check_near(info.x_min, x_min, 0, "x_min of the user's plane");
    trial->options.parameters.adaptive.area = info.area;
    struct results got = predict(trial, on);
    for (size_t i = 0; i < got.m; i++)
        check_near(got.power[i], want.power[i], 1e-13 * fabs(want.power[i]), "power of an area");
    trial->options = before;
    results_free(&want);
    results_free(&got);
}

static void try_one(const struct shepard_backend_info *on, int hood, int what, uint64_t seed)
{
    struct chance chance = {seed};
    struct trial trial = stretched_trial(hood, &chance);
    const bool huge = trial.scene.kind == SCENE_HUGE;
    trial_case(&trial, on->name, seed);
    switch (what) {
    case 0:
        mapped_beforehand(on, &trial);
        break;
    case 1:
        along_or_across(on, &trial);
        break;
    case 2:
        turned(on, &trial, chance_range(&chance, -180, 180));
        break;
    case 3:
        no_stretch(on, &trial);
        nearest_agree(on, &trial);
        break;
    default:
        if (!huge && hood == 0) {
            far_away(on, &trial);
            areas_agree(on, &trial);
        }
        break;
    }
    trial_free(&trial);
}

void suite_anisotropy(const struct suite *suite)
{
    for (size_t b = 0; b < suite->count; b++) {
        uint64_t seed = suite->seed + 11000000;
        for (int round = 0; round < 40; round++)
            for (int what = 0; what < 5; what++, seed++) {
                const int any = round % TRIAL_HOODS, one = one_sector[round % 10];
                const int hood = what == 1 ? one : what == 4 ? 0 : any;
                try_one(&suite->backends[b], hood, what, seed);
            }
    }
}
