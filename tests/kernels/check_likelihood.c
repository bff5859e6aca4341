/* SPDX-License-Identifier: MIT */
/* Likelihoods against dense ones in long double, and what their conditioning sets promise. */
#include "core/likelihood.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES SHEPARD_CONDITION_LANES
#define POINTS_MAX (SHEPARD_CONDITION_MAX + 1)
#define COVARIATES 3

/* Some points of a field. */
struct group {
    size_t neighbours;
    double x[POINTS_MAX * LANES], y[POINTS_MAX * LANES], z[POINTS_MAX * LANES];
    double covariate[COVARIATES][POINTS_MAX * LANES];
    bool has_heights;
    double height[POINTS_MAX * LANES];
};

static void draw_group(struct group *group, unsigned long *seed)
{
    group->neighbours = pick(seed, POINTS_MAX);
    group->has_heights = pick(seed, 2);
    for (size_t i = 0; i < POINTS_MAX * LANES; i++) {
        group->x[i] = 2 * chance(seed) - 1;
        group->y[i] = 2 * chance(seed) - 1;
        group->z[i] = 4 * chance(seed) - 2;
        group->height[i] = 2 * chance(seed) - 1;
        for (size_t c = 0; c < COVARIATES; c++)
            group->covariate[c][i] = 4 * chance(seed) - 2;
    }
}

static struct shepard_covariance_shape draw_shape(unsigned long *seed)
{
    const double angle = 3.2 * chance(seed), along = scaled_chance(seed, -3, 4),
                 across = scaled_chance(seed, -3, 4);
    return (struct shepard_covariance_shape){
        .ux = cos(angle) * along,
        .uy = sin(angle) * along,
        .vx = -sin(angle) * across,
        .vy = cos(angle) * across,
        .wz = scaled_chance(seed, -3, 4),
        .covariance = (enum shepard_covariance)pick(seed, SHEPARD_COVARIANCE_LINEAR),
        .p = 0.2 + 1.75 * chance(seed),
        .nugget = scaled_chance(seed, -10, 3),
    };
}

static struct shepard_conditioning points_of(const struct group *group)
{
    return (struct shepard_conditioning){group->neighbours, group->x, group->y, group->z,
                                         group->has_heights ? group->height : NULL};
}

/* ---- in long double -------------------------------------------------------------------------- */

/* Covariances of n points, and their factor. */
struct dense {
    size_t n;
    long double a[POINTS_MAX][POINTS_MAX];
};

static long double correlation(const struct shepard_covariance_shape *shape, long double h)
{
    switch (shape->covariance) {
    case SHEPARD_COVARIANCE_EXPONENTIAL:
        return expl(-h);
    case SHEPARD_COVARIANCE_SPHERICAL:
        return h < 1 ? 1 - (3 * h - h * h * h) / 2 : 0;
    case SHEPARD_COVARIANCE_MATERN32:
        return h < 1e4L ? expl(-h) * (1 + h) : 0;
    case SHEPARD_COVARIANCE_GAUSSIAN:
        return expl(-h * h);
    default:
        return expl(-powl(h, (long double)shape->p));
    }
}

/* height may be NULL. */
static void dense_make(struct dense *dense, const struct shepard_covariance_shape *shape, size_t n,
                       const double *x, const double *y, const double *height, size_t stride)
{
    dense->n = n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            const long double dx = (long double)x[i * stride] - x[j * stride];
            const long double dy = (long double)y[i * stride] - y[j * stride];
            const long double u = shape->ux * dx + shape->uy * dy;
            const long double v = shape->vx * dx + shape->vy * dy;
            const long double up =
                height != NULL ? (long double)height[i * stride] - height[j * stride] : 0;
            long double sum = i == j ? 1 + (long double)shape->nugget
                                     : correlation(shape, hypotl(hypotl(u, v), shape->wz * up));
            for (size_t m = 0; m < j; m++)
                sum -= dense->a[i][m] * dense->a[j][m];
            dense->a[i][j] = i == j ? sqrtl(sum) : sum / dense->a[j][j];
        }
    }
}

