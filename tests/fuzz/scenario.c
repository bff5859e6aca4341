/* SPDX-License-Identifier: MIT */
#include "scenario.h"

#include "feed.h"

#include <math.h>
#include <stdlib.h>

static double number(struct scenario *scenario, struct feed *feed)
{
    return scenario->wild && feed_chance(feed, 4) ? feed_wild(feed) : feed_tame(feed);
}

/* A positive number, but a wild scenario may break that. */
static double positive(struct scenario *scenario, struct feed *feed)
{
    return scenario->wild && feed_chance(feed, 6) ? feed_wild(feed)
                                                  : (1 + (double)feed_byte(feed)) / 8;
}

/* Mostly 0, often small; in wild scenarios at times huge. */
static size_t limit(struct scenario *scenario, struct feed *feed)
{
    if (scenario->wild && feed_chance(feed, 16))
        return SIZE_MAX >> feed_below(feed, 64);
    return feed_chance(feed, 2) ? 0 : feed_below(feed, 40);
}

static void fill_method(struct scenario *scenario, struct feed *feed)
{
    struct shepard_parameters *parameters = &scenario->parameters;
    parameters->method = feed_chance(feed, 3) ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    parameters->power = positive(scenario, feed);
    parameters->smoothing = feed_chance(feed, 2) ? 0 : positive(scenario, feed);
    parameters->degree = feed_chance(feed, 4);
    parameters->ridge = feed_chance(feed, 2) ? 1e-3 : positive(scenario, feed);
    parameters->damping = feed_chance(feed, 2)   ? 0.2
                          : feed_chance(feed, 2) ? 0
                                                 : positive(scenario, feed);
    parameters->precision =
        feed_chance(feed, 3) ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
    parameters->eps = feed_chance(feed, 2) ? 0 : 1e-4;
    parameters->nodata = feed_chance(feed, 4) ? NAN : -9999;
    scenario->options.threads = feed_chance(feed, 16) ? 2 : 1;
}

static void fill_neighbourhood(struct scenario *scenario, struct feed *feed)
{
    static const int sectors[] = {1, 1, 4, 8};
    struct shepard_neighbourhood *hood = &scenario->parameters.neighbourhood;
    if (feed_chance(feed, 3))
        return;
    hood->max_points = limit(scenario, feed);
    hood->min_points = limit(scenario, feed) / 4;
    hood->sectors = sectors[feed_below(feed, 4)];
    hood->max_points_per_sector = limit(scenario, feed) / 2;
    hood->min_points_per_sector = limit(scenario, feed) / 16;
    if (feed_chance(feed, 2)) {
        hood->radius1 = 16 * positive(scenario, feed);
        hood->radius2 = feed_chance(feed, 2) ? hood->radius1 : 16 * positive(scenario, feed);
        hood->angle = feed_chance(feed, 2) ? 0 : number(scenario, feed);
    }
}

static void fill_adaptive(struct scenario *scenario, struct feed *feed)
{
    struct shepard_adaptive *adaptive = &scenario->parameters.adaptive;
    if (feed_chance(feed, 2))
        return;
    adaptive->k = 1 + limit(scenario, feed);
    for (int i = 0; i < 5; i++)
        adaptive->powers[i] = positive(scenario, feed);
    adaptive->r_min = positive(scenario, feed) / 32;
    adaptive->r_max = adaptive->r_min + positive(scenario, feed);
    adaptive->area = feed_chance(feed, 2) ? 0 : 1024 * positive(scenario, feed);
    adaptive->expect = (enum shepard_expectation)feed_below(feed, 3);
}

static void fill_anisotropy(struct scenario *scenario, struct feed *feed)
{
    if (!feed_chance(feed, 4))
        return;
    scenario->options.anisotropy_ratio = positive(scenario, feed);
    scenario->options.anisotropy_angle = number(scenario, feed);
}

/* Systems of all points take the cube of their number. */
enum { KRIGING_POINTS_MAX = 40 };

/* Smooth at 0: without a nugget rounding decides whether a system gets noise (docs/math.md, Eq.
 * 60).
 */
