/* SPDX-License-Identifier: MIT */
/* Estimates from a few measured figures. They need to be right to a factor of two only: between
 * the largest job that the processor should keep and the least that pays a GPU's start lies more.
 *
 * Processor: nanoseconds of one thread, and threads share the work evenly (bench/results: 2 threads
 * are 1.8 to 2.06 times as fast as 1). Machine: AMD EPYC (Zen 5, AVX-512). GPU: one NVIDIA H200. */
#include "api/cost.h"

#include "backend/backend.h"
#include "base/parallel.h"

#include <math.h>

/* ---- Processor ------------------------------------------------------------------------------- */

/* A point: taken in, sorted, boxes and moments (create_cpu of bench/results/cpu-*.json, sums:
 * 116 ns at 1,024,000 points, 126 at 10,240,000). */
#define BUILD 120.
/* The k nearest of a target and their sum, of 500,000 points: 324 at k = 12, 407 at 24, 465 at 32,
 * 1,049 at 48, 2,255 at 64 (docs/performance-notes.md); about a cube. */
#define SEARCH 300.
#define RANKING (1. / 128)
/* A further value column of a neighbour. */
#define LOCAL_COLUMN 1.
/* A target's sums within an eps, a decimal digit of the eps, at POINTS points: down to 1e-4 single
 * precision is enough for expansions, below it they are in double (docs/performance-notes.md). */
#define POINTS 200000.
static const double digit_single[3] = {300, 480, 420}; /* power 2; any; AIDW but its search */
static const double digit_double[3] = {650, 1150, 1300};
#define SINGLE_DIGITS 4.
/* Their growth: AIDW with its search takes 930 at 1,000 points, 2,060 at 100,000, 2,370 at
 * 1,024,000, 2,650 at 16,777,216 (bench/results, sums and growth). Without the search, which does
 * not grow, that is about a straight line of log2 n that meets 0 here. */
#define GROWTH_ZERO 5.
/* A further column beside the first (bench/results, raster: 8 columns take 1.69 times as long). */
#define SUM_COLUMN 0.1
/* Targets beyond DENSE a point come from a raster much finer than the data, which interpolates:
 * 154 ns a cell, power 2, 10,000 points to 100,000,000 cells. */
#define DENSE 64.
#define DENSE_PART 0.18
/* One pair of exact sums, and a further column of it (bench/results, pairs; the even powers, the
 * odd ones, all others). */
static const double pair_single[3] = {0.076, 0.15, 0.52};
static const double pair_double[3] = {0.31, 0.50, 1.56};
#define PAIR_COLUMN_SINGLE 0.028
#define PAIR_COLUMN_DOUBLE 0.115

/* ---- GPU ------------------------------------------------------------------------------------- */

/* Seconds of the first use of a device in a process. */
#define START 0.4
/* Bytes a second from and to memory that is not pinned. */
#define TRANSFER 10e9
/* Nanoseconds a point: sort, tree and moments. */
#define DEVICE_BUILD 1.5
/* It stands for so many of the threads above. Measured (docs/performance-notes.md): AIDW over all points,
 * 1,024,000 by 1,024,000, 520 at eps 1e-4 (3.9 ns a target), 150 at 1e-5, the default, which is in
 * double. */
#define DEVICE_SUMS 120.
/* Of the 12 nearest: 2 ns a target; 0.6 measured, with sorting. */
#define DEVICE_SEARCHES 150.

/* How much faster cuda must seem. */
#define CLEARLY 2.

struct job {
    const struct shepard_parameters *parameters;
    double points, targets, columns;
};

/* ---- Both ------------------------------------------------------------------------------------ */

static bool uses_all_points(const struct shepard_neighbourhood *hood)
{
    return hood->max_points == 0 && hood->radius1 == 0 && hood->max_points_per_sector == 0 &&
           hood->min_points_per_sector == 0;
}

/* The most points that a neighbourhood of one sector takes; 0: no limit. */
static size_t most_points(const struct shepard_neighbourhood *hood)
{
    const size_t all = hood->max_points, own = hood->max_points_per_sector;
    return all == 0 || (own > 0 && own < all) ? own : all;
}

