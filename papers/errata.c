/* SPDX-License-Identifier: MIT */
#include "errata.h"

#include "even_grid.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/* Data points, queries, and neighbours of each, as [AIDW16] has them. */
enum { N = 10000, M = 4000, NEIGHBOURS = 15, CLUSTERS = 20 };

static const double side = 1000;

/* Points and queries, with the mean distance of each query to its nearest points as the public
 * interface has it, which is exact. */
struct ground {
    double x[N], y[N], target_x[M], target_y[M], truth[M];
    double distances[M * NEIGHBOURS];
    struct shepard_even_grid grid;
};

static bool differs(double found, double truth)
{
    return !(fabs(found - truth) <= 1e-9 * truth);
}

struct errata_cluster {
    double x, y, sigma;
};

static void draw_uniform(struct shepard_random *random, size_t count, double *x, double *y)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = side * shepard_random_uniform(random);
        y[i] = side * shepard_random_uniform(random);
    }
}

static void draw_clustered(const struct errata_cluster *clusters, struct shepard_random *random,
                           size_t count, double *x, double *y)
{
    for (size_t i = 0; i < count; i++) {
        const struct errata_cluster *const cluster =
            &clusters[shepard_random_bits(random) % CLUSTERS];
        x[i] = cluster->x + cluster->sigma * shepard_random_normal(random);
        y[i] = cluster->y + cluster->sigma * shepard_random_normal(random);
    }
}

/* Queries uniform over the square; data too, or in clusters whose standard deviations are a
 * thousandth to a hundredth of its side. */
static void draw_ground(struct ground *ground, uint64_t seed, bool clustered)
{
    struct shepard_random random = {seed};
    struct errata_cluster clusters[CLUSTERS];
    for (size_t i = 0; i < CLUSTERS; i++) {
        draw_uniform(&random, 1, &clusters[i].x, &clusters[i].y);
        clusters[i].sigma = shepard_random_magnitude(&random, side / 1000, side / 100);
    }
    if (clustered)
        draw_clustered(clusters, &random, N, ground->x, ground->y);
    else
        draw_uniform(&random, N, ground->x, ground->y);
    draw_uniform(&random, M, ground->target_x, ground->target_y);
}

static void widen(const double *v, size_t count, double *low, double *high)
{
    for (size_t i = 0; i < count; i++) {
        *low = fmin(*low, v[i]);
        *high = fmax(*high, v[i]);
    }
}

/* Cells over all points and queries, as wide as [AIDW16] has them: r_exp = 1 / (2 sqrt(n / A)). */
static bool make_grid(struct ground *ground)
{
    struct shepard_even_grid *const grid = &ground->grid;
    double x_max = -INFINITY, y_max = -INFINITY;
    *grid = (struct shepard_even_grid){
        .x0 = INFINITY, .y0 = INFINITY, .n = N, .x = ground->x, .y = ground->y};
    widen(ground->x, N, &grid->x0, &x_max);
    widen(ground->target_x, M, &grid->x0, &x_max);
    widen(ground->y, N, &grid->y0, &y_max);
    widen(ground->target_y, M, &grid->y0, &y_max);
    grid->w = 0.5 * sqrt((x_max - grid->x0) * (y_max - grid->y0) / N);
    grid->columns = (long)floor((x_max - grid->x0) / grid->w) + 1;
    grid->rows = (long)floor((y_max - grid->y0) / grid->w) + 1;
    return shepard_even_grid_build(grid);
}

static enum shepard_status find_truth(struct ground *ground, struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = N,
                                                    .x = shepard_doubles(ground->x),
                                                    .y = shepard_doubles(ground->y)};
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = M,
                                            .x = shepard_doubles(ground->target_x),
                                            .y = shepard_doubles(ground->target_y)};
    const struct shepard_nearest_output output = {
        .size = sizeof output, .distances = shepard_output_doubles(ground->distances)};
    struct shepard_points_options options;
    struct shepard_points *points = NULL;
    shepard_points_options_init(&options);
    enum shepard_status status = shepard_points_create(&coordinates, &options, &points, error);
    if (!status)
        status = shepard_nearest(points, &targets, NEIGHBOURS, &output, NULL, error);
    shepard_points_free(points);
    for (size_t i = 0; i < M && !status; i++) {
        double sum = 0;
        for (size_t j = 0; j < NEIGHBOURS; j++)
            sum += ground->distances[i * NEIGHBOURS + j];
        ground->truth[i] = sum / NEIGHBOURS;
    }
    return status;
}

static const struct shepard_even_grid_rule correct = {0};