/* L^-1 b in place. */
static void dense_solve(const struct dense *dense, long double *b)
{
    for (size_t i = 0; i < dense->n; i++) {
        for (size_t j = 0; j < i; j++)
            b[i] -= dense->a[i][j] * b[j];
        b[i] /= dense->a[i][i];
    }
}

/* ---- conditional values ---------------------------------------------------------------------- */

static bool near(double a, long double b, double tolerance)
{
    return fabsl(a - b) <= tolerance * (1 + fabsl(b));
}

static struct shepard_condition_covariates covariates_of(const struct group *group, double *left)
{
    return (struct shepard_condition_covariates){COVARIATES, POINTS_MAX * LANES,
                                                 group->covariate[0], left};
}

/* What the neighbours leave of covariates, by the last element of L^-1 c. */
static void check_covariates(struct tally *tally, const struct group *group,
                             const struct dense *dense, size_t lane, const double *left,
                             double tolerance)
{
    const size_t k = group->neighbours;
    for (size_t c = 0; c < COVARIATES; c++) {
        long double column[POINTS_MAX];
        for (size_t i = 0; i <= k; i++)
            column[i] = group->covariate[c][i * LANES + lane];
        dense_solve(dense, column);
        tally_check(tally, near(left[c * LANES + lane], column[k] * dense->a[k][k], tolerance),
                    "covariate %zu on %zu neighbours: %g not %Lg", c, k, left[c * LANES + lane],
                    column[k] * dense->a[k][k]);
    }
}

/* The last element of L^-1 b is the conditional value over its deviation. */
static void check_conditionals(struct tally *tally, const struct shepard_kernels *kernels,
                               unsigned long *seed)
{
    struct group group;
    struct shepard_conditionals found;
    struct dense dense;
    draw_group(&group, seed);
    const struct shepard_covariance_shape shape = draw_shape(seed);
    const struct shepard_conditioning points = points_of(&group);
    const size_t k = group.neighbours;
    double left[COVARIATES * LANES];
    const struct shepard_condition_covariates covariates = covariates_of(&group, left);
    kernels->likelihood->condition(&shape, &points, &covariates, &found);
    for (size_t lane = 0; lane < LANES; lane++) {
        long double z[POINTS_MAX], one[POINTS_MAX];
        dense_make(&dense, &shape, k + 1, group.x + lane, group.y + lane,
                   group.has_heights ? group.height + lane : NULL, LANES);
        for (size_t i = 0; i <= k; i++) {
            z[i] = group.z[i * LANES + lane];
            one[i] = 1;
        }
        dense_solve(&dense, z);
        dense_solve(&dense, one);
        const long double deviation = dense.a[k][k];
        const double tolerance = 1e-13 * (1 + 1 / shape.nugget);
        tally_check(tally,
                    near(found.variance[lane], deviation * deviation, tolerance) &&
                        near(found.log_variance[lane], 2 * logl(deviation),
                             tolerance / (double)(deviation * deviation)) &&
                        near(found.value[lane], z[k] * deviation, tolerance) &&
                        near(found.one[lane], one[k] * deviation, tolerance),
                    "%s: conditional on %zu neighbours: variance %g not %Lg, value %g not %Lg",
                    kernels->isa, k, found.variance[lane], deviation * deviation, found.value[lane],
                    z[k] * deviation);
        check_covariates(tally, &group, &dense, lane, left, tolerance);
    }
}

