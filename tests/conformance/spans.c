/* SPDX-License-Identifier: MIT */
/* Lengths of one model over many decades: what doubles can square is as exact as ever, whatever
 * else is refused. */
#include "check.h"
#include "compare.h"
#include "suite.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* What a length must at least be where the data's box has a half side of 1 / 2 to 1
 * (docs/math/rounding.md). */
#define LEAST 0x1p-440

/* ---- what is refused ------------------------------------------------------------------------- */

static enum shepard_status create(const struct scene *scene, const struct model_options *options,
                                  struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = scene_coordinates(scene);
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(scene, columns);
    *error = (struct shepard_error){0};
    return model_try(&coordinates, &values, options, error);
}

/* argument: the one that must be refused; NULL: no refusal. */
static void check_creation(const struct scene *scene, const struct model_options *options,
                           const char *argument)
{
    struct shepard_error error;
    const enum shepard_status status = create(scene, options, &error);
    if (argument == NULL)
        check(status == SHEPARD_OK, "refused: %s", error.message);
    else
        check(status == SHEPARD_ERROR_ARGUMENT && strcmp(error.argument, argument) == 0 &&
                  strstr(error.message, "too small") != NULL && strchr(error.message, '0') != NULL,
              "status %d for \"%s\", not %s: %s", status, error.argument, argument, error.message);
}

static void small_coordinates(const struct shepard_backend_info *on)
{
    double x[] = {0, 1e-10, 1e200}, y[] = {0, 0, 0}, z[] = {1, 2, 3};
    const struct scene scene = {.n = 3, .columns = 1, .x = x, .y = y, .values = {z}, .size = 1};
    const struct model_options options = options_for(on->backend);
    check_case("%s: small coordinates", on->name);
    check_creation(&scene, &options, "coordinates.x");
    x[2] = 1;
    x[1] = LEAST;
    check_creation(&scene, &options, NULL);
    x[1] = -LEAST;
    check_creation(&scene, &options, NULL);
    x[1] = -LEAST / 2;
    check_creation(&scene, &options, "coordinates.x");
    z[1] = NAN; /* missing, but the point is there */
    check_creation(&scene, &options, "coordinates.x");
    z[1] = 2;
    y[1] = NAN;
    check_creation(&scene, &options, NULL);
    x[1] = 0;
    y[1] = LEAST / 2;
    check_creation(&scene, &options, "coordinates.y");
    y[1] = 0;
    x[0] = x[1] = x[2] = 1e-300;
    check_creation(&scene, &options, NULL);
}

static void small_lengths(const struct shepard_backend_info *on)
{
    double x[] = {0, 0.5, 1}, y[] = {0, 1, 0}, z[] = {1, 2, 3};
    const struct scene scene = {.n = 3, .columns = 1, .x = x, .y = y, .values = {z}, .size = 1};
    struct model_options options = options_for(on->backend);
    check_case("%s: small lengths", on->name);
    options.parameters.smoothing = LEAST;
    check_creation(&scene, &options, NULL);
    options.parameters.smoothing = LEAST / 2;
    check_creation(&scene, &options, "parameters.smoothing");
    options.parameters.smoothing = 0;
    options.parameters.neighbourhood.radius1 = options.parameters.neighbourhood.radius2 = LEAST;
    check_creation(&scene, &options, NULL);
    options.parameters.neighbourhood.radius2 = LEAST / 2;
    check_creation(&scene, &options, "parameters.neighbourhood.radius2");
    options.parameters.neighbourhood.radius1 = DBL_MIN;
    check_creation(&scene, &options, "parameters.neighbourhood.radius1");
}

/* ---- what is exact --------------------------------------------------------------------------- */

static double any_size(struct chance *chance, double exponent_max)
{
    const double a = pow(10, chance_range(chance, -exponent_max, exponent_max));
    const size_t sign = chance_below(chance, 9);
    return sign == 0 ? 0 : sign < 5 ? a : -a;
}

