/* SPDX-License-Identifier: MIT */
/* Estimates from a few measured figures. They need to be right to a factor of two only: between
 * the largest job that the CPU should keep and the least that pays a GPU's start lies more.
 * Nanoseconds are those of one thread of an AMD EPYC (Zen 5, AVX-512), and threads share the work
 * evenly; the GPU is one NVIDIA H200. bench/results and docs/performance-notes.md have the
 * measurements.
 */
#include "api/cost.h"

#include "backend/backend.h"
#include "base/parallel.h"
#include "core/methods.h"

#include <math.h>

#define BUILD 120.       /* ns a point: sorted, boxes and moments; 116 to 126 measured */
#define BUILD_3D 280.    /* on a sphere or in space, by the CPU: 239 to 320 measured */
#define SEARCH 230.      /* ns a search of the k nearest, and for each of them; 318 measured */
#define RANKING 12.      /* at k = 12, 910 at 64, 3,853 at 300 (Zen 4, AVX2) */
#define WITHIN 100.      /* points that a radius without a limit is taken to hold */
#define POINT_WITHIN 5.  /* ns each of them; 4.9 to 8 measured */
#define SECTORS 2.2      /* times as long by sectors; 2.0 to 2.7 measured */
#define ON_SPHERE 1.5    /* times as long as in the plane; 1.2 to 1.6 measured */
#define IN_SPACE 2.      /* 1.7 to 2.3 measured */
#define SYSTEM 6.        /* ns a system of kriging: this times its points squared; 5 to 6 */
#define PAIR_SINGLE 0.1  /* ns a pair of exact sums; 0.076 to 0.15 measured */
#define PAIR_DOUBLE 0.4  /* 0.31 to 0.50 */
#define ANY_POWER 4.     /* times as long where the power is no small integer */
#define PAIR_COLUMN 0.28 /* a further column, of a pair's time with a small integer */
#define TERM_SINGLE 32.  /* ns a target's sums within an eps: a digit of it, a doubling of the */
#define TERM_DOUBLE 80.  /* points beyond 32; 24 to 38 and 52 to 103 measured */
#define SINGLE_EPS 3e-5  /* below it expansions are in double */
#define TERM_COLUMN 0.1  /* a further column, of the first one's time */
#define PLANES 4.        /* times as long as degree 0; 2.8 to 3.8 measured, 4.6 on a GPU */
#define PLANES_DOUBLE 6. /* where the CPU sums in double; 6.3 measured */
#define DENSE 64.        /* targets a point beyond which a raster interpolates, */
#define DENSE_PART 0.18  /* which takes this part of the time */
#define START 0.4        /* seconds of the first use of a GPU in a process */
#define TRANSFER 10e9    /* bytes a second from and to memory that is not pinned */
#define GPU_THREADS 100. /* threads that a GPU stands for; 150 to 520 measured, building 80 */
#define CLEARLY 2.       /* times as fast as the CPU must cuda seem */

static double search_ns(double k, double points)
{
    const double found = fmin(k, points);
    return SEARCH + RANKING * found;
}

/* How many times as long as in the plane a search takes. */
static double search_factor(enum shepard_metric metric)
{
    return metric == SHEPARD_METRIC_SPHERE  ? ON_SPHERE
           : metric == SHEPARD_METRIC_SPACE ? IN_SPACE
                                            : 1;
}

/* A prediction from a neighbourhood. */
static double neighbourhood_ns(const struct shepard_parameters *parameters, double points)
{
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const double all = hood->max_points > 0 ? (double)hood->max_points : points;
    const double each = (double)hood->max_points_per_sector * hood->sectors;
    const double most = fmin(each > 0 ? fmin(all, each) : all, points);
    const bool bounded = hood->max_points > 0 || each > 0;
    const double found = bounded ? search_ns(most, points)
                                 : search_ns(0, points) + POINT_WITHIN * fmin(WITHIN, points);
    const double search = found * (hood->sectors > 1 ? SECTORS : 1);
    return parameters->method == SHEPARD_METHOD_KRIGE ? search + SYSTEM * most * most : search;
}

/* Sums over all points for all targets. Expansions never cost more than the pairs. */
static double sums_ns(const struct shepard_parameters *parameters, double points, double targets,
                      double columns)
{
    const double power = parameters->power, eps = parameters->eps;
    const bool single = parameters->precision == SHEPARD_PRECISION_SINGLE;
    const bool adaptive = shepard_method_facts(parameters->method)->adaptive;
    const bool any = adaptive || power > 4 || power != rint(power);
    const bool fine = !single || eps <= SINGLE_EPS;
    const bool fine_planes = fine || parameters->smoothing > 0;
    const double planes = parameters->degree == 0 ? 1 : fine_planes ? PLANES_DOUBLE : PLANES;
    const double pair = (any ? ANY_POWER : 1) + PAIR_COLUMN * (columns - 1);
    const double exact = planes * targets * points * pair * (single ? PAIR_SINGLE : PAIR_DOUBLE);
    if (eps == 0)
        return exact;
    const double term = planes * (fine && parameters->degree == 0 ? TERM_DOUBLE : TERM_SINGLE);
    const double expanded = fmin(targets, DENSE * points);
    return fmin(exact, term * -log10(eps) * fmax(log2(points / 32), 1) *
                           (1 + TERM_COLUMN * (columns - 1)) *
                           (expanded + DENSE_PART * (targets - expanded)));
}

struct shepard_cost shepard_cost_of(const struct shepard_coordinates *coordinates,
                                    const struct shepard_points_options *options)
{
    const double points = (double)coordinates->count;
    const double targets =
        options->expected_targets > 0 ? (double)options->expected_targets : points;
    const double columns = options->expected_columns > 0 ? (double)options->expected_columns : 1;
    struct shepard_parameters defaults;
    shepard_parameters_init(&defaults);
    const struct shepard_parameters *parameters =
        options->expected_parameters != NULL ? options->expected_parameters : &defaults;
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const bool in_plane = options->metric == SHEPARD_METRIC_PLANE;
    const double factor = search_factor(options->metric);
    double ns = in_plane ? BUILD * points : 0;
    if (shepard_method_facts(parameters->method)->adaptive)
        ns += factor * targets * search_ns((double)parameters->adaptive.k, points);
    if (hood->max_points > 0 || hood->max_points_per_sector > 0 || hood->radius1 > 0 ||
        hood->min_points_per_sector > 0)
        ns += factor * targets * neighbourhood_ns(parameters, points);
    else
        ns += sums_ns(parameters, points, targets, columns);
    /* The CPU puts places with three coordinates in order, for the GPU too. */
    const double by_cpu = in_plane ? 0 : BUILD_3D * points;
    const int threads = shepard_threads(options->threads);
    struct shepard_cost cost = {.cpu = 1e-9 * (ns + by_cpu) / threads, .cuda = INFINITY};
    /* Coordinates and values up; coordinates up and values down for each target. */
    const double bytes = sizeof(double) * (2 + columns) * (points + targets);
    if (*shepard_backend_cuda.refusal(parameters, options->metric, coordinates->count) == '\0')
        cost.cuda = START + bytes / TRANSFER + 1e-9 * ns / GPU_THREADS + 1e-9 * by_cpu / threads;
    return cost;
}

bool shepard_cost_favours_cuda(const struct shepard_cost *cost)
{
    return CLEARLY * cost->cuda <= cost->cpu;
}
