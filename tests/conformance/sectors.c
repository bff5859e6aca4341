/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "suite.h"

#include <string.h>

#define POINTS_MAX 8

/* Points and limits, and which points the place (0, 0) uses by the rule of
 * docs/math/neighbourhood.md.
 */
struct dealt {
    size_t n;
    double points[POINTS_MAX][3]; /* x, y, value */
    struct shepard_neighbourhood hood;
    const char *used; /* digits: the points used */
};

static const struct dealt cases[] = {
    /* A point at the place is used, though other sectors have a lower number. */
    {5,
     {{0, 0, 10}, {-1, -1, 1}, {1, -1, 2}, {5, 5, 3}, {-5, 5, 4}},
     {.sectors = 4, .max_points = 2},
     "01"},
    {5,
     {{0, 0, 10}, {-1, -1, 1}, {1, -1, 2}, {5, 5, 3}, {-5, 5, 4}},
     {.sectors = 8, .max_points = 1},
     "0"},
    /* So are all of several there, before other sectors have a turn, up to the limits. */
    {4, {{0, 0, 10}, {-1, -1, 1}, {0, 0, 20}, {-1, 1, 2}}, {.sectors = 4, .max_points = 2}, "02"},
    {4, {{0, 0, 10}, {-1, -1, 1}, {0, 0, 20}, {-1, 1, 2}}, {.sectors = 8, .max_points = 3}, "012"},
    {4,
     {{0, 0, 10}, {-1, -1, 1}, {0, 0, 20}, {-1, 1, 2}},
     {.sectors = 4, .max_points = 2, .max_points_per_sector = 1},
     "01"},
    /* The round of the last point goes by distance, not by the number of the sector. */
    {4, {{-4, -4, 1}, {3, -3, 2}, {-2, 2, 3}, {1, 1, 4}}, {.sectors = 4, .max_points = 3}, "123"},
    {6,
     {{-4, -4, 1}, {3, -3, 2}, {-5, -5, 3}, {4, -4.5, 4}, {9, 9, 5}, {9, 9.5, 6}},
     {.sectors = 4, .max_points = 4},
     "0134"},
    {4, {{-3, -1, 1}, {-1, -2, 2}, {2, 4, 3}, {1, -0.5, 4}}, {.sectors = 8, .max_points = 2}, "13"},
    /* A far sector's first point goes before a near sector's second. */
    {3, {{1, 1, 1}, {1, 2, 2}, {-90, -90, 3}}, {.sectors = 4, .max_points = 2}, "02"},
    /* At equal distances the smaller x is first, then the smaller y. */
    {4, {{1, 1, 1}, {-1, -1, 2}, {1, -1, 3}, {-1, 1, 4}}, {.sectors = 4, .max_points = 3}, "123"},
    {2, {{1, 1, 1}, {1, -1, 2}}, {.sectors = 8, .max_points = 1}, "1"},
};

/* The mean of the values used, weights 1 / distance^2; at a data point of those there. */
static double mean_of(const struct dealt *dealt)
{
    long double sum = 0, total = 0;
    bool coincident = false;
    for (const char *digit = dealt->used; *digit != '\0'; digit++) {
        const double *p = dealt->points[*digit - '0'];
        coincident = coincident || (p[0] == 0 && p[1] == 0);
    }
    for (const char *digit = dealt->used; *digit != '\0'; digit++) {
        const double *p = dealt->points[*digit - '0'];
        const long double d2 = (long double)p[0] * p[0] + (long double)p[1] * p[1];
        const long double w = coincident ? d2 == 0 : 1 / d2;
        sum += w * p[2];
        total += w;
    }
    return (double)(sum / total);
}

static void try_case(const struct shepard_backend_info *on, const struct dealt *dealt)
{
    struct scene scene = {.n = dealt->n, .columns = 1};
    double x[POINTS_MAX], y[POINTS_MAX], z[POINTS_MAX], zero = 0;
    for (size_t i = 0; i < dealt->n; i++) {
        x[i] = dealt->points[i][0];
        y[i] = dealt->points[i][1];
        z[i] = dealt->points[i][2];
    }
    scene.x = x;
    scene.y = y;
    scene.values[0] = z;
    struct model_options options = options_for(on->backend);
    options.parameters.neighbourhood = dealt->hood;
    const struct places place = {1, &zero, &zero};
    struct results got = results_of(&scene, &options, &place);
    check_near(got.count[0], (double)strlen(dealt->used), 0, "count of points dealt");
    check_near(got.values[0][0], mean_of(dealt), 1e-13 * 20, "value of points dealt");
    results_free(&got);
}

void suite_sectors(const struct suite *suite)
{
    for (size_t b = 0; b < suite->count; b++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            check_case("%s: sectors, case %zu", suite->backends[b].name, i);
            try_case(&suite->backends[b], &cases[i]);
        }
}
