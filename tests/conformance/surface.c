/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <stdlib.h>

/* Options by chance, degree 0 or 1 and precision as given. */
static struct model_options random_options(const struct shepard_backend_info *on,
                                           const struct scene *scene, struct chance *chance)
{
    struct model_options options = options_for(on->backend);
    const size_t k[] = {0, 3, 6, 12};
    const int sectors[] = {1, 4, 8};
    const double eps[] = {0, 1e-5, 1e-3};
    options.parameters.power = chance_range(chance, 0.5, 6);
    options.parameters.degree = (int)chance_below(chance, 2);
    options.parameters.precision =
        chance_below(chance, 2) ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
    options.parameters.neighbourhood.max_points = k[chance_below(chance, 4)];
    options.parameters.neighbourhood.sectors = sectors[chance_below(chance, 3)];
    options.parameters.eps = eps[chance_below(chance, 3)];
    options.parameters.method =
        chance_below(chance, 3) == 0 ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    options.parameters.adaptive.area =
        scene->kind == SCENE_TINY || scene->kind == SCENE_HUGE ? 0 : scene->size * scene->size;
    return options;
}

/* Of places inside the data's box. */
static double accuracy(const struct model_options *options)
{
    const bool all = options->parameters.neighbourhood.max_points == 0;
    const bool single = options->parameters.precision == SHEPARD_PRECISION_SINGLE &&
                        options->parameters.degree == 0 && all;
    return (single ? 1e-6 : 1e-12) + (all ? options->parameters.eps : 0);
}

/* At each data point the weighted mean of the values there. */
static void data_are_kept(const struct shepard_backend_info *on, const struct scene *scene,
                          struct chance *chance)
{
    const struct model_options options = random_options(on, scene, chance);
    const struct places places = {scene->n, scene->x, scene->y};
    struct model_options near = options;
    /* All points of one place are among the neighbours. */
    near.parameters.neighbourhood.max_points =
        options.parameters.neighbourhood.max_points > 0 ? scene->n : 0;
    struct results got = results_of(scene, &near, &places);
    for (size_t i = 0; i < scene->n; i++) {
        long double sum = 0, total = 0;
        for (size_t j = 0; j < scene->n; j++) {
            if (scene->x[j] != scene->x[i] || scene->y[j] != scene->y[i])
                continue;
            const long double q = scene->weights != NULL ? scene->weights[j] : 1;
            sum += q * scene->values[0][j];
            total += q;
        }
        const double range = scene_value_range(scene, 0);
        check_near(got.values[0][i], (double)(sum / total),
                   1e-14 * range + scene_value_rounding(scene, 0), "value at a data point");
        check_near(got.nearest[i], 0, 0, "distance at a data point");
    }
    results_free(&got);
}

static size_t count_at(const struct scene *scene, size_t i)
{
    size_t count = 0;
    for (size_t j = 0; j < scene->n; j++)
        count += scene->x[j] == scene->x[i] && scene->y[j] == scene->y[i];
    return count;
}

/* The value of a point that is alone at its place, to the last bit. */
static void own_values_are_kept(const struct shepard_backend_info *on, const struct scene *scene,
                                struct chance *chance)
{
    struct model_options options = random_options(on, scene, chance);
    options.parameters.degree = 0;
    const struct places places = {scene->n, scene->x, scene->y};
    struct results got = results_of(scene, &options, &places);
    for (size_t i = 0; i < scene->n; i++) {
        const size_t alone = count_at(scene, i) == 1 ? scene->columns : 0;
        for (size_t c = 0; c < alone; c++) {
            check_near(got.values[c][i], scene->values[c][i], 0, "value of a point alone");
            check_near(got.deviations[c][i], 0, 0, "deviation at a point alone");
        }
    }
    results_free(&got);
}

static void constants_are_kept(const struct shepard_backend_info *on, struct scene *scene,
                               struct chance *chance)
{
    const struct model_options options = random_options(on, scene, chance);
    const double constant = chance_range(chance, -1e7, 1e7);
    struct places places = scene_places(scene, 64, chance);
    for (size_t i = 0; i < scene->n; i++)
        scene->values[0][i] = constant;
    struct results got = results_of(scene, &options, &places);
    for (size_t i = 0; i < places.m; i++) {
        check_near(got.values[0][i], constant, 0, "value of a constant field");
        check_near(got.deviations[0][i], 0, 0, "deviation of a constant field");
    }
    results_free(&got);
    places_free(&places);
}