/* A matrix that is singular in one lane changes nothing in the others, and is made regular. */
static void check_jitter(struct tally *tally, const struct shepard_kernels *kernels,
                         unsigned long *seed)
{
    struct group group;
    struct shepard_conditionals plain, found;
    draw_group(&group, seed);
    group.neighbours = 2 + pick(seed, SHEPARD_CONDITION_MAX - 1);
    struct shepard_covariance_shape shape = draw_shape(seed);
    shape.nugget = 1e-30;
    shape.ux = shape.vy = 20;
    shape.uy = shape.vx = 0;
    shape.covariance = SHEPARD_COVARIANCE_EXPONENTIAL;
    const struct shepard_conditioning points = points_of(&group);
    kernels->likelihood->condition(&shape, &points, NULL, &plain);
    const size_t singular = pick(seed, LANES);
    group.x[LANES + singular] = group.x[singular];
    group.y[LANES + singular] = group.y[singular];
    group.height[LANES + singular] = group.height[singular];
    kernels->likelihood->condition(&shape, &points, NULL, &found);
    for (size_t lane = 0; lane < LANES; lane++) {
        const bool good = lane == singular
                              ? found.variance[lane] > 0 && isfinite(found.value[lane]) &&
                                    isfinite(found.log_variance[lane])
                              : found.variance[lane] == plain.variance[lane] &&
                                    found.value[lane] == plain.value[lane];
        tally_check(tally, good, "%s: lane %zu beside or in a singular one", kernels->isa, lane);
    }
}