/* Coordinates over up to 120 decades, of any unit. */
static struct scene wide_scene(double exponent_max, double unit, bool weighted,
                               struct chance *chance)
{
    const size_t n = 1 + chance_below(chance, 120);
    struct scene scene = scene_make(SCENE_UNIFORM, n, 1, weighted, chance);
    for (size_t i = 0; i < n; i++) {
        scene.x[i] = unit * any_size(chance, exponent_max);
        scene.y[i] = unit * any_size(chance, exponent_max);
        scene.values[0][i] = chance_range(chance, -1, 1);
        if (weighted)
            scene.weights[i] = pow(10, chance_range(chance, -20, 20));
    }
    return scene;
}

static double largest_coordinate(const struct scene *scene)
{
    double most = 0;
    for (size_t i = 0; i < scene->n; i++)
        most = fmax(most, fmax(fabs(scene->x[i]), fabs(scene->y[i])));
    return most;
}

/* On points, near them, anywhere. */
static struct places wide_places(const struct scene *scene, double exponent_max, double unit,
                                 struct chance *chance)
{
    struct places places = scene_places_inside(scene, 24, chance);
    for (size_t i = 0; i < places.m; i++) {
        const size_t j = chance_below(chance, scene->n);
        const double step = chance_range(chance, -1, 1) * pow(10, chance_range(chance, -12, 1));
        const bool anywhere = i % 3 == 2;
        places.x[i] = anywhere ? unit * any_size(chance, exponent_max) : scene->x[j];
        places.y[i] = anywhere ? unit * any_size(chance, exponent_max) : scene->y[j];
        if (i % 3 == 1)
            places.x[i] += step * (fabs(scene->x[j]) + fabs(scene->y[j]));
    }
    return places;
}

/* A length that is taken: of any size, or near to those of the data. */
static double any_length(double most, struct chance *chance)
{
    return most * pow(10, chance_below(chance, 2) ? chance_range(chance, -130, 60)
                                                  : chance_range(chance, -12, 1));
}

static struct model_options wide_options(double most, struct chance *chance)
{
    static const double eps[] = {0, 1e-2, 1e-5, 1e-8, 1e-12};
    struct model_options options = options_for(SHEPARD_BACKEND_REF);
    options.parameters.precision =
        chance_below(chance, 2) ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
    options.parameters.eps =
        eps[chance_below(chance, options.parameters.precision == SHEPARD_PRECISION_SINGLE ? 3 : 5)];
    options.parameters.power = chance_below(chance, 3) ? pow(10, chance_range(chance, -2.5, 2))
                                                       : (double)(1 + chance_below(chance, 4));
    if (chance_below(chance, 2))
        options.parameters.smoothing = any_length(most, chance);
    if (chance_below(chance, 3) == 0) {
        struct shepard_neighbourhood *hood = &options.parameters.neighbourhood;
        hood->radius1 = hood->radius2 = any_length(most, chance);
        if (chance_below(chance, 2))
            hood->radius2 *= pow(10, chance_range(chance, -2, 2));
        hood->angle = chance_range(chance, -180, 180);
    }
    return options;
}

static void wide_trial(const struct suite *suite, uint64_t seed)
{
    struct chance chance = {seed};
    const double exponent_max = chance_range(&chance, 0, 60);
    const double unit = pow(10, chance_range(&chance, -200, 200));
    struct trial trial = {.scene =
                              wide_scene(exponent_max, unit, chance_below(&chance, 2), &chance)};
    const double most = largest_coordinate(&trial.scene);
    trial.places = wide_places(&trial.scene, exponent_max, unit, &chance);
    trial.options = wide_options(most > 0 ? most : 1, &chance);
    struct results reference = compare_slow(&trial);
    for (size_t b = 0; b < suite->count; b++) {
        trial.options.points.backend = suite->backends[b].backend;
        trial_case(&trial, suite->backends[b].name, seed);
        struct results got = results_of(&trial.scene, &trial.options, &trial.places);
        compare_results(&trial, &got, &reference);
        results_free(&got);
    }
    results_free(&reference);
    trial_free(&trial);
}