static size_t count_wrong_searches(const struct ground *ground, struct shepard_even_grid_rule rule)
{
    size_t wrong = 0;
    for (size_t i = 0; i < M; i++) {
        const double found = shepard_even_grid_mean(&ground->grid, rule, ground->target_x[i],
                                                    ground->target_y[i], NEIGHBOURS, NULL);
        wrong += differs(found, ground->truth[i]);
    }
    return wrong;
}

static size_t count_strays(const struct ground *ground, struct shepard_even_grid_rule rule)
{
    size_t wrong = 0;
    for (size_t i = 0; i < M; i++) {
        size_t stray = 0;
        shepard_even_grid_mean(&ground->grid, rule, ground->target_x[i], ground->target_y[i],
                               NEIGHBOURS, &stray);
        wrong += stray > 0;
    }
    return wrong;
}

static struct shepard_erratum try_stop(const struct ground *ground, const char *id)
{
    static const struct shepard_even_grid_rule printed = {.one_more_level = true};
    return (struct shepard_erratum){.id = id,
                                    .tried = M,
                                    .wrong = count_wrong_searches(ground, printed),
                                    .corrected = count_wrong_searches(ground, correct)};
}

/* The smallest case: w = 1, k = 1, the nearer point two cells away. */
static bool try_counterexample(struct shepard_erratum *erratum)
{
    static const double x[] = {5.95, 3.95}, y[] = {5.95, 5.05};
    static const struct shepard_even_grid_rule printed = {.one_more_level = true};
    struct shepard_even_grid grid = {.w = 1, .columns = 10, .rows = 10, .n = 2, .x = x, .y = y};
    const double truth = 1.05; /* 5 - 3.95 */
    const bool built = shepard_even_grid_build(&grid);
    if (built)
        *erratum = (struct shepard_erratum){
            .id = "stop-counterexample",
            .tried = 1,
            .wrong = differs(shepard_even_grid_mean(&grid, printed, 5, 5.05, 1, NULL), truth),
            .corrected = differs(shepard_even_grid_mean(&grid, correct, 5, 5.05, 1, NULL), truth)};
    shepard_even_grid_free(&grid);
    return built;
}

static struct shepard_erratum try_loops(const struct ground *ground)
{
    static const struct shepard_even_grid_rule printed = {.exclusive_loops = true};
    return (struct shepard_erratum){.id = "loops",
                                    .tried = M,
                                    .wrong = count_wrong_searches(ground, printed),
                                    .corrected = count_wrong_searches(ground, correct)};
}

static struct shepard_erratum try_bounds(const struct ground *ground)
{
    static const struct shepard_even_grid_rule printed = {.loose_bounds = true};
    return (struct shepard_erratum){.id = "bounds",
                                    .tried = M,
                                    .wrong = count_strays(ground, printed),
                                    .corrected = count_strays(ground, correct)};
}

/* Whether x lies in the cell, to rounding. */
static bool lies_in(int cell, double x, double x0, double w)
{
    const double slack = 1e-9 * w;
    return x - x0 >= cell * w - slack && x - x0 < (cell + 1) * w + slack;
}

/* unit: size of the square in the data's unit of length. */
static struct shepard_erratum try_cast(const struct ground *ground, double unit, const char *id)
{
    struct shepard_erratum erratum = {.id = id, .tried = N};
    const double w = ground->grid.w * unit / side, x0 = ground->grid.x0 * unit / side;
    for (size_t i = 0; i < N; i++) {
        const double x = ground->x[i] * unit / side;
        const int printed = (int)((int)(x - x0) / w), right = (int)((x - x0) / w);
        erratum.wrong += !lies_in(printed, x, x0, w);
        erratum.corrected += !lies_in(right, x, x0, w);
    }
    return erratum;
}

static const double powers[5] = {1.5, 2, 2.5, 3, 3.5};

/* [AIDW15] Fig. 3; mu in (0.3, 0.5] is the line in question. */
static double printed_power(double mu, bool as_printed)
{
    const double *const a = powers;
    if (mu <= 0.1)
        return a[0];
    if (mu <= 0.3)
        return a[0] * (1 - 5 * (mu - 0.1)) + 5 * a[1] * (mu - 0.1);
    if (mu <= 0.5)
        return (as_printed ? a[0] : a[1]) * (1 - 5 * (mu - 0.3)) + 5 * a[2] * (mu - 0.3);
    if (mu <= 0.7)
        return a[2] * (1 - 5 * (mu - 0.5)) + 5 * a[3] * (mu - 0.5);
    if (mu <= 0.9)
        return a[3] * (1 - 5 * (mu - 0.7)) + 5 * a[4] * (mu - 0.7);
    return a[4];
}