/* Vectors of any length give the same bits. */
static void check_bits(struct tally *tally, const struct shepard_kernels *kernels,
                       unsigned long *seed)
{
    const struct shepard_kernels *portable = shepard_kernels_at(1);
    struct group group;
    struct shepard_conditionals expected, found;
    draw_group(&group, seed);
    const struct shepard_covariance_shape shape = draw_shape(seed);
    const struct shepard_conditioning points = points_of(&group);
    double expected_left[COVARIATES * LANES], left[COVARIATES * LANES];
    const struct shepard_condition_covariates first = covariates_of(&group, expected_left),
                                              second = covariates_of(&group, left);
    portable->likelihood->condition(&shape, &points, &first, &expected);
    kernels->likelihood->condition(&shape, &points, &second, &found);
    tally_check(tally,
                memcmp(&expected, &found, sizeof found) == 0 &&
                    memcmp(expected_left, left, sizeof left) == 0,
                "%s: other bits than %s", kernels->isa, portable->isa);
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* Points whose values are their numbers. */
struct numbered {
    size_t n;
    double *x, *y, *z;
    double *height; /* 0 where places have two coordinates */
    bool has_heights;
};

static void numbered_make(struct numbered *numbered, size_t n, unsigned long *seed)
{
    double *memory = malloc(4 * n * sizeof *memory);
    if (memory == NULL)
        exit(2);
    *numbered =
        (struct numbered){n, memory, memory + n, memory + 2 * n, memory + 3 * n, pick(seed, 2)};
    for (size_t i = 0; i < n; i++) {
        numbered->x[i] = 2 * chance(seed) - 1;
        numbered->y[i] = 2 * chance(seed) - 1;
        numbered->z[i] = (double)i;
        numbered->height[i] = numbered->has_heights ? 2 * chance(seed) - 1 : 0;
    }
}

static struct shepard_vecchia_data data_of(const struct numbered *numbered, unsigned long *seed)
{
    return (struct shepard_vecchia_data){.count = numbered->n,
                                         .x = numbered->x,
                                         .y = numbered->y,
                                         .z = numbered->z,
                                         .height = numbered->has_heights ? numbered->height : NULL,
                                         .seed = pick(seed, 1000),
                                         .kernels = shepard_kernels_choose(),
                                         .threads = 2};
}

static void make_sets(const struct shepard_vecchia_data *data,
                      const struct shepard_vecchia_size *sizes, size_t count,
                      struct shepard_vecchia *sets)
{
    if (shepard_vecchia_create(data, sizes, count, sets, NULL) != SHEPARD_OK)
        exit(2);
}

/* The likelihood of few points, each conditioned on all before it, is exact, in every order. */
static void check_exact(struct tally *tally, unsigned long *seed)
{
    const size_t n = 1 + pick(seed, POINTS_MAX);
    const struct shepard_vecchia_size size = {SHEPARD_VECCHIA_POINTS_MIN, SHEPARD_CONDITION_MAX};
    const struct shepard_covariance_shape shape = draw_shape(seed);
    struct numbered points;
    struct shepard_vecchia sets;
    struct shepard_likelihood likelihood;
    struct dense dense;
    numbered_make(&points, n, seed);
    for (size_t i = 0; i < n; i++)
        points.z[i] = 4 * chance(seed) - 2;
    const struct shepard_vecchia_data data = data_of(&points, seed);
    make_sets(&data, &size, 1, &sets);
    if (shepard_likelihood_create(&sets, data.kernels, 2, &likelihood, NULL) != SHEPARD_OK)
        exit(2);
    const struct shepard_likelihood_known nothing = {NAN, NAN};
    const struct shepard_likelihood_known all = {4 * chance(seed) - 2, scaled_chance(seed, -2, 2)};
    const struct shepard_likelihood_value found =
        shepard_likelihood_evaluate(&likelihood, &shape, &nothing);
    const struct shepard_likelihood_value given =
        shepard_likelihood_evaluate(&likelihood, &shape, &all);
    long double z[POINTS_MAX], one[POINTS_MAX], zz = 0, z1 = 0, oneone = 0, log_det = 0;
    dense_make(&dense, &shape, n, points.x, points.y, points.height, 1);
    for (size_t i = 0; i < n; i++) {
        z[i] = points.z[i];
        one[i] = 1;
    }
    dense_solve(&dense, z);
    dense_solve(&dense, one);
    for (size_t i = 0; i < n; i++) {
        zz += z[i] * z[i];
        z1 += z[i] * one[i];
        oneone += one[i] * one[i];
        log_det += 2 * logl(dense.a[i][i]);
    }
    const long double mean = z1 / oneone, sill = (zz - z1 * mean) / n;
    const long double deviance = log_det / n + logl(sill);
    const double tolerance = 1e-11 * (1 + 1 / shape.nugget);
    tally_check(tally, near(found.mean, mean, tolerance), "mean %g not %Lg, %zu points", found.mean,
                mean, n);
    if (n > 1)
        tally_check(tally,
                    near(found.sill, sill, tolerance) && near(found.deviance, deviance, tolerance),
                    "%zu points: sill %g not %Lg, deviance %g not %Lg", n, found.sill, sill,
                    found.deviance, deviance);
    const long double rest = zz - 2 * all.mean * z1 + all.mean * all.mean * oneone;
    const long double likely = log_det / n + logl(all.sill) + rest / n / all.sill - 1;
    tally_check(tally,
                given.mean == all.mean && given.sill == all.sill &&
                    near(given.deviance, likely, tolerance),
                "%zu points, mean and sill %g known: deviance %g not %Lg", n, all.sill,
                given.deviance, likely);
    shepard_likelihood_free(&likelihood);
    shepard_vecchia_free(&sets);
    free(points.x);
}

static double distance2(const struct numbered *points, size_t a, size_t b)
{
    const double dx = points->x[a] - points->x[b], dy = points->y[a] - points->y[b];
    const double up = points->height[a] - points->height[b];
    return dx * dx + dy * dy + up * up;
}

/* The number of point j of a lane; its neighbours come first. */
static size_t number_at(const struct shepard_vecchia *sets, size_t lane, size_t j)
{
    const struct shepard_conditioning group = shepard_vecchia_group(sets, lane / LANES);
    return (size_t)group.z[j * LANES + lane % LANES];
}

/* Every point once in each order, on as many of those before it as there are. */
static void check_all_points(struct tally *tally, unsigned long *seed)
{
    const struct shepard_vecchia_size size = {300, 1 + pick(seed, SHEPARD_CONDITION_MAX)};
    const size_t n = 1 + pick(seed, 300), orders = size.points / n;
    struct numbered points;
    struct shepard_vecchia sets;
    numbered_make(&points, n, seed);
    const struct shepard_vecchia_data data = data_of(&points, seed);
    make_sets(&data, &size, 1, &sets);
    size_t *times = calloc(n, sizeof *times), with_fewer = 0;
    bool sorted = true;
    for (size_t lane = 0; times != NULL && lane < sets.groups * LANES; lane++) {
        const size_t count = sets.neighbours_of[lane / LANES];
        if (sets.weight[lane] == 0)
            continue;
        const size_t own = number_at(&sets, lane, count);
        times[own]++;
        with_fewer += count < size.neighbours;
        for (size_t j = 1; j < count; j++)
            sorted = sorted && distance2(&points, own, number_at(&sets, lane, j - 1)) <=
                                   distance2(&points, own, number_at(&sets, lane, j));
    }
    bool even = true;
    for (size_t i = 0; times != NULL && i < n; i++)
        even = even && times[i] == orders;
    const size_t first = n < size.neighbours ? n : size.neighbours;
    tally_check(tally, even && sorted && with_fewer == orders * first && sets.count == orders * n,
                "%zu points in %zu orders, %zu neighbours", n, orders, size.neighbours);
    free(times);
    shepard_vecchia_free(&sets);
    free(points.x);
}

/* Whether every neighbour of one point that is nearer to another is a neighbour there, too. */
static bool are_nearest(const struct numbered *points, const struct shepard_vecchia *sets,
                        size_t lane, size_t other)
{
    const size_t k = sets->neighbours, own = number_at(sets, lane, k);
    const double reach = distance2(points, own, number_at(sets, lane, k - 1));
    for (size_t j = 0; j < k; j++) {
        const size_t candidate = number_at(sets, other, j);
        bool found = distance2(points, own, candidate) >= reach;
        for (size_t i = 0; i < k && !found; i++)
            found = number_at(sets, lane, i) == candidate;
        if (!found)
            return false;
    }
    return true;
}

/* Samples stand for all but the first points, and those of one level share what they search. */
static void check_samples(struct tally *tally, unsigned long *seed)
{
    const struct shepard_vecchia_size sizes[2] = {{130, 5}, {200 + pick(seed, 300), 9}};
    const size_t n = 501 + pick(seed, 4000);
    struct numbered points;
    struct shepard_vecchia sets[2];
    numbered_make(&points, n, seed);
    const struct shepard_vecchia_data data = data_of(&points, seed);
    make_sets(&data, sizes, 2, sets);
    size_t first = n / 4;
    while (first / 4 >= 32)
        first /= 4;
    for (size_t i = 0; i < 2; i++) {
        double stands_for = 0;
        bool full = true;
        for (size_t lane = 0; lane < sets[i].groups * LANES; lane++) {
            stands_for += sets[i].weight[lane];
            full = full && sets[i].neighbours_of[lane / LANES] == sizes[i].neighbours;
        }
        tally_check(tally, full && fabs(stands_for - (double)(n - first)) < 1e-6 * (double)n,
                    "a sample of %zu points stands for %g", n, stands_for);
    }
    /* The finest level comes first and has at least a quarter of the sample. */
    for (int trial = 0; trial < 200; trial++) {
        const size_t lane = pick(seed, sizes[1].points / 4),
                     other = pick(seed, sizes[1].points / 4);
        tally_check(tally, are_nearest(&points, &sets[1], lane, other),
                    "a nearer point than the neighbours of lane %zu", lane);
    }
    shepard_vecchia_free(&sets[1]);
    shepard_vecchia_free(&sets[0]);
    free(points.x);
}

void check_likelihood(struct tally *tally, unsigned long seed)
{
    const struct shepard_kernels *kernels;
    for (size_t i = 0; (kernels = shepard_kernels_at(i)) != NULL; i++) {
        unsigned long own = seed;
        for (int trial = 0; trial < 200; trial++) {
            check_conditionals(tally, kernels, &own);
            check_jitter(tally, kernels, &own);
            if (i > 0)
                check_bits(tally, kernels, &own);
        }
    }
    for (int trial = 0; trial < 100; trial++) {
        check_exact(tally, &seed);
        check_all_points(tally, &seed);
    }
    for (int trial = 0; trial < 10; trial++)
        check_samples(tally, &seed);
}
