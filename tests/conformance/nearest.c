/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "slow.h"
#include "suite.h"

#include <stdlib.h>

static double distance(const struct scene *scene, size_t i, double x, double y)
{
    return hypot(scene->x[i] - x, scene->y[i] - y);
}

/* Distances that differ, but by less than their squares in double can tell. */
static bool indistinct(const struct scene *scene, size_t i, size_t j, double x, double y)
{
    const long double xi = (long double)scene->x[i] - x, yi = (long double)scene->y[i] - y;
    const long double xj = (long double)scene->x[j] - x, yj = (long double)scene->y[j] - y;
    const long double a = xi * xi + yi * yi, b = xj * xj + yj * yj;
    return a != b && fabsl(a - b) <= 1e-15L * a;
}

/* One row of the answer against the order by distance, x, y, index. */
static void check_row(const struct scene *scene, size_t k, double x, double y,
                      const uint32_t *indices, const double *distances)
{
    uint32_t *want = scene_memory(k, sizeof *want);
    const size_t found = slow_nearest(scene, NULL, k, x, y, want);
    for (size_t j = 0; j < k; j++) {
        if (j >= found) {
            check(indices[j] == SHEPARD_NO_POINT && isnan(distances[j]),
                  "neighbour %zu of %zu points is %u at %g", j, scene->n, indices[j], distances[j]);
            continue;
        }
        check(indices[j] == want[j] ||
                  (indices[j] < scene->n && indistinct(scene, indices[j], want[j], x, y)),
              "neighbour %zu is %u, not %u", j, indices[j], want[j]);
        const double d = distance(scene, want[j], x, y);
        check_near(distances[j], d, 1e-14 * d, "distance");
    }
    free(want);
}

/* The targets are the places. On points alone, which need no field. */
static void try_targets(const struct shepard_backend_info *on, const struct scene *scene, size_t k,
                        const struct shepard_targets *targets, const struct places *places,
                        int threads)
{
    struct model_options options = options_for(on->backend);
    options.points.threads = threads;
    struct shepard_points *points = points_make(scene, &options.points);
    uint32_t *indices = scene_memory(places->m * k, sizeof *indices);
    double *distances = scene_memory(places->m * k, sizeof *distances);
    struct shepard_error error = {0};
    const struct shepard_nearest_output output = nearest_output(indices, distances);
    enum shepard_status status = shepard_nearest(points, targets, k, &output, NULL, &error);
    check(status == SHEPARD_OK, "no search: %s", error.message);
    for (size_t i = 0; i < places->m; i++)
        check_row(scene, k, places->x[i], places->y[i], indices + i * k, distances + i * k);
    free(distances);
    free(indices);
    shepard_points_free(points);
}

static void try_search(const struct shepard_backend_info *on, const struct scene *scene, size_t k,
                       const struct places *places, int threads)
{
    const struct shepard_targets targets = places_targets(places);
    try_targets(on, scene, k, &targets, places, threads);
}

/* Cells so small that many have the same neighbours: these are found for several at once. */
static void try_small_cells(const struct shepard_backend_info *on, const struct scene *scene,
                            size_t k, struct chance *chance)
{
    enum { SIDE = 18 };
    const double step = scene->size / (40 + 10 * (double)chance_below(chance, 30));
    const double room = scene->size - SIDE * step;
    const struct shepard_raster raster = {scene->x0 + room * chance_unit(chance),
                                          scene->y0 + room * chance_unit(chance),
                                          step,
                                          step,
                                          SIDE,
                                          SIDE};
    const struct shepard_targets targets = raster_targets(&raster, NULL);
    struct places places = raster_places(&raster, NULL);
    try_targets(on, scene, k, &targets, &places, 1);
    places_free(&places);
}

/* The cells of a window, and of a raster as large, are the same places as a list of their centres;
 * a field on the points, with gaps, changes nothing. */
