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
    struct shepard_options *options = &scenario->options;
    options->method = feed_chance(feed, 3) ? SHEPARD_AIDW : SHEPARD_IDW;
    options->power = positive(scenario, feed);
    options->smoothing = feed_chance(feed, 2) ? 0 : positive(scenario, feed);
    options->degree = feed_chance(feed, 4);
    options->ridge = feed_chance(feed, 2) ? 1e-3 : positive(scenario, feed);
    options->precision = feed_chance(feed, 3) ? SHEPARD_SINGLE : SHEPARD_DOUBLE;
    options->eps = feed_chance(feed, 2) ? 0 : 1e-4;
    options->nodata = feed_chance(feed, 4) ? NAN : -9999;
    options->threads = feed_chance(feed, 16) ? 2 : 1;
}

static void fill_neighbourhood(struct scenario *scenario, struct feed *feed)
{
    static const int sectors[] = {1, 1, 4, 8};
    struct shepard_neighbourhood *hood = &scenario->options.neighbourhood;
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
    struct shepard_adaptive *adaptive = &scenario->options.adaptive;
    if (feed_chance(feed, 2))
        return;
    adaptive->k = 1 + limit(scenario, feed);
    for (int i = 0; i < 5; i++)
        adaptive->alphas[i] = positive(scenario, feed);
    adaptive->r_min = positive(scenario, feed) / 32;
    adaptive->r_max = adaptive->r_min + positive(scenario, feed);
    adaptive->area = feed_chance(feed, 2) ? 0 : 1024 * positive(scenario, feed);
    adaptive->expect = feed_chance(feed, 2) ? SHEPARD_EXPECT_KNN : SHEPARD_EXPECT_NN;
}

static void fill_anisotropy(struct scenario *scenario, struct feed *feed)
{
    if (!feed_chance(feed, 4))
        return;
    scenario->options.anisotropy_ratio = positive(scenario, feed);
    scenario->options.anisotropy_angle = number(scenario, feed);
}

/* One field out of its range, now and then. */
static void break_option(struct scenario *scenario, struct feed *feed)
{
    struct shepard_options *options = &scenario->options;
    const int any = (int)feed_byte(feed) - 64;
    switch (feed_below(feed, 96)) {
    case 0:
        options->method = (enum shepard_method)any;
        break;
    case 1:
        options->degree = any;
        break;
    case 2:
        options->threads = any < 4 ? any : 5000;
        break;
    case 3:
        options->neighbourhood.sectors = any;
        break;
    case 4:
        options->precision = (enum shepard_precision)any;
        break;
    case 5:
        options->eps = feed_wild(feed);
        break;
    case 6:
        options->adaptive.expect = (enum shepard_expectation)any;
        break;
    case 7:
        options->nodata = feed_wild(feed);
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
    for (size_t c = 0; c < scenario->data.columns; c++)
        scenario->value[c][i] = number(scenario, feed);
    if (i > 0 && feed_chance(feed, 8)) {
        const size_t source = feed_below(feed, i);
        repeat_point(scenario, i, source, feed_chance(feed, 2));
    }
}

static void fill_data(struct scenario *scenario, struct feed *feed)
{
    struct shepard_data *data = &scenario->data;
    data->count =
        1 + feed_below(feed, feed_chance(feed, 4) ? SCENARIO_POINTS_MAX : 24) % SCENARIO_POINTS_MAX;
    data->columns = 1 + feed_below(feed, SCENARIO_COLUMNS_MAX);
    const bool flat = feed_chance(feed, 16);
    for (size_t i = 0; i < data->count; i++) {
        fill_point(scenario, feed, i);
        if (flat)
            scenario->y[i] = scenario->y[0];
    }
    for (size_t c = 0; c < data->columns; c++)
        scenario->columns[c] = scenario->value[c];
    data->x = scenario->x;
    data->y = scenario->y;
    data->values = scenario->columns;
    data->weights = feed_chance(feed, 3) ? scenario->weights : NULL;
    if (scenario->wild && feed_chance(feed, 64))
        scenario->weights[0] = feed_wild(feed);
}

static void fill_targets(struct scenario *scenario, struct feed *feed)
{
    struct shepard_targets *targets = &scenario->targets;
    targets->count = feed_below(feed, SCENARIO_TARGETS_MAX + 1);
    targets->x = scenario->target_x;
    targets->y = scenario->target_y;
    for (size_t i = 0; i < targets->count; i++) {
        const bool at_point = feed_chance(feed, 6);
        const size_t point = feed_below(feed, scenario->data.count);
        scenario->target_x[i] = at_point ? scenario->x[point] : number(scenario, feed) + 0.25;
        scenario->target_y[i] = at_point ? scenario->y[point] : number(scenario, feed);
        if (feed_chance(feed, 64))
            scenario->target_x[i] = NAN;
    }
}

/* One draw a statement: C leaves the order within one open. */
static void fill_raster(struct scenario *scenario, struct feed *feed)
{
    struct shepard_raster *raster = &scenario->raster;
    raster->x0 = number(scenario, feed);
    raster->y0 = number(scenario, feed);
    raster->dx = positive(scenario, feed);
    raster->dy = -positive(scenario, feed);
    raster->columns = 1 + feed_below(feed, 6);
    raster->rows = 1 + feed_below(feed, SCENARIO_TARGETS_MAX / 6);
    scenario->k = 1 + feed_below(feed, 20);
}

struct scenario *scenario_make(const uint8_t *bytes, size_t size)
{
    struct scenario *scenario = calloc(1, sizeof *scenario);
    if (!scenario)
        return NULL;
    struct feed feed = feed_begin(bytes, size);
    scenario->wild = feed_byte(&feed) & 1;
    shepard_options_init(&scenario->options);
    fill_data(scenario, &feed);
    fill_method(scenario, &feed);
    fill_neighbourhood(scenario, &feed);
    fill_adaptive(scenario, &feed);
    break_option(scenario, &feed);
    fill_targets(scenario, &feed);
    fill_raster(scenario, &feed);
    fill_anisotropy(scenario, &feed);
    return scenario;
}

bool scenario_uses(const struct scenario *scenario, size_t i)
{
    bool finite = isfinite(scenario->x[i]) && isfinite(scenario->y[i]);
    for (size_t c = 0; c < scenario->data.columns; c++)
        finite = finite && isfinite(scenario->value[c][i]);
    const double weight = scenario->data.weights ? scenario->weights[i] : 1;
    return finite && isfinite(weight) && weight > 0;
}