static int ascending(const void *first, const void *second)
{
    const long double a = *(const long double *)first, b = *(const long double *)second;
    return (a > b) - (a < b);
}

/* The distances of the nearest points, over all decades. */
static void wide_nearest(const struct shepard_backend_info *on, uint64_t seed)
{
    enum { K = 5 };
    struct chance chance = {seed};
    struct scene scene = wide_scene(60, 1, false, &chance);
    struct places places = wide_places(&scene, 60, 1, &chance);
    const struct model_options options = options_for(on->backend);
    const struct shepard_targets targets = places_targets(&places);
    struct model *model = model_make(&scene, &options);
    double *got = scene_memory(places.m * K, sizeof *got);
    long double *want = scene_memory(scene.n, sizeof *want);
    check_case("seed %llu %s: nearest points over all decades", (unsigned long long)seed, on->name);
    check(model_nearest(model, &targets, K, NULL, got, NULL, NULL) == SHEPARD_OK, "no search");
    for (size_t i = 0; i < places.m; i++) {
        for (size_t j = 0; j < scene.n; j++)
            want[j] = hypotl((long double)scene.x[j] - places.x[i],
                             (long double)scene.y[j] - places.y[i]);
        qsort(want, scene.n, sizeof *want, ascending);
        for (size_t j = 0; j < K && j < scene.n; j++)
            check_near(got[i * K + j], (double)want[j], 1e-12 * (double)want[j], "distance");
    }
    free(got);
    free(want);
    model_free(model);
    places_free(&places);
    scene_free(&scene);
}

/* ---- planes of far-off weight ---------------------------------------------------------------- */

/* Of 113 bits, for sums, products and quotients alone. */
#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 wide_number;
#else
typedef long double wide_number;
#endif
#define WIDE_ENOUGH                                                                                \
    (sizeof(wide_number) == 16 && (sizeof(long double) != 16 || LDBL_MANT_DIG != 53))

struct exact_plane {
    double value, leverage, condition; /* Eq. 36a */
    bool line;                         /* too near to one to say which */
};

struct plane_sums {
    wide_number w, x, y, z;
    wide_number xx, xy, yy, xz, yz;
};

static wide_number squared(const struct scene *scene, size_t i, double x, double y)
{
    const wide_number dx = (wide_number)scene->x[i] - x, dy = (wide_number)scene->y[i] - y;
    return dx * dx + dy * dy;
}

/* Of power 2 p: nothing but quotients. */
static wide_number plane_weight(const struct scene *scene, const struct model_options *options,
                                size_t i, double x, double y)
{
    const wide_number s = options->parameters.smoothing, d2 = squared(scene, i, x, y) + s * s;
    wide_number w = scene->weights[i];
    for (int p = 0; p < (int)options->parameters.power / 2; p++)
        w /= d2;
    return w;
}

/* Sums about (x, y), the weighted means x, y and z being those of means. */
static struct plane_sums sums_about(const struct scene *scene, const struct model_options *options,
                                    double x, double y, const struct plane_sums *means)
{
    struct plane_sums s = {0};
    for (size_t i = 0; i < scene->n; i++) {
        const wide_number w = plane_weight(scene, options, i, x, y);
        const wide_number dx = (wide_number)scene->x[i] - x - means->x;
        const wide_number dy = (wide_number)scene->y[i] - y - means->y;
        const wide_number dz = scene->values[0][i] - means->z;
        s.w += w;
        s.x += w * dx;
        s.y += w * dy;
        s.z += w * dz;
        s.xx += w * dx * dx;
        s.xy += w * dx * dy;
        s.yy += w * dy * dy;
        s.xz += w * dx * dz;
        s.yz += w * dy * dz;
    }
    return s;
}

static int ascending_wide(const void *first, const void *second)
{
    const wide_number a = *(const wide_number *)first, b = *(const wide_number *)second;
    return (a > b) - (a < b);
}