static bool is_smooth(const struct shepard_kriging *kriging)
{
    return kriging->covariance == SHEPARD_COVARIANCE_GAUSSIAN ||
           kriging->covariance == SHEPARD_COVARIANCE_STABLE;
}

/* Mostly of moderate size: what fits the data is shepard_fit's work. */
static void fill_kriging(struct scenario *scenario, struct feed *feed)
{
    struct shepard_kriging *kriging = &scenario->parameters.kriging;
    if (!feed_chance(feed, 3))
        return;
    scenario->parameters.method = SHEPARD_METHOD_KRIGE;
    if (scenario->coordinates.count > KRIGING_POINTS_MAX)
        scenario->coordinates.count = KRIGING_POINTS_MAX;
    if (!feed_chance(feed, 16))
        scenario->values.weights = shepard_doubles(NULL);
    kriging->kind = (enum shepard_kriging_kind)feed_below(feed, 3);
    kriging->covariance = (enum shepard_covariance)feed_below(feed, 6);
    kriging->sd = (enum shepard_kriging_sd)feed_below(feed, 3);
    kriging->psill = positive(scenario, feed);
    kriging->range = 4 * positive(scenario, feed);
    kriging->nugget = !is_smooth(kriging) && feed_chance(feed, 2) ? 0 : positive(scenario, feed);
    if (kriging->covariance == SHEPARD_COVARIANCE_STABLE)
        kriging->p = positive(scenario, feed) / 16;
    if (kriging->kind == SHEPARD_KRIGING_SIMPLE)
        kriging->mean = number(scenario, feed);
}

/* Values without which columns have gaps of their own. */
static void fill_gaps(struct scenario *scenario, struct feed *feed)
{
    if (!feed_chance(feed, 3))
        return;
    const unsigned times = 2 + (unsigned)feed_below(feed, 12);
    for (size_t c = 0; c < scenario->values.column_count; c++)
        for (size_t i = 0; i < scenario->coordinates.count; i++)
            if (feed_chance(feed, times))
                scenario->value[c][i] = feed_chance(feed, 2) ? NAN : INFINITY;
}

/* Data points, each predicted without itself, at times without more of its surroundings. */
static void fill_others(struct scenario *scenario, struct feed *feed)
{
    struct shepard_targets *others = &scenario->others;
    *others = (struct shepard_targets){.size = sizeof *others,
                                       .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT,
                                       .count = feed_below(feed, SCENARIO_TARGETS_MAX + 1),
                                       .indices = scenario->index,
                                       .keep_coincident = feed_chance(feed, 3)};
    for (size_t i = 0; i < others->count; i++)
        scenario->index[i] = (uint32_t)feed_below(feed, scenario->coordinates.count);
    if (!feed_chance(feed, 3))
        return;
    others->star_radii = scenario->star;
    for (size_t i = 0; i < 8 * others->count; i++)
        scenario->star[i] = feed_chance(feed, 4) ? 0 : fabs(positive(scenario, feed));
}

/* One field out of its range, now and then. */
static void break_option(struct scenario *scenario, struct feed *feed)
{
    struct shepard_parameters *parameters = &scenario->parameters;
    const int any = (int)feed_byte(feed) - 64;
    switch (feed_below(feed, 96)) {
    case 0:
        parameters->method = (enum shepard_method)any;
        break;
    case 1:
        parameters->degree = any;
        break;
    case 2:
        scenario->options.threads = any < 4 ? any : 5000;
        break;
    case 3:
        parameters->neighbourhood.sectors = any;
        break;
    case 4:
        parameters->precision = (enum shepard_precision)any;
        break;
    case 5:
        parameters->eps = feed_wild(feed);
        break;
    case 6:
        parameters->adaptive.expect = (enum shepard_expectation)any;
        break;
    case 7:
        parameters->nodata = feed_wild(feed);
        break;
    default:
        break;
    }
}

static void repeat_point(struct scenario *scenario, size_t i, size_t source, bool with_values)
{
    scenario->x[i] = scenario->x[source];
    scenario->y[i] = scenario->y[source];
    scenario->weights[i] = scenario->weights[source];
    for (size_t c = 0; with_values && c < SCENARIO_COLUMNS_MAX; c++)
        scenario->value[c][i] = scenario->value[c][source];
}

