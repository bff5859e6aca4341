/* SPDX-License-Identifier: MIT */
/* Kriging on a sphere and in space: against its equations with distances of their own, solved by
 * elimination. */
#include "check.h"
#include "model.h"
#include "results.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define UNIT (3.14159265358979323846264338327950288L / 180)
#define RADIUS 6371008.8

#define POINTS 60
#define TARGETS 6
#define TRIALS 24
#define ACCURACY 1e-9

struct cloud {
    enum shepard_metric metric;
    double factor; /* vertical */
    double x[POINTS], y[POINTS], z[POINTS], values[POINTS];
    double at_x[TARGETS], at_y[TARGETS], at_z[TARGETS];
};

static void place(enum shepard_metric metric, struct chance *chance, double *x, double *y,
                  double *z)
{
    if (metric == SHEPARD_METRIC_SPHERE) {
        *x = chance_range(chance, -180, 180);
        *y = asin(chance_range(chance, -1, 1)) / (double)UNIT;
        *z = 0;
        return;
    }
    *x = chance_range(chance, 0, 1000);
    *y = chance_range(chance, 500, 1500);
    *z = chance_range(chance, -200, 0);
}

static struct cloud cloud_make(enum shepard_metric metric, struct chance *chance)
{
    struct cloud cloud = {.metric = metric, .factor = chance_below(chance, 2) ? 1 : 4};
    for (size_t i = 0; i < POINTS; i++) {
        place(metric, chance, &cloud.x[i], &cloud.y[i], &cloud.z[i]);
        cloud.values[i] = chance_range(chance, -5, 5);
    }
    for (size_t i = 0; i < TARGETS; i++)
        place(metric, chance, &cloud.at_x[i], &cloud.at_y[i], &cloud.at_z[i]);
    return cloud;
}

/* ---- the equations --------------------------------------------------------------------------- */

/* The straight line between two places: on a sphere the chord of the arc. */
static long double length(const struct cloud *cloud, const double a[3], const double b[3])
{
    if (cloud->metric == SHEPARD_METRIC_SPACE) {
        const long double dz = ((long double)a[2] - b[2]) * cloud->factor;
        return hypotl(hypotl((long double)a[0] - b[0], (long double)a[1] - b[1]), dz);
    }
    const long double s = sinl(((long double)a[1] - b[1]) / 2 * UNIT);
    const long double t = sinl(((long double)a[0] - b[0]) / 2 * UNIT);
    return 2 * RADIUS * sqrtl(s * s + cosl(a[1] * UNIT) * cosl(b[1] * UNIT) * t * t);
}

static long double semivariance(const struct shepard_kriging *kriging, long double d)
{
    const long double h = d / kriging->range;
    long double rise = h;
    if (d == 0)
        return 0;
    switch (kriging->covariance) {
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        rise = -expm1l(-h);
        break;
    case SHEPARD_COVARIANCE_SPHERICAL:
        rise = h < 1 ? h * (1.5L - 0.5L * h * h) : 1;
        break;
    case SHEPARD_COVARIANCE_MATERN32:
        rise = 1 - (1 + h) * expl(-h);
        break;
    case SHEPARD_COVARIANCE_GAUSSIAN:
        rise = -expm1l(-h * h);
        break;
    case SHEPARD_COVARIANCE_STABLE:
        rise = -expm1l(-powl(h, kriging->p));
        break;
    default:
        break;
    }
    return kriging->nugget + kriging->psill * rise;
}

struct near {
    long double d;
    size_t point;
};

static int by_distance(const void *a, const void *b)
{
    const struct near *first = a, *second = b;
    return (first->d > second->d) - (first->d < second->d);
}

static void place_of(const struct cloud *cloud, size_t i, double at[3])
{
    at[0] = cloud->x[i];
    at[1] = cloud->y[i];
    at[2] = cloud->z[i];
}

static void swap_rows(long double a[][POINTS + 2], size_t i, size_t j)
{
    long double row[POINTS + 2];
    memcpy(row, a[i], sizeof row);
    memcpy(a[i], a[j], sizeof row);
    memcpy(a[j], row, sizeof row);
}

/* n equations, the right side behind them: the solution in its place. */
static void eliminate(long double a[][POINTS + 2], size_t n)
{
    for (size_t j = 0; j < n; j++) {
        size_t best = j;
        for (size_t i = j + 1; i < n; i++)
            best = fabsl(a[i][j]) > fabsl(a[best][j]) ? i : best;
        swap_rows(a, j, best);
        for (size_t i = 0; i < n; i++) {
            const long double part = a[i][j] / a[j][j];
            for (size_t c = j; i != j && c <= n; c++)
                a[i][c] -= part * a[j][c];
        }
    }
    for (size_t i = 0; i < n; i++)
        a[i][n] /= a[i][i];
}

