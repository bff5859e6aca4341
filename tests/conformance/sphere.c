/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "model.h"
#include "results.h"
#include "scene.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846264338327950288L
#define RADIUS 6371008.8
/* Twice what a place is known to: 2^-52 of the radius, metres. */
#define PLACE_ERROR (2 * RADIUS * 0x1p-52)

#define POINTS 150
#define TARGETS 8
#define TRIALS 10
#define COLUMNS 3

/* ---- data ------------------------------------------------------------------------------------ */

enum kind { GLOBE, POLE, DATE_LINE, ANTIPODES, PATCH, PLACES, KINDS };

static const char *const names[KINDS] = {"globe",     "pole",  "date line",
                                         "antipodes", "patch", "places"};

/* The same meridian by another name. */
static double renamed(double longitude, struct chance *chance)
{
    static const double turns[] = {0, 0, 360, -360, 720};
    return longitude + turns[chance_below(chance, 5)];
}

/* Place number i: irregular, for equal arcs would be taken by their rounding; with both poles and
 * the meridian 180. */
static void at_place(size_t i, double *x, double *y)
{
    struct chance chance = {i};
    *x = i == 2 ? -180 : ldexp(floor(chance_range(&chance, -180, 180) * 1024), -10);
    *y = i < 2 ? 90 - 180 * (double)i : chance_range(&chance, -90, 90);
}

static void degrees(enum kind kind, size_t i, struct chance *chance, double *x, double *y)
{
    *x = chance_range(chance, -180, 180);
    *y = asin(chance_range(chance, -1, 1)) * 180 / (double)PI;
    switch (kind) {
    case POLE:
        *y = i % 8 == 0 ? 90 : 90 - 3 * chance_unit(chance) * chance_unit(chance);
        break;
    case DATE_LINE:
        *x = i % 10 == 0 ? 180 - 360 * (double)(i / 10 % 2)
                         : (i % 2 ? 179.9 : -180) + chance_unit(chance) / 10;
        *y = chance_range(chance, 10, 10.2);
        break;
    case PATCH:
        *x = 8 + chance_unit(chance) / 1024;
        *y = 47 + chance_unit(chance) / 1024;
        break;
    case PLACES: /* many at one place, by several names */
        at_place(chance_below(chance, 30), x, y);
        *x = renamed(*x, chance);
        break;
    default:
        break;
    }
}

struct globe {
    enum kind kind;
    double x[POINTS], y[POINTS], weights[POINTS], values[COLUMNS][POINTS];
    double at_x[TARGETS], at_y[TARGETS];
    bool weighted;
};

static void fill(struct globe *globe, enum kind kind, struct chance *chance)
{
    globe->kind = kind;
    globe->weighted = chance_below(chance, 3) == 0;
    for (size_t i = 0; i < POINTS; i++) {
        degrees(kind, i, chance, &globe->x[i], &globe->y[i]);
        globe->weights[i] = chance_range(chance, 0.1, 3);
        for (size_t c = 0; c < COLUMNS; c++)
            globe->values[c][i] = chance_range(chance, -5, 5);
        if (i % 7 == 3)
            globe->values[2][i] = NAN;
    }
    for (size_t i = 0; i < TARGETS; i++) {
        degrees(kind, i, chance, &globe->at_x[i], &globe->at_y[i]);
        const size_t at = chance_below(chance, POINTS);
        if (i % 6 == 1) { /* at a point */
            globe->at_x[i] = globe->x[at];
            globe->at_y[i] = globe->y[at];
        } else if (kind == ANTIPODES) { /* nearly or exactly opposite one */
            globe->at_x[i] = globe->x[at] > 0 ? globe->x[at] - 180 : globe->x[at] + 180;
            globe->at_y[i] = -globe->y[at] * (i % 2 ? 1 : 1 - 1e-6 * chance_unit(chance));
        }
    }
}

/* ---- the equations --------------------------------------------------------------------------- */

