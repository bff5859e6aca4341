/* SPDX-License-Identifier: MIT */
#include "cost.h"

#include "api/cost.h"
#include "chance.h"
#include "check.h"

#include <math.h>

#define TRIALS 2000

/* A job, drawn at random. */
struct job {
    struct shepard_coordinates coordinates;
    struct shepard_points_options options; /* expected_parameters is set by cost_of */
    struct shepard_parameters parameters;
};

static double pick(struct chance *chance, const double *from, size_t count)
{
    return from[chance_below(chance, count)];
}

static void draw_neighbourhood(struct chance *chance, struct shepard_neighbourhood *hood)
{
    switch (chance_below(chance, 8)) {
    case 0:
    case 1:
        hood->max_points = 1 + chance_below(chance, 64);
        return;
    case 2:
        hood->max_points = chance_below(chance, 2) ? 0 : 1 + chance_below(chance, 300);
        hood->radius1 = 3;
        hood->radius2 = chance_below(chance, 2) ? 3 : 2;
        return;
    case 3:
        hood->sectors = 4;
        hood->max_points_per_sector = 3;
        return;
    case 4:
        hood->max_points = chance_below(chance, 2) ? 0 : 1 + chance_below(chance, 100);
        hood->max_points_per_sector = 1 + chance_below(chance, 300);
        hood->min_points_per_sector = chance_below(chance, 3);
        return;
    default:
        return;
    }
}

/* No more than most points and targets. */
static struct job draw(struct chance *chance, double most)
{
    static const double powers[] = {1, 2, 2.5, 3, 4}, tolerances[] = {0, 1e-2, 1e-3, 1e-4, 1e-5},
                        fine[] = {1e-6, 1e-9, 1e-12};
    struct job job = {.coordinates = {.size = sizeof job.coordinates}};
    struct shepard_points_options *options = &job.options;
    struct shepard_parameters *parameters = &job.parameters;
    shepard_points_options_init(options);
    shepard_parameters_init(parameters);
    options->expected_columns = 1 + chance_below(chance, 8);
    job.coordinates.count = 1 + (size_t)pow(most - 1, chance_unit(chance));
    options->expected_targets = 1 + (size_t)pow(most - 1, chance_unit(chance));
    static const enum shepard_method methods[] = {SHEPARD_METHOD_IDW, SHEPARD_METHOD_AIDW,
                                                  SHEPARD_METHOD_KRIGE};
    parameters->method = methods[chance_below(chance, 3)];
    parameters->precision =
        chance_below(chance, 2) ? SHEPARD_PRECISION_DOUBLE : SHEPARD_PRECISION_SINGLE;
    parameters->power = pick(chance, powers, 5);
    parameters->eps = pick(chance, tolerances, 5);
    if (parameters->precision == SHEPARD_PRECISION_DOUBLE && chance_below(chance, 2))
        parameters->eps = pick(chance, fine, 3);
    parameters->degree = chance_below(chance, 5) == 0;
    parameters->smoothing = chance_below(chance, 4) == 0;
    parameters->adaptive.k = 1 + chance_below(chance, 80);
    options->threads = 1 + (int)chance_below(chance, 8);
    static const enum shepard_metric metrics[] = {SHEPARD_METRIC_PLANE, SHEPARD_METRIC_PLANE,
                                                  SHEPARD_METRIC_SPHERE, SHEPARD_METRIC_SPACE};
    options->metric = metrics[chance_below(chance, 4)];
    draw_neighbourhood(chance, &parameters->neighbourhood);
    return job;
}

static struct shepard_cost cost_of(const struct job *job)
{
    struct shepard_points_options options = job->options;
    options.expected_parameters = &job->parameters;
    return shepard_cost_of(&job->coordinates, &options);
}

/* The smaller limit; 0: there is none. */
static size_t least(size_t a, size_t b)
{
    return a == 0 ? (b == 0 ? SIZE_MAX : b) : b == 0 || a < b ? a : b;
}

/* What is left to the CPU, said once more. */
static bool is_left_over(const struct job *job)
{
    const struct shepard_parameters *parameters = &job->parameters;
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const bool all = hood->max_points == 0 && hood->max_points_per_sector == 0 &&
                     hood->radius1 == 0 && hood->sectors == 1;
    const bool wide = parameters->method == SHEPARD_METHOD_AIDW && parameters->adaptive.k > 256 &&
                      job->coordinates.count > 256;
    const size_t each = least(hood->max_points, hood->max_points_per_sector);
    const bool within = hood->radius1 > 0 && each == SIZE_MAX;
    if (parameters->method == SHEPARD_METHOD_KRIGE)
        return each > 64 || least(hood->max_points, each * (size_t)hood->sectors) > 64;
    const bool on_plane = job->options.metric == SHEPARD_METRIC_PLANE;
    return wide || (all ? parameters->degree == 1 && !on_plane : !within && each > 256);
}

static void rises(const struct job *job, const struct job *larger, const char *what)
{
    const struct shepard_cost a = cost_of(job), b = cost_of(larger);
    check(b.cpu >= a.cpu && b.cuda >= a.cuda, "%s: from %g, %g s to %g, %g s", what, a.cpu, a.cuda,
          b.cpu, b.cuda);
}