/* Newton's steps double the digits of a double's root. */
static wide_number root(wide_number a)
{
    wide_number r = sqrt((double)a);
    for (int step = 0; r > 0 && step < 2; step++)
        r = (r + a / r) / 2;
    return r;
}

/* With all points the ridge goes by the median distance of so many nearest points. */
#define RIDGE_NEIGHBOURS 10

/* Eq. 11 */
static wide_number median(const struct scene *scene, const struct model_options *options, double x,
                          double y)
{
    const bool all = options->parameters.neighbourhood.max_points == 0;
    const size_t count = all && scene->n > RIDGE_NEIGHBOURS ? RIDGE_NEIGHBOURS : scene->n;
    wide_number *d2 = scene_memory(scene->n, sizeof *d2);
    for (size_t i = 0; i < scene->n; i++)
        d2[i] = squared(scene, i, x, y);
    qsort(d2, scene->n, sizeof *d2, ascending_wide);
    const wide_number h = (root(d2[(count - 1) / 2]) + root(d2[count / 2])) / 2;
    free(d2);
    return h;
}

/* Eq. 12b with the penalty of Eq. 11. */
static struct exact_plane plane_at(const struct scene *scene, const struct model_options *options,
                                   double x, double y)
{
    const struct plane_sums none = {0};
    struct plane_sums m = sums_about(scene, options, x, y, &none);
    m.x /= m.w;
    m.y /= m.w;
    m.z /= m.w;
    const struct plane_sums s = sums_about(scene, options, x, y, &m);
    const wide_number h = median(scene, options, x, y), g = options->parameters.ridge * h * h * s.w;
    const wide_number xx = s.xx + g, yy = s.yy + g, d = xx * yy - s.xy * s.xy, trace = xx + yy;
    const wide_number b = (yy * s.xz - s.xy * s.yz) / d, c = (xx * s.yz - s.xy * s.xz) / d;
    const wide_number leverage = s.w * (yy * m.x * m.x - 2 * s.xy * m.x * m.y + xx * m.y * m.y) / d;
    const wide_number kept = 1 / (1 + options->parameters.damping * leverage);
    return (struct exact_plane){(double)(m.z - kept * (b * m.x + c * m.y)), (double)leverage,
                                (double)trace / sqrt((double)d), d < 2e-14 * trace * trace};
}

/* Two clusters a millionth wide or so at coordinates of a million, one of most points, the other of
 * nearly all weight. */
static struct scene far_off_scene(struct chance *chance)
{
    struct scene scene = scene_make(SCENE_UNIFORM, 5 + chance_below(chance, 30), 1, true, chance);
    const double size = pow(10, chance_range(chance, -7, -3));
    const double decades = chance_range(chance, 0, 90);
    const double x[] = {chance_range(chance, -2e6, 2e6), chance_range(chance, -2e6, 2e6)};
    const double y[] = {chance_range(chance, -2e6, 2e6), chance_range(chance, -2e6, 2e6)};
    for (size_t i = 0; i < scene.n; i++) {
        const bool heavy = i < 2;
        scene.x[i] = x[heavy] + size * chance_range(chance, -1, 1);
        scene.y[i] = y[heavy] + size * chance_range(chance, -1, 1);
        scene.values[0][i] = chance_range(chance, -1, 1);
        scene.weights[i] = pow(10, chance_range(chance, -2, 2) + (heavy ? decades : 0));
    }
    return scene;
}

/* What is promised of planes: rounding in double, magnified, but by ref; and that of the result. */
static double plane_slack(const struct model_options *options, const struct exact_plane *exact,
                          double range)
{
    const double magnified = options->points.backend == SHEPARD_BACKEND_REF
                                 ? 0
                                 : 0x1p-51 * (100 + exact->condition) * sqrt(1 + exact->leverage);
    return (1e-12 + options->parameters.eps + magnified) * range +
           0x1p-51 * (fabs(exact->value) + range);
}