static void fill_point(struct scenario *scenario, struct feed *feed, size_t i)
{
    scenario->x[i] = number(scenario, feed);
    scenario->y[i] = number(scenario, feed);
    scenario->weights[i] = feed_chance(feed, 16) ? 0 : fabs(positive(scenario, feed));
    for (size_t c = 0; c < scenario->values.column_count; c++)
        scenario->value[c][i] = number(scenario, feed);
    if (i > 0 && feed_chance(feed, 8)) {
        const size_t source = feed_below(feed, i);
        repeat_point(scenario, i, source, feed_chance(feed, 2));
    }
}

static void fill_data(struct scenario *scenario, struct feed *feed)
{
    struct shepard_coordinates *coordinates = &scenario->coordinates;
    struct shepard_values *values = &scenario->values;
    *coordinates = (struct shepard_coordinates){.size = sizeof *coordinates,
                                                .x = shepard_doubles(scenario->x),
                                                .y = shepard_doubles(scenario->y)};
    *values = (struct shepard_values){.size = sizeof *values, .columns = scenario->columns};
    coordinates->count =
        1 + feed_below(feed, feed_chance(feed, 4) ? SCENARIO_POINTS_MAX : 24) % SCENARIO_POINTS_MAX;
    values->column_count = 1 + feed_below(feed, SCENARIO_COLUMNS_MAX);
    const bool flat = feed_chance(feed, 16);
    for (size_t i = 0; i < coordinates->count; i++) {
        fill_point(scenario, feed, i);
        if (flat)
            scenario->y[i] = scenario->y[0];
    }
    for (size_t c = 0; c < values->column_count; c++)
        scenario->columns[c] = shepard_doubles(scenario->value[c]);
    values->weights = shepard_doubles(feed_chance(feed, 3) ? scenario->weights : NULL);
    if (scenario->wild && feed_chance(feed, 64))
        scenario->weights[0] = feed_wild(feed);
}

static void fill_targets(struct scenario *scenario, struct feed *feed)
{
    struct shepard_targets *targets = &scenario->targets;
    *targets = (struct shepard_targets){.size = sizeof *targets,
                                        .kind = SHEPARD_TARGETS_LIST,
                                        .count = feed_below(feed, SCENARIO_TARGETS_MAX + 1),
                                        .x = shepard_doubles(scenario->target_x),
                                        .y = shepard_doubles(scenario->target_y)};
    for (size_t i = 0; i < targets->count; i++) {
        const bool at_point = feed_chance(feed, 6);
        const size_t point = feed_below(feed, scenario->coordinates.count);
        scenario->target_x[i] = at_point ? scenario->x[point] : number(scenario, feed) + 0.25;
        scenario->target_y[i] = at_point ? scenario->y[point] : number(scenario, feed);
        if (feed_chance(feed, 64))
            scenario->target_x[i] = NAN;
    }
}

/* One draw a statement: C leaves the order within one open. */
static void fill_raster(struct scenario *scenario, struct feed *feed)
{
    struct shepard_raster *raster = &scenario->cells.raster;
    scenario->cells.size = sizeof scenario->cells;
    scenario->cells.kind = SHEPARD_TARGETS_RASTER;
    raster->x0 = number(scenario, feed);
    raster->y0 = number(scenario, feed);
    raster->dx = positive(scenario, feed);
    raster->dy = -positive(scenario, feed);
    raster->columns = 1 + feed_below(feed, 6);
    raster->rows = 1 + feed_below(feed, SCENARIO_TARGETS_MAX / 6);
    scenario->k = 1 + feed_below(feed, 20);
}

/* A place on a sphere, the same for the same numbers. None lie on a lattice, where the rounding of
 * arcs would choose among neighbours. */
static void put_on_sphere(double *x, double *y)
{
    const double noise = sin(12.9898 * *x + 78.233 * *y) * 43758.5453;
    *x += noise - floor(noise);
    *y = 45 * (sin(*y) + sin(*x));
}