static void check_order(const struct job *job, struct chance *chance)
{
    struct job larger = *job;
    larger.coordinates.count += 1 + chance_below(chance, 3 * job->coordinates.count);
    rises(job, &larger, "more points");
    larger = *job;
    larger.options.expected_targets += 1 + chance_below(chance, 300 * job->coordinates.count);
    rises(job, &larger, "more targets");
    larger = *job;
    larger.options.expected_columns++;
    rises(job, &larger, "more columns");
    larger = *job;
    larger.parameters.precision = SHEPARD_PRECISION_DOUBLE;
    rises(job, &larger, "double precision");
    larger = *job;
    larger.parameters.eps = job->parameters.eps * 0.3;
    rises(job, &larger, "a finer tolerance");
    larger.parameters.eps = 0;
    rises(job, &larger, "exact sums");
    larger = *job;
    larger.options.threads--;
    if (larger.options.threads > 0)
        rises(job, &larger, "fewer threads");
}

static void check_one(const struct job *job, struct chance *chance)
{
    const struct shepard_cost cost = cost_of(job);
    struct job unsaid = *job, said = *job;
    check(cost.cpu > 0 && isfinite(cost.cpu) && cost.cuda > 0, "%g s, %g s", cost.cpu, cost.cuda);
    check(isinf(cost.cuda) == is_left_over(job), "%g s for what a GPU %s", cost.cuda,
          is_left_over(job) ? "does not do" : "does");
    unsaid.options.expected_targets = 0;
    said.options.expected_targets = job->coordinates.count;
    check(cost_of(&unsaid).cpu == cost_of(&said).cpu, "no expectation is not as many as points");
    unsaid = said = *job;
    unsaid.options.expected_columns = 0;
    said.options.expected_columns = 1;
    check(cost_of(&unsaid).cpu == cost_of(&said).cpu, "no expectation is not one column");
    shepard_parameters_init(&said.parameters);
    check(shepard_cost_of(&said.coordinates, &said.options).cpu == cost_of(&said).cpu,
          "no expectation is not the default parameters");
    check_order(job, chance);
}

/* In the plane: elsewhere the CPU's part may take most of the time. */
static void check_sizes(struct chance *chance)
{
    struct job job = draw(chance, 10000);
    job.options.metric = SHEPARD_METRIC_PLANE;
    struct shepard_cost cost = cost_of(&job);
    check(!shepard_cost_favours_cuda(&cost), "a GPU for a small job of %g s", cost.cpu);
    job.coordinates.count = job.options.expected_targets = 100000000;
    cost = cost_of(&job);
    check(shepard_cost_favours_cuda(&cost) == !is_left_over(&job),
          "a huge job: %g s, or %g s on a GPU", cost.cpu, cost.cuda);
}

/* Wall-clock seconds as measured by bench/run on two cores of an AMD EPYC with AVX-512, at commit
 * 6c5c512; kriging and its search: `bench_core krige`. */
static void check_measured(void)
{
    static const struct {
        size_t points, targets, columns;
        enum shepard_method method;
        double eps;
        int threads;
        double seconds;
        size_t sectors, each; /* 0: from all points */
    } measured[] = {
        {1024000, 1024000, 1, SHEPARD_METHOD_AIDW, 1e-4, 2, 1.2895, 0, 0},
        {10240000, 10240000, 1, SHEPARD_METHOD_AIDW, 1e-4, 2, 14.366, 0, 0},
        {262144, 262144, 1, SHEPARD_METHOD_AIDW, 1e-4, 2, 0.308, 0, 0},
        {16777216, 16777216, 1, SHEPARD_METHOD_AIDW, 1e-4, 2, 23.686, 0, 0},
        {10000, 100000000, 1, SHEPARD_METHOD_IDW, 1e-4, 2, 7.774, 0, 0},
        {10000, 100000000, 8, SHEPARD_METHOD_IDW, 1e-4, 2, 13.111, 0, 0},
        {1024000, 1024000, 1, SHEPARD_METHOD_AIDW, 0, 2, 306.7, 0, 0},
        {10000, 100000000, 1, SHEPARD_METHOD_IDW, 0, 2, 45.85, 0, 0},
        {1024000, 1024000, 1, SHEPARD_METHOD_IDW, 1e-4, 2, 0.26, 1, 16},
        {1024000, 1024000, 1, SHEPARD_METHOD_KRIGE, 1e-4, 2, 1.52, 8, 2},
        {1024000, 1024000, 1, SHEPARD_METHOD_KRIGE, 1e-4, 2, 2.66, 8, 3},
    };
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        struct job job = {
            .coordinates = {.size = sizeof job.coordinates, .count = measured[i].points}};
        shepard_points_options_init(&job.options);
        shepard_parameters_init(&job.parameters);
        job.options.expected_columns = measured[i].columns;
        job.options.expected_targets = measured[i].targets;
        job.options.threads = measured[i].threads;
        job.parameters.method = measured[i].method;
        job.parameters.eps = measured[i].eps;
        if (measured[i].each > 0) {
            job.parameters.neighbourhood.sectors = (int)measured[i].sectors;
            job.parameters.neighbourhood.max_points_per_sector = measured[i].each;
        }
        const double ratio = cost_of(&job).cpu / measured[i].seconds;
        check(ratio > 0.6 && ratio < 1.7, "case %zu: %g s for the %g s that it took", i,
              cost_of(&job).cpu, measured[i].seconds);
        check_measure("ratio of estimated to measured seconds", fmax(ratio, 1 / ratio));
    }
}

void check_costs(uint64_t seed)
{
    struct chance chance = {seed};
    for (int trial = 0; trial < TRIALS; trial++) {
        check_case("seed %llu, cost %d", (unsigned long long)seed, trial);
        const struct job job = draw(&chance, 1e7);
        check_one(&job, &chance);
        check_sizes(&chance);
    }
    check_case("measured");
    check_measured();
}