static void far_off_planes(const struct suite *suite, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = far_off_scene(&chance);
    struct model_options options = options_for(SHEPARD_BACKEND_REF);
    const double dampings[] = {0, 0.2, 1, 100};
    options.parameters.degree = 1;
    options.parameters.power = chance_below(&chance, 2) ? 2 : 4;
    options.parameters.damping = dampings[chance_below(&chance, 4)];
    options.parameters.smoothing =
        chance_below(&chance, 2) ? 0 : pow(10, chance_range(&chance, -8, 12));
    if (chance_below(&chance, 2))
        options.parameters.neighbourhood.max_points = scene.n;
    else if (chance_below(&chance, 2))
        options.parameters.eps = 1e-5;
    const double range = scene_value_range(&scene, 0);
    struct places places = scene_places_inside(&scene, 8, &chance);
    for (size_t i = 0; i < places.m; i++) {
        const size_t j = chance_below(&chance, scene.n);
        places.x[i] = scene.x[j] + 1e-6 * chance_range(&chance, -1, 1);
        places.y[i] = scene.y[j] + 1e-6 * chance_range(&chance, -1, 1);
    }
    for (size_t b = 0; b < suite->count; b++) {
        options.points.backend = suite->backends[b].backend;
        check_case("seed %llu %s: planes of far-off weight, power %g smoothing %g eps %g "
                   "damping %g, %zu points",
                   (unsigned long long)seed, suite->backends[b].name, options.parameters.power,
                   options.parameters.smoothing, options.parameters.eps, options.parameters.damping,
                   options.parameters.neighbourhood.max_points);
        struct results got = results_of(&scene, &options, &places);
        for (size_t i = 0; i < places.m; i++) {
            const struct exact_plane exact = plane_at(&scene, &options, places.x[i], places.y[i]);
            if (!exact.line)
                check_near(got.values[0][i], exact.value, plane_slack(&options, &exact, range),
                           "plane");
        }
        results_free(&got);
    }
    places_free(&places);
    scene_free(&scene);
}

/* All weight at two points, the others 1e10 to 1e30 times farther apart: the plane goes through the
 * two. */
static void light_points_afar(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct scene scene = scene_make(SCENE_UNIFORM, 24, 1, true, &chance);
    struct model_options options = options_for(on->backend);
    check_case("seed %llu %s: light points far away", (unsigned long long)seed, on->name);
    options.parameters.degree = 1;
    options.parameters.ridge = 0;
    options.parameters.damping = 0;
    options.parameters.eps = 1e-5;
    options.parameters.smoothing = 1e60;
    for (size_t i = 0; i < scene.n; i++) {
        const bool heavy = i < 2;
        scene.x[i] = heavy ? 0 : chance_range(&chance, -1e30, 1e30);
        scene.y[i] = heavy ? 0 : chance_range(&chance, -1e30, 1e30);
        scene.values[0][i] = (double)(i % 2);
        scene.weights[i] = heavy ? pow(1e-8, (double)i) : 1e-90;
    }
    scene.x[1] = pow(10, chance_range(&chance, 0, 20));
    const struct places places = {1, &scene.x[1], &scene.y[1]};
    struct results got = results_of(&scene, &options, &places);
    check_near(got.values[0][0], 1, 1e-5, "plane");
    results_free(&got);
    scene_free(&scene);
}

void suite_spans(const struct suite *suite)
{
    const uint64_t seed = suite->seed + 15000000;
    for (size_t b = 0; b < suite->count; b++) {
        small_coordinates(&suite->backends[b]);
        small_lengths(&suite->backends[b]);
        for (uint64_t round = 0; round < 40; round++)
            light_points_afar(&suite->backends[b], seed + 3000 + round);
        for (uint64_t round = 0; round < 40; round++)
            wide_nearest(&suite->backends[b], seed + round);
    }
    for (uint64_t round = 0; round < 150; round++)
        wide_trial(suite, seed + 1000 + round);
    for (uint64_t round = 0; WIDE_ENOUGH && round < 200; round++)
        far_off_planes(suite, seed + 2000 + round);
}