static void try_cells(const struct shepard_backend_info *on, struct scene *scene)
{
    enum { K = 3, COLUMNS = 7, ROWS = 5 };
    const double step = scene->size / 8;
    const struct shepard_raster large = {
        scene->x0 - 2 * step, scene->y0 + 9 * step, step, -step, COLUMNS + 4, ROWS + 6};
    const struct shepard_window window = {3, 2, COLUMNS, ROWS};
    const struct shepard_raster small = {scene->x0, scene->y0, step, step, COLUMNS, ROWS};
    const struct model_options options = options_for(on->backend);
    const double kept = scene->values[0][0];
    scene->values[0][0] = scene->n > 1 ? NAN : kept;
    struct model *model = model_make(scene, &options);
    scene->values[0][0] = kept;
    for (int whole = 0; whole < 2; whole++) {
        const struct shepard_raster *raster = whole ? &small : &large;
        const struct shepard_window *part = whole ? NULL : &window;
        const struct shepard_targets targets = raster_targets(raster, part);
        struct places places = raster_places(raster, part);
        uint32_t indices[K * COLUMNS * ROWS];
        double distances[K * COLUMNS * ROWS];
        struct shepard_error error = {0};
        check(model_nearest(model, &targets, K, indices, distances, NULL, &error) == SHEPARD_OK,
              "no search of cells: %s", error.message);
        for (size_t i = 0; i < places.m; i++)
            check_row(scene, K, places.x[i], places.y[i], indices + i * K, distances + i * K);
        places_free(&places);
    }
    model_free(model);
}

/* Places that are not finite have no neighbours; each of the two arrays may be left out. */
static void try_not_finite(const struct shepard_backend_info *on, const struct scene *scene)
{
    double x[] = {NAN, 0, INFINITY}, y[] = {0, -INFINITY, NAN};
    const struct places places = {3, x, y};
    const struct shepard_targets targets = places_targets(&places);
    const struct model_options options = options_for(on->backend);
    struct shepard_points *points = points_make(scene, &options.points);
    uint32_t indices[6] = {0};
    double distances[6] = {0};
    const struct shepard_nearest_output first = nearest_output(indices, NULL),
                                        second = nearest_output(NULL, distances);
    check(shepard_nearest(points, &targets, 2, &first, NULL, NULL) == SHEPARD_OK &&
              shepard_nearest(points, &targets, 2, &second, NULL, NULL) == SHEPARD_OK,
          "a search with one array");
    for (int i = 0; i < 6; i++)
        check(indices[i] == SHEPARD_NO_POINT && isnan(distances[i]), "a neighbour of no place");
    shepard_points_free(points);
}

void suite_nearest(const struct suite *suite)
{
    static const size_t ks[] = {1, 2, 10, 33, 100}, sizes[] = {1, 5, 64, 300};
    static const size_t small_ks[] = {12, 1, 40};
    struct chance chance = {suite->seed + 2000000};
    for (int kind = 0; kind < SCENE_KINDS; kind++)
        for (size_t s = 0; s < 4; s++) {
            struct scene scene = scene_make((enum scene_kind)kind, sizes[s], 1 + s, s % 2, &chance);
            struct places places = scene_places(&scene, 32, &chance);
            for (size_t b = 0; b < suite->count; b++) {
                const struct shepard_backend_info *on = &suite->backends[b];
                check_case("seed %llu %s: %s n %zu", (unsigned long long)suite->seed, on->name,
                           scene_name(scene.kind), scene.n);
                for (size_t j = 0; j < 5; j++)
                    try_search(on, &scene, ks[j], &places, 1 + (int)j % 2);
                try_cells(on, &scene);
                if (on->backend != SHEPARD_BACKEND_REF && suite_takes(suite, 4 * (size_t)kind + s))
                    try_small_cells(on, &scene, small_ks[((size_t)kind + s) % 3], &chance);
                try_not_finite(on, &scene);
            }
            places_free(&places);
            scene_free(&scene);
        }
}