static void bounds_are_kept(const struct shepard_backend_info *on, const struct scene *scene,
                            struct chance *chance)
{
    struct model_options options = random_options(on, scene, chance);
    options.parameters.degree = 0;
    struct places places = scene_places(scene, 64, chance);
    struct results got = results_of(scene, &options, &places);
    for (size_t c = 0; c < scene->columns; c++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < scene->n; i++) {
            low = fmin(low, scene->values[c][i]);
            high = fmax(high, scene->values[c][i]);
        }
        for (size_t i = 0; i < places.m; i++)
            check(got.values[c][i] >= low && got.values[c][i] <= high,
                  "%.17g is not within %.17g to %.17g", got.values[c][i], low, high);
    }
    results_free(&got);
    places_free(&places);
}

/* How the data and places are changed. */
enum change { SHIFT, SCALE, TURN, PERMUTE, SHIFT_VALUES, SCALE_VALUES, CHANGES };

static double rounded(double a, double unit)
{
    return round(a / unit) * unit;
}

static void change_place(enum change change, double *x, double *y)
{
    const double old = *x;
    switch (change) {
    case SHIFT:
        *x += 1048576;
        *y -= 524288;
        break;
    case SCALE:
        *x *= 1000;
        *y *= 1000;
        break;
    case TURN:
        *x = -*y;
        *y = old;
        break;
    default:
        break;
    }
}

static void swap(double *a, size_t i, size_t j)
{
    const double old = a[i];
    a[i] = a[j];
    a[j] = old;
}

static void permute(struct scene *scene, struct chance *chance)
{
    for (size_t i = scene->n; i-- > 1;) {
        const size_t j = chance_below(chance, i + 1);
        swap(scene->x, i, j);
        swap(scene->y, i, j);
        if (scene->weights != NULL)
            swap(scene->weights, i, j);
        for (size_t c = 0; c < scene->columns; c++)
            swap(scene->values[c], i, j);
    }
}

static void change_scene(enum change change, struct scene *scene, struct places *places,
                         struct chance *chance)
{
    for (size_t i = 0; i < scene->n; i++)
        change_place(change, &scene->x[i], &scene->y[i]);
    for (size_t i = 0; i < places->m; i++)
        change_place(change, &places->x[i], &places->y[i]);
    if (change == PERMUTE)
        permute(scene, chance);
    for (size_t i = 0; i < scene->n; i++) {
        if (change == SHIFT_VALUES)
            scene->values[0][i] += 4096;
        if (change == SCALE_VALUES)
            scene->values[0][i] *= 0x1p-40;
    }
}

/* Coordinates and values on a grid fine enough for the data, coarse enough for exact changes. */
static void make_exact(struct scene *scene, struct places *places)
{
    for (size_t i = 0; i < scene->n; i++) {
        scene->x[i] = rounded(scene->x[i], 0x1p-24);
        scene->y[i] = rounded(scene->y[i], 0x1p-24);
        scene->values[0][i] = rounded(scene->values[0][i], 0x1p-30);
    }
    for (size_t i = 0; i < places->m; i++) {
        places->x[i] = rounded(places->x[i], 0x1p-24);
        places->y[i] = rounded(places->y[i], 0x1p-24);
    }
}