/* Ordinary kriging by semivariances from the nearest `count`, and its variance. */
static long double solve(const struct cloud *cloud, const struct shepard_kriging *kriging,
                         const struct near *near, size_t count, long double *variance)
{
    static long double a[POINTS + 1][POINTS + 2];
    long double value = 0, right[POINTS + 1];
    for (size_t i = 0; i < count; i++) {
        double own[3], other[3];
        place_of(cloud, near[i].point, own);
        for (size_t j = 0; j < count; j++) {
            place_of(cloud, near[j].point, other);
            a[i][j] = i == j ? 0 : semivariance(kriging, length(cloud, own, other));
        }
        a[i][count] = a[count][i] = 1;
        right[i] = a[i][count + 1] = semivariance(kriging, near[i].d);
    }
    a[count][count] = 0;
    right[count] = a[count][count + 1] = 1;
    eliminate(a, count + 1);
    *variance = 0;
    for (size_t i = 0; i <= count; i++)
        *variance += a[i][count + 1] * right[i];
    for (size_t i = 0; i < count; i++)
        value += a[i][count + 1] * cloud->values[near[i].point];
    return value;
}

/* ---- trials ---------------------------------------------------------------------------------- */

static struct model *model_of(const struct cloud *cloud, const struct model_options *options)
{
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = POINTS};
    coordinates.x = shepard_doubles(cloud->x);
    coordinates.y = shepard_doubles(cloud->y);
    if (cloud->metric == SHEPARD_METRIC_SPACE)
        coordinates.z = shepard_doubles(cloud->z);
    const struct shepard_array column = shepard_doubles(cloud->values);
    struct shepard_values values = {.size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_error error;
    struct model *model = NULL;
    if (!check(model_create(&coordinates, &values, options, &model, &error) == SHEPARD_OK,
               "no model: %s", error.message))
        exit(1);
    return model;
}

/* values and sds [m]. */
static void krige(const struct cloud *cloud, const struct model_options *options,
                  const struct shepard_targets *targets, double *values, double *sds)
{
    struct model *model = model_of(cloud, options);
    const struct shepard_output_array value = shepard_output_doubles(values);
    const struct shepard_output_array sd = shepard_output_doubles(sds);
    const struct shepard_output output = {.size = sizeof output, .values = &value, .sds = &sd};
    struct shepard_error error;
    const struct shepard_control control = model_control(&options->parameters, targets);
    check(model_predict(model, targets, &output, &control, &error) == SHEPARD_OK,
          "no prediction: %s", error.message);
    model_free(model);
}

static void draw(struct shepard_kriging *kriging, size_t trial, double size, struct chance *chance)
{
    kriging->kind = SHEPARD_KRIGING_ORDINARY;
    kriging->covariance = (enum shepard_covariance)(trial % 6);
    kriging->psill = chance_range(chance, 1, 20);
    kriging->nugget = chance_range(chance, 0.1, 3);
    kriging->range = size * pow(10, chance_range(chance, -1, 0.3));
    kriging->p =
        kriging->covariance == SHEPARD_COVARIANCE_STABLE ? chance_range(chance, 0.5, 1.8) : NAN;
    kriging->mean = NAN;
    kriging->sd = SHEPARD_KRIGING_SD_MODEL;
}

static struct model_options options_of(const struct cloud *cloud, size_t trial,
                                       enum shepard_backend backend, struct chance *chance)
{
    struct model_options options = options_for(backend);
    options.points.metric = cloud->metric;
    options.points.vertical_factor = cloud->factor;
    options.parameters.method = SHEPARD_METHOD_KRIGE;
    draw(&options.parameters.kriging, trial, cloud->metric == SHEPARD_METRIC_SPHERE ? RADIUS : 1000,
         chance);
    return options;
}

static struct shepard_targets list_of(const struct cloud *cloud)
{
    struct shepard_targets targets = {.size = sizeof targets, .count = TARGETS};
    targets.x = shepard_doubles(cloud->at_x);
    targets.y = shepard_doubles(cloud->at_y);
    if (cloud->metric == SHEPARD_METRIC_SPACE)
        targets.z = shepard_doubles(cloud->at_z);
    return targets;
}

/* The distances of the points other than `without` from a place, nearest first. */
static size_t sort(const struct cloud *cloud, const double at[3], size_t without,
                   struct near near[POINTS])
{
    size_t count = 0;
    for (size_t i = 0; i < POINTS; i++) {
        double own[3];
        place_of(cloud, i, own);
        if (i != without)
            near[count++] = (struct near){length(cloud, at, own), i};
    }
    qsort(near, count, sizeof *near, by_distance);
    return count;
}