/* Of a neighbourhood or an exact sum; at times what a sphere does not have. */
static void fill_sphere(struct scenario *scenario, struct feed *feed)
{
    struct shepard_raster *raster = &scenario->cells.raster;
    scenario->options.metric = SHEPARD_METRIC_SPHERE;
    scenario->options.sphere_radius = feed_chance(feed, 2) ? positive(scenario, feed) : 6371008.8;
    if (!feed_chance(feed, 16))
        scenario->options.anisotropy_ratio = 1;
    if (scenario->wild && feed_chance(feed, 2))
        return;
    for (size_t i = 0; i < scenario->coordinates.count; i++)
        put_on_sphere(&scenario->x[i], &scenario->y[i]);
    for (size_t i = 0; i < scenario->targets.count; i++)
        put_on_sphere(&scenario->target_x[i], &scenario->target_y[i]);
    put_on_sphere(&raster->x0, &raster->y0);
}

static void fill_space(struct scenario *scenario, struct feed *feed)
{
    scenario->options.metric = SHEPARD_METRIC_SPACE;
    scenario->options.vertical_factor = positive(scenario, feed);
    scenario->coordinates.z = shepard_doubles(scenario->z);
    scenario->targets.z = shepard_doubles(scenario->target_z);
    scenario->cells.raster_z = number(scenario, feed);
    for (size_t i = 0; i < scenario->coordinates.count; i++)
        scenario->z[i] = i > 0 && feed_chance(feed, 3) ? scenario->z[feed_below(feed, i)]
                                                       : number(scenario, feed);
    for (size_t i = 0; i < scenario->targets.count; i++)
        scenario->target_z[i] = number(scenario, feed);
}

static void fill_metric(struct scenario *scenario, struct feed *feed)
{
    const size_t metric = feed_below(feed, 6);
    if (metric > 1)
        return;
    if (metric == 0)
        fill_sphere(scenario, feed);
    else
        fill_space(scenario, feed);
    if (!feed_chance(feed, 16))
        scenario->parameters.eps = 0;
    if (scenario->parameters.kriging.kind == SHEPARD_KRIGING_UNIVERSAL && !feed_chance(feed, 16))
        scenario->parameters.kriging.kind = SHEPARD_KRIGING_ORDINARY;
    if (metric == 1 && scenario->parameters.degree == 1 && !feed_chance(feed, 16))
        scenario->parameters.degree = 0;
}

struct scenario *scenario_make(const uint8_t *bytes, size_t size)
{
    struct scenario *scenario = calloc(1, sizeof *scenario);
    if (!scenario)
        return NULL;
    struct feed feed = feed_begin(bytes, size);
    scenario->wild = feed_byte(&feed) & 1;
    shepard_points_options_init(&scenario->options);
    shepard_parameters_init(&scenario->parameters);
    fill_data(scenario, &feed);
    fill_method(scenario, &feed);
    fill_neighbourhood(scenario, &feed);
    fill_adaptive(scenario, &feed);
    break_option(scenario, &feed);
    fill_targets(scenario, &feed);
    fill_raster(scenario, &feed);
    fill_anisotropy(scenario, &feed);
    scenario->options.memory_limit = feed_chance(&feed, 4) ? 0 : SIZE_MAX;
    fill_kriging(scenario, &feed);
    fill_gaps(scenario, &feed);
    fill_others(scenario, &feed);
    fill_metric(scenario, &feed);
    return scenario;
}

bool scenario_takes(const struct scenario *scenario, size_t i)
{
    const bool in_space = scenario->options.metric == SHEPARD_METRIC_SPACE;
    return isfinite(scenario->x[i]) && isfinite(scenario->y[i]) &&
           (!in_space || isfinite(scenario->z[i]));
}

bool scenario_uses(const struct scenario *scenario, size_t column, size_t i)
{
    const double weight = scenario->values.weights.data ? scenario->weights[i] : 1;
    return scenario_takes(scenario, i) && isfinite(scenario->value[column][i]) &&
           isfinite(weight) && weight > 0;
}