/* The same surface after the change, moved or scaled as the values were. */
static void changes_leave_it(const struct shepard_backend_info *on, enum scene_kind kind,
                             enum change change, struct chance *chance)
{
    struct scene scene = scene_make(kind, 150, 1, chance_below(chance, 2), chance);
    struct places places = scene_places_inside(&scene, 64, chance);
    make_exact(&scene, &places);
    struct model_options options = random_options(on, &scene, chance);
    const double range = scene_value_range(&scene, 0);
    /* Which of the points at one distance are taken goes by x, which a turn changes; so does the
     * sector of a point on a boundary. Uniform data have neither. */
    if (change == TURN && kind != SCENE_UNIFORM)
        options.parameters.neighbourhood.max_points = 0;
    struct results before = results_of(&scene, &options, &places);
    change_scene(change, &scene, &places, chance);
    if (change == SCALE)
        options.parameters.adaptive.area *= 1e6;
    struct results after = results_of(&scene, &options, &places);
    for (size_t i = 0; i < places.m; i++) {
        const double back = change == SHIFT_VALUES   ? after.values[0][i] - 4096
                            : change == SCALE_VALUES ? after.values[0][i] * 0x1p40
                                                     : after.values[0][i];
        check_near(back, before.values[0][i], 2 * accuracy(&options) * range + 0x1p-40,
                   "value after a change");
        check_near(after.count[i], before.count[i], 0, "count after a change");
        check_near(after.power[i], before.power[i], 1e-12 * before.power[i],
                   "power after a change");
    }
    results_free(&before);
    results_free(&after);
    places_free(&places);
    scene_free(&scene);
}

static struct model_options plane_options(enum shepard_backend backend, struct chance *chance)
{
    struct model_options options = options_for(backend);
    options.parameters.degree = 1;
    options.parameters.ridge = 0;
    options.parameters.damping = 0;
    options.parameters.power = chance_range(chance, 0.5, 3);
    return options;
}

/* Degree 1 without a ridge and damping gives a plane back, outside the data too; points on a line
 * give the line's slope along it and none across it. */
static void planes_are_kept(const struct model_options *options, struct scene *scene,
                            struct chance *chance)
{
    for (size_t i = 0; i < scene->n; i++)
        scene->values[0][i] = 7 + 2 * (scene->x[i] - scene->x0) / scene->size -
                              5 * (scene->y[i] - scene->y0) / scene->size;
    struct places places = scene_places_inside(scene, 64, chance);
    const bool line = scene->kind == SCENE_COLLINEAR;
    struct results got = results_of(scene, options, &places);
    for (size_t i = 0; i < places.m; i++) {
        const double u = (places.x[i] - scene->x0) / scene->size;
        const double v = (places.y[i] - scene->y0) / scene->size;
        /* On the line v = 2 u values are 7 - 8 t at the foot (t, 2 t) of the place. */
        const double want = line ? 7 - 8 * (u + 2 * v) / 5 : 7 + 2 * u - 5 * v;
        check_near(got.values[0][i], want, 1e-9, line ? "value off a line" : "value of a plane");
        check_measure("error of a plane without a ridge", fabs(got.values[0][i] - want));
    }
    results_free(&got);
    places_free(&places);
}

/* Far points are summed together, to within a tolerance: weights are inexact, the same in all sums
 * of a plane, which it is not tilted by. Where values are no plane results are within eps. */
static void planes_of_many_are_kept(const struct shepard_backend_info *on, struct chance *chance)
{
    const enum scene_kind kind = chance_below(chance, 2) ? SCENE_UNIFORM : SCENE_UTM;
    struct scene scene = scene_make(kind, 30000, 1, chance_below(chance, 2), chance);
    struct model_options options = plane_options(on->backend, chance);
    options.parameters.eps = pow(10, chance_range(chance, -4.5, -2.5));
    planes_are_kept(&options, &scene, chance);
    for (size_t i = 0; i < scene.n; i++)
        scene.values[0][i] = (scene.x[i] - scene.x0 < scene.size / 3) + chance_unit(chance);
    struct places places = scene_places_inside(&scene, 64, chance);
    struct results got = results_of(&scene, &options, &places);
    const double most = options.parameters.eps * scene_value_range(&scene, 0);
    options.parameters.eps = 0;
    options.parameters.precision = SHEPARD_PRECISION_DOUBLE;
    struct results exact = results_of(&scene, &options, &places);
    for (size_t i = 0; i < places.m; i++) {
        const double error = fabs(got.values[0][i] - exact.values[0][i]);
        check_near(error, 0, most, "error within eps of a plane of many points");
        check_measure("error of a plane of many points / (eps range)", error / most);
    }
    results_free(&got);
    results_free(&exact);
    places_free(&places);
    scene_free(&scene);
}