/* 0: squares are enough; 1: a square root too; 2: logarithm and exponential. */
static int power_class(const struct shepard_parameters *parameters)
{
    if (parameters->method == SHEPARD_METHOD_AIDW)
        return 2;
    if (parameters->power == 2 || parameters->power == 4)
        return 0;
    return parameters->power == 1 || parameters->power == 3 ? 1 : 2;
}

static double nearest_ns(size_t k, double points)
{
    const double found = fmin((double)k, points);
    return SEARCH + RANKING * found * found * found;
}

static double exact_ns(const struct job *job)
{
    const bool single = job->parameters->precision == SHEPARD_PRECISION_SINGLE;
    const int class = power_class(job->parameters);
    const double pair = single ? pair_single[class] : pair_double[class];
    const double column = single ? PAIR_COLUMN_SINGLE : PAIR_COLUMN_DOUBLE;
    return job->targets * job->points * (pair + column * (job->columns - 1));
}

/* Expansions of few points are never dearer than the sums themselves. */
static double tolerant_ns(const struct job *job)
{
    const struct shepard_parameters *parameters = job->parameters;
    const double digits = -log10(parameters->eps);
    const bool single =
        parameters->precision == SHEPARD_PRECISION_SINGLE && digits < SINGLE_DIGITS + 0.5;
    const int class = parameters->method == SHEPARD_METHOD_AIDW ? 2 : power_class(parameters) == 2;
    const double growth = fmax(log2(job->points) - GROWTH_ZERO, 1) / (log2(POINTS) - GROWTH_ZERO);
    const double target = digits * (single ? digit_single[class] : digit_double[class]) * growth *
                          (1 + SUM_COLUMN * (job->columns - 1));
    const double sparse = fmin(job->targets, DENSE * job->points);
    return fmin(target * (sparse + DENSE_PART * (job->targets - sparse)), exact_ns(job));
}

static double sums_ns(const struct job *job)
{
    return job->parameters->eps > 0 ? tolerant_ns(job) : exact_ns(job);
}

static double searches_ns(const struct job *job)
{
    const struct shepard_parameters *parameters = job->parameters;
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const size_t k = hood->sectors > 1 ? hood->max_points : most_points(hood);
    double target = 0;
    if (parameters->method == SHEPARD_METHOD_AIDW)
        target += nearest_ns(parameters->adaptive.k, job->points);
    if (!uses_all_points(hood))
        target += nearest_ns(k, job->points) +
                  LOCAL_COLUMN * fmin((double)k, job->points) * (job->columns - 1);
    return job->targets * target;
}

static double predict_ns(const struct job *job, double sums_share, double searches_share)
{
    const bool all = uses_all_points(&job->parameters->neighbourhood);
    return (all ? sums_ns(job) / sums_share : 0) + searches_ns(job) / searches_share;
}

/* ---- The estimate ---------------------------------------------------------------------------- */

/* Coordinates and values up; coordinates up and values down for each target. */
static double transferred(const struct job *job)
{
    return sizeof(double) * (2 + job->columns) * (job->points + job->targets);
}

struct shepard_cost shepard_cost_of(const struct shepard_coordinates *coordinates,
                                    const struct shepard_points_options *options)
{
    const size_t n = coordinates->count, targets = options->expected_targets;
    const size_t columns = options->expected_columns;
    struct shepard_parameters defaults;
    shepard_parameters_init(&defaults);
    const struct job job = {.parameters = options->expected_parameters != NULL
                                              ? options->expected_parameters
                                              : &defaults,
                            .points = (double)n,
                            .targets = (double)(targets > 0 ? targets : n),
                            .columns = (double)(columns > 0 ? columns : 1)};
    const double processor = BUILD * job.points + predict_ns(&job, 1, 1);
    const double device =
        DEVICE_BUILD * job.points + predict_ns(&job, DEVICE_SUMS, DEVICE_SEARCHES);
    struct shepard_cost cost = {.cpu = 1e-9 * processor / shepard_threads(options->threads),
                                .cuda = INFINITY};
    if (*shepard_backend_cuda.refusal(job.parameters, n) == '\0')
        cost.cuda = START + transferred(&job) / TRANSFER + 1e-9 * device;
    return cost;
}

bool shepard_cost_favours_cuda(const struct shepard_cost *cost)
{
    return CLEARLY * cost->cuda <= cost->cpu;
}