/* Half of the arc's sine, squared (Eq. 96a), in metres of arc. */
static long double arc(double x0, double y0, double x1, double y1)
{
    const long double unit = PI / 180;
    const long double a = sinl(((long double)y1 - y0) / 2 * unit);
    const long double b = sinl(((long double)x1 - x0) / 2 * unit);
    const long double h = a * a + cosl(y0 * unit) * cosl(y1 * unit) * b * b;
    return 2 * RADIUS * (long double)asinl(sqrtl(fminl(h, 1)));
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

/* The arcs to all points, nearest first. */
static void sort_arcs(const struct globe *globe, double x, double y, struct near near[POINTS])
{
    for (size_t i = 0; i < POINTS; i++)
        near[i] = (struct near){arc(x, y, globe->x[i], globe->y[i]), i};
    qsort(near, POINTS, sizeof *near, by_distance);
}

/* IDW from the first `count` of a column without gaps. */
static double mean_of(const struct globe *globe, size_t column, const struct near *near,
                      size_t count, double power, double smoothing)
{
    long double sum = 0, total = 0;
    for (size_t i = 0; i < count; i++) {
        const long double d2 = near[i].d * near[i].d + (long double)smoothing * smoothing;
        const long double unit2 = near[0].d * near[0].d + (long double)smoothing * smoothing;
        long double w = unit2 > 0 ? powl(unit2 / d2, power / 2) : d2 == 0;
        w *= globe->weighted ? globe->weights[near[i].point] : 1;
        sum += w * globe->values[column][near[i].point];
        total += w;
    }
    return (double)(sum / total);
}

/* ---- predictions ----------------------------------------------------------------------------- */

static struct model *model_of(const struct globe *globe, const struct model_options *options)
{
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = POINTS};
    coordinates.x = shepard_doubles(globe->x);
    coordinates.y = shepard_doubles(globe->y);
    struct shepard_array columns[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        columns[c] = shepard_doubles(globe->values[c]);
    struct shepard_values values = {.size = sizeof values, .column_count = COLUMNS};
    values.columns = columns;
    if (globe->weighted)
        values.weights = shepard_doubles(globe->weights);
    struct shepard_error error;
    struct model *model = NULL;
    if (!check(model_create(&coordinates, &values, options, &model, &error) == SHEPARD_OK,
               "no model: %s", error.message))
        exit(1);
    check(model_is_on(model, options->points.backend), "the points are on another backend");
    return model;
}

static struct model_options sphere_options(enum shepard_backend backend)
{
    struct model_options options = options_for(backend);
    options.points.metric = SHEPARD_METRIC_SPHERE;
    options.parameters.eps = 0;
    return options;
}

static struct shepard_targets list_of(const struct globe *globe)
{
    struct shepard_targets targets = {.size = sizeof targets, .count = TARGETS};
    targets.x = shepard_doubles(globe->at_x);
    targets.y = shepard_doubles(globe->at_y);
    return targets;
}

static struct results predict(const struct globe *globe, const struct model_options *options,
                              const struct shepard_targets *targets, size_t m)
{
    struct model *model = model_of(globe, options);
    struct results results = results_make(m, COLUMNS);
    const struct shepard_output output = results_output(&results);
    struct shepard_error error;
    const struct shepard_control control = model_control(&options->parameters, targets);
    check(model_predict(model, targets, &output, &control, &error) == SHEPARD_OK,
          "no prediction: %s", error.message);
    model_free(model);
    return results;
}

/* How far results may be apart: values lie within 5 of 0; places round, near ones show it. */
static double allowance(const struct results *results, size_t i, double power)
{
    const double nearest = fmax(results->nearest[i], PLACE_ERROR);
    return 1e-9 + 20 * power * PLACE_ERROR / nearest;
}

static void compare(const struct results *got, const struct results *want)
{
    for (size_t i = 0; i < got->m; i++) {
        const double power = isnan(want->power[i]) ? 1 : want->power[i];
        const double near = allowance(want, i, power), nodata = isnan(want->values[0][i]);
        check(got->count[i] == want->count[i], "count of %zu is %g, not %g", i, got->count[i],
              want->count[i]);
        check_near(got->nearest[i], want->nearest[i], 1e-12 * want->nearest[i] + PLACE_ERROR,
                   "nearest");
        if (nodata)
            continue;
        check_near(got->power[i], want->power[i], 1e-7, "power");
        check_near(got->effective[i], want->effective[i], 10 * near * want->effective[i],
                   "effective");
        for (size_t c = 0; c < got->columns; c++) {
            check_near(got->values[c][i], want->values[c][i], near, "value");
            /* Near 0 a root magnifies. */
            check_near(got->deviations[c][i], want->deviations[c][i], 2 * sqrt(near) * 1e-3 + near,
                       "deviation");
        }
    }
}

/* Parameters of trial `trial`. */
static void choose(struct shepard_parameters *parameters, size_t trial, enum kind kind,
                   struct chance *chance)
{
    const double size = kind == PATCH ? 100 : kind == DATE_LINE ? 2e4 : kind == POLE ? 3e5 : 2e7;
    struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    parameters->method = trial % 3 == 2 ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    parameters->power = chance_range(chance, 0.5, 4);
    parameters->smoothing = chance_below(chance, 3) == 0 ? size * chance_unit(chance) / 10 : 0;
    if (trial % 5 != 0)
        hood->max_points = 1 + chance_below(chance, 20);
    if (trial % 5 == 2 || trial % 5 == 3)
        hood->radius1 = hood->radius2 = size * chance_unit(chance);
    if (trial % 5 == 3)
        hood->max_points = 0;
    if (trial % 4 == 1) {
        hood->sectors = trial % 8 == 1 ? 4 : 8;
        hood->max_points_per_sector = chance_below(chance, 4);
        hood->min_points_per_sector = hood->max_points_per_sector > 0 && trial % 16 == 1;
    }
    if (hood->max_points > 2 && chance_below(chance, 2) == 0)
        hood->min_points = 2;
}

/* Stars of m targets; open and closed octants among them. */
static double *draw_stars(size_t m, enum kind kind, struct chance *chance)
{
    const double size = kind == PATCH ? 100 : kind == DATE_LINE ? 2e4 : kind == POLE ? 3e5 : 2e7;
    double *radii = malloc(8 * m * sizeof *radii);
    for (size_t i = 0; radii != NULL && i < 8 * m; i++) {
        const size_t own = chance_below(chance, 8);
        const double wide = size * pow(10, chance_range(chance, -2, 0.3));
        radii[i] = own == 0 ? 0 : own == 1 ? INFINITY : wide;
    }
    return radii;
}

/* Every kind of data with many parameters, against ref. */
static void try_parameters(const struct shepard_backend_info *on, const struct globe *globe,
                           size_t trial, struct chance *chance)
{
    struct model_options options = sphere_options(on->backend);
    choose(&options.parameters, trial, globe->kind, chance);
    struct shepard_targets targets = list_of(globe);
    const bool left_out = trial % 7 >= 5;
    if (left_out) {
        targets =
            (struct shepard_targets){.size = sizeof targets, .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT};
        targets.keep_coincident = trial % 7 == 6;
    }
    const size_t m = left_out ? POINTS : TARGETS;
    double *stars = trial % 4 == 3 ? draw_stars(m, globe->kind, chance) : NULL;
    targets.star_radii = stars;
    options.points.threads = 1 + (int)(trial % 2);
    struct results got = predict(globe, &options, &targets, m);
    options.points.backend = SHEPARD_BACKEND_REF;
    struct results want = predict(globe, &options, &targets, m);
    compare(&got, &want);
    results_free(&want);
    results_free(&got);
    free(stars);
}

/* Plain IDW against the equations. */
static void try_equations(const struct shepard_backend_info *on, const struct globe *globe,
                          struct chance *chance)
{
    struct model_options options = sphere_options(on->backend);
    const size_t k = chance_below(chance, 2) ? 0 : 7;
    options.parameters.power = 2.5;
    options.parameters.neighbourhood.max_points = k;
    options.parameters.smoothing = chance_below(chance, 2) ? 0 : 50;
    const struct shepard_targets targets = list_of(globe);
    struct results got = predict(globe, &options, &targets, TARGETS);
    for (size_t i = 0; i < TARGETS; i++) {
        struct near near[POINTS];
        sort_arcs(globe, globe->at_x[i], globe->at_y[i], near);
        const size_t used = k > 0 ? k : POINTS;
        check_near(got.nearest[i], (double)near[0].d, 1e-12 * (double)near[0].d + PLACE_ERROR,
                   "distance by haversine");
        if (k == 0 || near[k].d - near[k - 1].d > 2 * PLACE_ERROR)
            check_near(got.values[0][i],
                       mean_of(globe, 0, near, used, 2.5, options.parameters.smoothing),
                       allowance(&got, i, 2.5), "value by haversine");
    }
    results_free(&got);
}

/* How far a point lies to the east and to the north of a place, along its arc. */
static void offset(double x0, double y0, double x1, double y1, long double *east,
                   long double *north)
{
    const long double unit = PI / 180, turn = ((long double)x1 - x0) * unit;
    const long double e = cosl(y1 * unit) * sinl(turn);
    const long double n =
        cosl(y0 * unit) * sinl(y1 * unit) - sinl(y0 * unit) * cosl(y1 * unit) * cosl(turn);
    const long double length = hypotl(e, n), d = arc(x0, y0, x1, y1);
    *east = length > 0 ? e / length * d : 0;
    *north = length > 0 ? n / length * d : 0;
}

/* Planes on the plane that touches the sphere: values that lie on one come back, others are those
 * of ref. */
static void try_planes(const struct shepard_backend_info *on, const struct globe *globe,
                       struct chance *chance)
{
    struct model_options options = sphere_options(on->backend);
    struct globe tilted = *globe;
    struct shepard_targets targets = list_of(&tilted);
    options.parameters.degree = 1;
    options.parameters.ridge = options.parameters.damping = 0;
    /* An eighth of the points at one place: the nearest are to lie at others, too. */
    options.parameters.neighbourhood.max_points = globe->kind == POLE ? POINTS / 2 : 20;
    targets.count = 1;
    for (size_t i = 0; i < TARGETS; i++) {
        const double x = globe->at_x[i], y = globe->at_y[i], height = chance_range(chance, -3, 3);
        const double slope[2] = {chance_range(chance, -1, 1), chance_range(chance, -1, 1)};
        for (size_t p = 0; p < POINTS; p++) {
            long double east, north;
            offset(x, y, globe->x[p], globe->y[p], &east, &north);
            tilted.values[0][p] =
                (double)(height + slope[0] * east / RADIUS + slope[1] * north / RADIUS);
        }
        tilted.at_x[0] = x;
        tilted.at_y[0] = y;
        struct results got = predict(&tilted, &options, &targets, 1);
        check_near(got.values[0][0], height, 1e-8, "value on a plane");
        results_free(&got);
    }
    targets = list_of(globe);
    shepard_parameters_init(&options.parameters);
    options.parameters.degree = 1;
    options.parameters.eps = 0;
    options.parameters.neighbourhood.max_points = 4 + chance_below(chance, 20);
    options.parameters.neighbourhood.sectors = chance_below(chance, 2) ? 4 : 1;
    struct results got = predict(globe, &options, &targets, TARGETS);
    options.points.backend = SHEPARD_BACKEND_REF;
    struct results want = predict(globe, &options, &targets, TARGETS);
    for (size_t i = 0; i < TARGETS; i++)
        check_near(got.values[0][i], want.values[0][i], 1e-6 + 100 * allowance(&want, i, 2),
                   "value of ref's plane");
    results_free(&want);
    results_free(&got);
}

static void try_nearest(const struct shepard_backend_info *on, const struct globe *globe)
{
    enum { K = 9 };
    const struct model_options options = sphere_options(on->backend);
    struct model *model = model_of(globe, &options);
    const struct shepard_targets targets = list_of(globe);
    uint32_t indices[K * TARGETS];
    double distances[K * TARGETS];
    struct shepard_error error;
    check(model_nearest(model, &targets, K, indices, distances, NULL, &error) == SHEPARD_OK,
          "no search: %s", error.message);
    for (size_t i = 0; i < TARGETS; i++) {
        struct near near[POINTS];
        sort_arcs(globe, globe->at_x[i], globe->at_y[i], near);
        for (size_t j = 0; j < K; j++) {
            const uint32_t found = indices[i * K + j];
            const double want = (double)near[j].d, close = 1e-12 * want + PLACE_ERROR;
            check_near(distances[i * K + j], want, close, "distance");
            check_near(
                (double)arc(globe->at_x[i], globe->at_y[i], globe->x[found], globe->y[found]), want,
                close, "distance of the point found");
        }
    }
    model_free(model);
}

/* ---- what a surface keeps -------------------------------------------------------------------- */

/* Turns a place about an axis in the plane of the meridian 0, or about that of the Earth. */
static void turn(double *x, double *y, long double angle, bool about_poles)
{
    const long double unit = PI / 180, c = cosl(angle), s = sinl(angle);
    if (about_poles) {
        *x = (double)(*x + angle / unit);
        return;
    }
    const long double a = cosl(*y * unit) * cosl(*x * unit), b = cosl(*y * unit) * sinl(*x * unit);
    const long double h = sinl(*y * unit), up = c * h + s * b, across = c * b - s * h;
    *x = (double)(atan2l(across, a) / unit);
    *y = (double)(atan2l(up, hypotl(a, across)) / unit);
}

static void try_turns(const struct shepard_backend_info *on, const struct globe *globe,
                      struct chance *chance)
{
    for (int about_poles = 0; about_poles < 2; about_poles++) {
        struct model_options options = sphere_options(on->backend);
        struct globe turned = *globe;
        const long double angle = chance_range(chance, -3, 3);
        for (size_t i = 0; i < POINTS; i++)
            turn(&turned.x[i], &turned.y[i], angle, about_poles);
        for (size_t i = 0; i < TARGETS; i++)
            turn(&turned.at_x[i], &turned.at_y[i], angle, about_poles);
        options.parameters.neighbourhood.max_points = 12;
        if (about_poles && globe->kind != PLACES) {
            options.parameters.neighbourhood.sectors = 8;
            options.parameters.neighbourhood.max_points_per_sector = 2;
        }
        const struct shepard_targets before = list_of(globe), after = list_of(&turned);
        struct results want = predict(globe, &options, &before, TARGETS);
        struct results got = predict(&turned, &options, &after, TARGETS);
        for (size_t i = 0; i < TARGETS; i++)
            if (want.nearest[i] > 1e5 * PLACE_ERROR && globe->kind != PLACES)
                check_near(got.values[0][i], want.values[0][i], 10 * allowance(&want, i, 2),
                           about_poles ? "value after a turn about the poles"
                                       : "value after a turn");
        results_free(&got);
        results_free(&want);
    }
}

/* Two metres are a plane. */
static void try_plane(const struct shepard_backend_info *on, struct chance *chance)
{
    struct globe globe, plane;
    fill(&globe, PATCH, chance);
    const double unit = RADIUS * (double)PI / 180, shrink = unit * cos(47 * (double)PI / 180);
    for (size_t i = 0; i < POINTS; i++) {
        globe.x[i] = 8 + (globe.x[i] - 8) / 64;
        globe.y[i] = 47 + (globe.y[i] - 47) / 64;
    }
    plane = globe;
    for (size_t i = 0; i < POINTS; i++) {
        plane.x[i] = (globe.x[i] - 8) * shrink;
        plane.y[i] = (globe.y[i] - 47) * unit;
    }
    for (size_t i = 0; i < TARGETS; i++) {
        globe.at_x[i] = 8 + (globe.at_x[i] - 8) / 64;
        globe.at_y[i] = 47 + (globe.at_y[i] - 47) / 64;
        plane.at_x[i] = (globe.at_x[i] - 8) * shrink;
        plane.at_y[i] = (globe.at_y[i] - 47) * unit;
    }
    struct model_options options = sphere_options(on->backend);
    options.parameters.method = SHEPARD_METHOD_AIDW;
    options.parameters.neighbourhood.radius1 = options.parameters.neighbourhood.radius2 = 5;
    const struct shepard_targets there = list_of(&globe), here = list_of(&plane);
    struct results got = predict(&globe, &options, &there, TARGETS);
    options.points.metric = SHEPARD_METRIC_PLANE;
    struct results want = predict(&plane, &options, &here, TARGETS);
    for (size_t i = 0; i < TARGETS; i++)
        if (want.nearest[i] > 1e-3)
            check_near(got.values[0][i], want.values[0][i], 1e-6 * 10, "value of a plane");
    results_free(&want);
    results_free(&got);
}

/* ---- many points ----------------------------------------------------------------------------- */

#define MANY 20000
#define MANY_K 12

struct many {
    double x[MANY], y[MANY], values[MANY];
};

static int ascending(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* Nearest points, and how many lie within a radius, by sectors too, of a deep tree. */
static void check_many_at(const struct shepard_backend_info *on, const struct many *many, double x,
                          double y)
{
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = MANY};
    coordinates.x = shepard_doubles(many->x);
    coordinates.y = shepard_doubles(many->y);
    const struct shepard_array column = shepard_doubles(many->values);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct model_options options = sphere_options(on->backend);
    static double arcs[MANY];
    double distances[MANY_K], count = NAN;
    for (size_t i = 0; i < MANY; i++)
        arcs[i] = (double)arc(x, y, many->x[i], many->y[i]);
    qsort(arcs, MANY, sizeof *arcs, ascending);
    options.parameters.neighbourhood.radius1 = options.parameters.neighbourhood.radius2 =
        (arcs[700] + arcs[701]) / 2;
    struct model *model = NULL;
    struct shepard_targets targets = {.size = sizeof targets, .count = 1};
    targets.x = shepard_doubles(&x);
    targets.y = shepard_doubles(&y);
    struct shepard_output output = {.size = sizeof output};
    output.count = shepard_output_doubles(&count);
    check(model_create(&coordinates, &values, &options, &model, NULL) == SHEPARD_OK &&
              model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK &&
              model_nearest(model, &targets, MANY_K, NULL, distances, NULL, NULL) == SHEPARD_OK,
          "no prediction");
    if (arcs[701] - arcs[700] > 2 * PLACE_ERROR)
        check(count == 701, "%g points within the radius, not 701", count);
    for (size_t j = 0; j < MANY_K; j++)
        check_near(distances[j], arcs[j], 1e-12 * arcs[j] + PLACE_ERROR, "distance among many");
    model->parameters.neighbourhood =
        (struct shepard_neighbourhood){.sectors = 8, .max_points_per_sector = 3};
    const struct shepard_control control = model_control(&model->parameters, &targets);
    check(model_predict(model, &targets, &output, &control, NULL) == SHEPARD_OK && count <= 24,
          "%g points of 8 sectors", count);
    model_free(model);
}

static void try_many(const struct shepard_backend_info *on, enum kind kind, struct chance *chance)
{
    static struct many many;
    for (size_t i = 0; i < MANY; i++) {
        degrees(kind, i, chance, &many.x[i], &many.y[i]);
        many.values[i] = chance_unit(chance);
    }
    for (size_t i = 0; i < 2; i++) {
        double x, y;
        degrees(kind, i + 1, chance, &x, &y);
        check_many_at(on, &many, x, y);
    }
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void check_area(const struct shepard_backend_info *on, const char *what, const double *x,
                       const double *y, size_t n, double want)
{
    struct model_options options = sphere_options(on->backend);
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = n};
    coordinates.x = shepard_doubles(x);
    coordinates.y = shepard_doubles(y);
    struct shepard_points *points = NULL;
    struct shepard_points_info info = {.size = sizeof info};
    options.points.sphere_radius = 2;
    if (!check(shepard_points_create(&coordinates, &options.points, &points, NULL) == SHEPARD_OK,
               "no points: %s", what))
        return;
    shepard_points_get_info(points, &info);
    check_near(info.area, want, 1e-13 * want, what);
    shepard_points_free(points);
}

/* Areas of boxes on a sphere of radius 2: that of all is 16 pi. */
static void check_areas(const struct shepard_backend_info *on)
{
    const double eighth = 2 * (double)PI;
    const double x[] = {0, 90, 10}, y[] = {0, 90, 90};
    check_area(on, "a meridian", x, y, 3, 0);
    const double date[] = {135, -135, 180, 540}, lat[] = {0, 90, 30, 10};
    check_area(on, "across the date line", date, lat, 3, eighth / 2);
    const double line_x[] = {170, -170}, line_y[] = {-90 + 60, 30};
    check_area(on, "20 degrees", line_x, line_y, 2, 4 * (double)PI / 9);
}

static void check_error_of(const struct shepard_backend_info *on, const char *argument,
                           struct model_options *options, const struct globe *globe)
{
    struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = POINTS};
    coordinates.x = shepard_doubles(globe->x);
    coordinates.y = shepard_doubles(globe->y);
    const struct shepard_array column = shepard_doubles(globe->values[0]);
    struct shepard_values values = {.size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_error error = {.argument = ""};
    options->points.backend = on->backend;
    const enum shepard_status status = model_try(&coordinates, &values, options, &error);
    check(status == SHEPARD_ERROR_ARGUMENT && strcmp(error.argument, argument) == 0,
          "%s: status %d, argument %s, %s", argument, status, error.argument, error.message);
}

static struct shepard_parameters universal_kriging(void)
{
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.method = SHEPARD_METHOD_KRIGE;
    parameters.kriging.kind = SHEPARD_KRIGING_UNIVERSAL;
    parameters.kriging.psill = parameters.kriging.range = parameters.kriging.p = 1;
    parameters.kriging.nugget = 0;
    return parameters;
}

static void check_errors(const struct shepard_backend_info *on, struct chance *chance)
{
    struct globe globe;
    fill(&globe, GLOBE, chance);
#define WRONG(name, setting)                                                                       \
    do {                                                                                           \
        struct model_options options = sphere_options(on->backend);                                \
        options.setting;                                                                           \
        check_error_of(on, name, &options, &globe);                                                \
    } while (0)
    WRONG("options.sphere_radius", points.sphere_radius = 0);
    WRONG("options.sphere_radius", points.sphere_radius = NAN);
    WRONG("options.anisotropy_ratio", points.anisotropy_ratio = 2);
    WRONG("parameters.eps", parameters.eps = 1e-4);
    WRONG("parameters.kriging.kind", parameters = universal_kriging());
    WRONG("parameters.neighbourhood.radius2",
          parameters.neighbourhood =
              ((struct shepard_neighbourhood){.radius1 = 1, .radius2 = 2, .sectors = 1}));
    globe.y[5] = 90.5;
    WRONG("coordinates.y", points.threads = 1);
#undef WRONG
}

/* Targets that are no places. */
static void check_no_places(const struct shepard_backend_info *on, struct chance *chance)
{
    struct globe globe;
    fill(&globe, GLOBE, chance);
    globe.at_y[0] = 90.25;
    globe.at_y[1] = -91;
    globe.at_x[2] = NAN;
    globe.at_x[3] = INFINITY;
    const struct model_options options = sphere_options(on->backend);
    const struct shepard_targets targets = list_of(&globe);
    struct results got = predict(&globe, &options, &targets, TARGETS);
    for (size_t i = 0; i < TARGETS; i++)
        check(isnan(got.values[0][i]) == (i < 4) && (got.count[i] == 0) == (i < 4),
              "target %zu: %g from %g points", i, got.values[0][i], got.count[i]);
    results_free(&got);
}

void suite_sphere(const struct suite *suite)
{
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        struct chance chance = {suite->seed + 18000000};
        check_case("%s: areas, errors", on->name);
        check_areas(on);
        check_errors(on, &chance);
        check_no_places(on, &chance);
        check_case("seed %llu %s: plane", (unsigned long long)suite->seed, on->name);
        try_plane(on, &chance);
        for (int kind = 0; kind <= DATE_LINE && on->backend != SHEPARD_BACKEND_REF; kind++)
            try_many(on, (enum kind)kind, &chance);
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t trial = 0; trial < TRIALS; trial++) {
                struct globe globe;
                const uint64_t seed = suite->seed + 100 * (uint64_t)kind + trial;
                struct chance own = {seed};
                check_case("seed %llu %s: %s, trial %zu", (unsigned long long)suite->seed, on->name,
                           names[kind], trial);
                if (!suite_takes(suite, seed))
                    continue;
                fill(&globe, (enum kind)kind, &own);
                try_equations(on, &globe, &own);
                if (trial % 2 == 0)
                    try_nearest(on, &globe);
                else
                    try_turns(on, &globe, &own);
                if (on->backend != SHEPARD_BACKEND_REF)
                    try_parameters(on, &globe, trial, &own);
                if (kind != PLACES && trial % 3 == 0)
                    try_planes(on, &globe, &own);
            }
    }
}