/* Damped planes are linear in the values, stay within range / (4 sqrt(damping)) of the weighted
 * mean from any distance (Eq. 12b), and end at it for large dampings. */
static void damped_planes_stay_near(const struct shepard_backend_info *on, struct scene *scene,
                                    struct chance *chance)
{
    struct model_options options = options_for(on->backend);
    const double damping = pow(10, chance_range(chance, -2, 2));
    options.parameters.neighbourhood.max_points = chance_below(chance, 2) ? 0 : 12;
    options.parameters.precision = SHEPARD_PRECISION_DOUBLE;
    options.parameters.eps = 0;
    struct places places = scene_places_inside(scene, 64, chance);
    for (size_t i = 0; i < scene->n; i++) {
        for (size_t c = 0; c < 2; c++)
            scene->values[c][i] = chance_range(chance, -1, 1);
        scene->values[2][i] = 2 * scene->values[0][i] - 3 * scene->values[1][i];
    }
    for (size_t i = 0; i < places.m; i += 2) {
        places.x[i] += chance_range(chance, -50, 50) * scene->size;
        places.y[i] += chance_range(chance, -50, 50) * scene->size;
    }
    struct results means = results_of(scene, &options, &places);
    options.parameters.degree = 1;
    options.parameters.damping = damping;
    struct results got = results_of(scene, &options, &places);
    options.parameters.damping = 1e200;
    struct results last = results_of(scene, &options, &places);
    for (size_t i = 0; i < places.m; i++) {
        const double *const *z = (const double *const *)got.values;
        check_near(z[2][i], 2 * z[0][i] - 3 * z[1][i], 1e-10, "value of a sum of columns");
        for (size_t c = 0; c < 2; c++) {
            const double farthest = scene_value_range(scene, c) / (4 * sqrt(damping));
            check_near(z[c][i], means.values[c][i], farthest + 1e-10, "damped plane");
            check_near(last.values[c][i], means.values[c][i], 1e-10, "plane of a large damping");
        }
    }
    results_free(&means);
    results_free(&got);
    results_free(&last);
    places_free(&places);
}

static void try_scene(const struct shepard_backend_info *on, enum scene_kind kind,
                      struct chance *chance)
{
    struct scene scene = scene_make(kind, 120, 3, chance_below(chance, 2), chance);
    data_are_kept(on, &scene, chance);
    own_values_are_kept(on, &scene, chance);
    bounds_are_kept(on, &scene, chance);
    constants_are_kept(on, &scene, chance);
    if (kind == SCENE_UNIFORM || kind == SCENE_UTM || kind == SCENE_COLLINEAR) {
        struct model_options options = plane_options(on->backend, chance);
        options.parameters.neighbourhood.max_points = chance_below(chance, 2) ? 0 : 25;
        planes_are_kept(&options, &scene, chance);
    }
    if (kind == SCENE_UNIFORM || kind == SCENE_UTM)
        damped_planes_stay_near(on, &scene, chance);
    scene_free(&scene);
}

void suite_surface(const struct suite *suite)
{
    struct chance chance = {suite->seed + 3000000};
    for (int round = 0; round < 6; round++)
        for (size_t b = 0; b < suite->count; b++) {
            const struct shepard_backend_info *on = &suite->backends[b];
            for (int kind = 0; kind < SCENE_KINDS; kind++) {
                check_case("seed %llu %s: surface of %s, round %d", (unsigned long long)suite->seed,
                           on->name, scene_name((enum scene_kind)kind), round);
                try_scene(on, (enum scene_kind)kind, &chance);
            }
            if (round % 3 == 0 && on->backend != SHEPARD_BACKEND_REF) {
                check_case("seed %llu %s: planes of many points, round %d",
                           (unsigned long long)suite->seed, on->name, round);
                planes_of_many_are_kept(on, &chance);
            }
            for (int change = 0; change < CHANGES; change++)
                for (int kind = 0; kind <= SCENE_LATTICE; kind++) {
                    check_case("seed %llu %s: change %d of %s, round %d",
                               (unsigned long long)suite->seed, on->name, change,
                               scene_name((enum scene_kind)kind), round);
                    changes_leave_it(on, (enum scene_kind)kind, (enum change)change, &chance);
                }
        }
}