static void against_equations(const struct shepard_backend_info *on, const struct cloud *cloud,
                              size_t trial, struct chance *chance)
{
    const size_t limits[] = {0, 1, 7, 16}, k = limits[trial / 6 % 4];
    struct model_options options = options_of(cloud, trial, on->backend, chance);
    const struct shepard_kriging *kriging = &options.parameters.kriging;
    const bool left_out = chance_below(chance, 3) == 0;
    const double sill = kriging->psill + kriging->nugget;
    struct shepard_targets targets = list_of(cloud);
    if (left_out)
        targets =
            (struct shepard_targets){.size = sizeof targets, .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT};
    double values[POINTS], sds[POINTS];
    options.parameters.neighbourhood.max_points = k;
    krige(cloud, &options, &targets, values, sds);
    for (size_t i = 0; i < (left_out ? POINTS : TARGETS); i++) {
        struct near near[POINTS];
        double at[3] = {cloud->at_x[i % TARGETS], cloud->at_y[i % TARGETS],
                        cloud->at_z[i % TARGETS]};
        long double variance;
        if (left_out)
            place_of(cloud, i, at);
        const size_t count = sort(cloud, at, left_out ? i : POINTS, near);
        const long double want = solve(cloud, kriging, near, k > 0 ? k : count, &variance);
        check_near(values[i], (double)want, 10 * ACCURACY, "value");
        check_near(sds[i] * sds[i], (double)variance, fmax(sill, (double)variance) * ACCURACY,
                   "variance");
    }
}

/* Of neighbourhoods and kinds that the equations above do not have, against ref. */
static void against_ref(const struct shepard_backend_info *on, const struct cloud *cloud,
                        size_t trial, struct chance *chance)
{
    const double size = cloud->metric == SHEPARD_METRIC_SPHERE ? RADIUS : 400;
    struct model_options options = options_of(cloud, trial, on->backend, chance);
    struct shepard_neighbourhood *hood = &options.parameters.neighbourhood;
    const struct shepard_targets targets = list_of(cloud);
    double got[2][TARGETS], want[2][TARGETS];
    hood->sectors = trial % 2 ? 8 : 4;
    hood->max_points_per_sector = 2;
    if (trial % 3 == 0)
        hood->radius1 = hood->radius2 = size;
    options.parameters.kriging.sd = SHEPARD_KRIGING_SD_LOCAL;
    if (trial % 4 == 1 && options.parameters.kriging.covariance != SHEPARD_COVARIANCE_LINEAR) {
        options.parameters.kriging.kind = SHEPARD_KRIGING_SIMPLE;
        options.parameters.kriging.mean = 1;
    }
    krige(cloud, &options, &targets, got[0], got[1]);
    options.points.backend = SHEPARD_BACKEND_REF;
    krige(cloud, &options, &targets, want[0], want[1]);
    for (size_t i = 0; i < TARGETS; i++) {
        check_near(got[0][i], want[0][i], 10 * ACCURACY, "value of ref");
        check_near(got[1][i], want[1][i], 10 * 1e-6, "sd of ref");
    }
}

/* In a plane of space, and on a patch of the sphere, kriging is that of the plane. */
static void as_in_plane(const struct shepard_backend_info *on, struct cloud *cloud, size_t trial,
                        struct chance *chance)
{
    struct model_options options = options_of(cloud, trial, on->backend, chance);
    struct cloud flat = *cloud;
    double values[2][TARGETS], sds[2][TARGETS];
    if (cloud->metric == SHEPARD_METRIC_SPHERE)
        return;
    for (size_t i = 0; i < POINTS; i++)
        cloud->z[i] = 7;
    for (size_t i = 0; i < TARGETS; i++)
        cloud->at_z[i] = 7;
    options.parameters.neighbourhood.max_points = trial % 2 ? 12 : 0;
    struct shepard_targets targets = list_of(cloud);
    krige(cloud, &options, &targets, values[0], sds[0]);
    flat.metric = options.points.metric = SHEPARD_METRIC_PLANE;
    targets = list_of(&flat);
    krige(&flat, &options, &targets, values[1], sds[1]);
    for (size_t i = 0; i < TARGETS; i++) {
        check_near(values[0][i], values[1][i], 10 * 1e-11, "value of the plane");
        check_near(sds[0][i], sds[1][i], 10 * 1e-9, "sd of the plane");
    }
}

void suite_kriging_3d(const struct suite *suite)
{
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        for (size_t trial = 0; trial < TRIALS; trial++)
            for (int sphere = 0; sphere < 2; sphere++) {
                const uint64_t seed = suite->seed + 2 * trial + (uint64_t)sphere;
                struct chance chance = {seed};
                struct cloud cloud =
                    cloud_make(sphere ? SHEPARD_METRIC_SPHERE : SHEPARD_METRIC_SPACE, &chance);
                check_case("seed %llu %s: kriging %s, trial %zu", (unsigned long long)seed,
                           on->name, sphere ? "on the sphere" : "in space", trial);
                against_equations(on, &cloud, trial, &chance);
                if (on->backend != SHEPARD_BACKEND_REF)
                    against_ref(on, &cloud, trial, &chance);
                as_in_plane(on, &cloud, trial, &chance);
            }
    }
}