/* Eq. 6: straight lines between powers[i] at mu = 0.1 + 0.2 i. */
static double true_power(double mu)
{
    const double at = fmin(fmax((mu - 0.1) / 0.2, 0.0), 4.0);
    const int i = at < 4 ? (int)at : 3;
    return powers[i] + (at - i) * (powers[i + 1] - powers[i]);
}

static struct shepard_erratum try_power(uint64_t seed)
{
    struct shepard_erratum erratum = {.id = "alpha", .tried = N};
    struct shepard_random random = {seed};
    for (size_t i = 0; i < N; i++) {
        const double mu = shepard_random_uniform(&random);
        erratum.wrong += differs(printed_power(mu, true), true_power(mu));
        erratum.corrected += differs(printed_power(mu, false), true_power(mu));
    }
    return erratum;
}

/* Power 2 over the first count points: weights as printed, or relative to the nearest point, which
 * alone counts where the query lies on it. */
static double interpolate(const struct ground *ground, size_t count, double x, double y,
                          bool as_printed)
{
    double sum = 0, weights = 0, nearest = INFINITY;
    for (size_t i = 0; i < count; i++)
        nearest = fmin(nearest, hypot(ground->x[i] - x, ground->y[i] - y));
    for (size_t i = 0; i < count; i++) {
        const double d = hypot(ground->x[i] - x, ground->y[i] - y);
        const double w = as_printed ? 1 / pow(d, 2) : d > nearest ? pow(nearest / d, 2) : 1;
        sum += w * ground->target_x[i % M];
        weights += w;
    }
    return sum / weights;
}

static struct shepard_erratum try_data_point(const struct ground *ground)
{
    enum { POINTS = 200 };
    struct shepard_erratum erratum = {.id = "data-point", .tried = POINTS};
    for (size_t i = 0; i < POINTS; i++) {
        const double x = ground->x[i], y = ground->y[i], truth = ground->target_x[i];
        erratum.wrong += differs(interpolate(ground, POINTS, x, y, true), truth);
        erratum.corrected += differs(interpolate(ground, POINTS, x, y, false), truth);
    }
    return erratum;
}

static struct shepard_erratum try_carried_sum(const struct ground *ground)
{
    struct shepard_erratum erratum = {.id = "carried-sum", .tried = M};
    double carried = 0;
    for (size_t i = 0; i < M; i++) {
        const double mean = shepard_even_grid_mean(&ground->grid, correct, ground->target_x[i],
                                                   ground->target_y[i], NEIGHBOURS, NULL);
        carried += mean;
        erratum.wrong += differs(carried, ground->truth[i]);
        erratum.corrected += differs(mean, ground->truth[i]);
    }
    return erratum;
}

/* What is tried on uniform data. */
static size_t try_uniform(const struct ground *ground, uint64_t seed,
                          struct shepard_erratum *errata)
{
    size_t count = 0;
    errata[count++] = try_loops(ground);
    errata[count++] = try_bounds(ground);
    errata[count++] = try_cast(ground, side, "cast-1000");
    errata[count++] = try_cast(ground, 1, "cast-1");
    errata[count++] = try_power(seed);
    errata[count++] = try_data_point(ground);
    errata[count++] = try_carried_sum(ground);
    return count;
}

static enum shepard_status prepare(struct ground *ground, uint64_t seed, bool clustered,
                                   struct shepard_error *error)
{
    draw_ground(ground, seed, clustered);
    if (!make_grid(ground))
        return SHEPARD_ERROR_MEMORY;
    return find_truth(ground, error);
}

static enum shepard_status run(struct ground *ground, uint64_t seed, struct shepard_erratum *errata,
                               size_t *count, struct shepard_error *error)
{
    if (!try_counterexample(&errata[0]))
        return SHEPARD_ERROR_MEMORY;
    *count = 1;
    enum shepard_status status = prepare(ground, seed, true, error);
    if (status)
        return status;
    errata[(*count)++] = try_stop(ground, "stop-clustered");
    shepard_even_grid_free(&ground->grid);
    status = prepare(ground, seed, false, error);
    if (status)
        return status;
    errata[(*count)++] = try_stop(ground, "stop-uniform");
    *count += try_uniform(ground, seed, errata + *count);
    return SHEPARD_OK;
}

enum shepard_status shepard_errata_run(uint64_t seed, struct shepard_erratum *errata, size_t *count,
                                       struct shepard_error *error)
{
    struct ground *const ground = calloc(1, sizeof *ground);
    if (!ground)
        return SHEPARD_ERROR_MEMORY;
    const enum shepard_status status = run(ground, seed, errata, count, error);
    shepard_even_grid_free(&ground->grid);
    free(ground);
    return status;
}
