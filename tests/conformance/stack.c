/* SPDX-License-Identifier: MIT */
/* Calls from a thread with a small stack, as musl gives: what they use of a larger one is measured,
 * then they run on one of that size. The test's environment gives OpenMP's threads as small ones
 * (OMP_STACKSIZE). */
#include "check.h"
#include "results.h"
#include "suite.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The promise of shepard.h. */
#define PROMISED ((size_t)64 << 10)
/* Far larger, so that a call that breaks it is measured, not killed. */
#define ROOM ((size_t)1 << 20)
#define UNTOUCHED 0xa5
/* The stack of a thread under musl. */
#define SMALL ((size_t)128 << 10)
/* Larger than any frame, so that none reaches beyond it unnoticed. */
#define GUARD ((size_t)1 << 20)

#define COLUMNS 9
#define POINTS 1500
#define PLACES 40
/* Cells of a side of the raster. */
#define SIDE 16
#define SIDE_REF 2

struct call {
    const struct shepard_backend_info *on;
    const struct scene *scene;
    struct model_options options;
};

/* A part of a raster much finer than the data. */
static void predict_cells(const struct call *of, const struct model *model)
{
    const struct scene *scene = of->scene;
    const double cell = scene->size / 20000;
    const size_t side = of->on->backend == SHEPARD_BACKEND_REF ? SIDE_REF : SIDE;
    const struct shepard_raster raster = {scene->x0, scene->y0, cell, cell, 20000, 20000};
    const struct shepard_window window = {9008, 9008, side, side};
    double *values = scene_memory(COLUMNS * side * side, sizeof *values);
    struct shepard_output_array columns[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        columns[c] = shepard_output_doubles(values + c * side * side);
    const struct shepard_output output = {.size = sizeof output, .values = columns};
    const struct shepard_targets targets = raster_targets(&raster, &window);
    check(model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK, "a raster");
    free(values);
}

static void *call(void *user)
{
    const struct call *call = user;
    struct chance chance = {12};
    struct places places = scene_places(call->scene, PLACES, &chance);
    const struct shepard_targets targets = places_targets(&places);
    struct model *model = model_make(call->scene, &call->options);
    struct results results = results_make(PLACES, COLUMNS);
    const struct shepard_output output = results_output(&results);
    uint32_t nearest[3 * PLACES];
    check(model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK, "points");
    check(model_nearest(model, &targets, 3, nearest, NULL, NULL, NULL) == SHEPARD_OK, "nearest");
    predict_cells(call, model);
    results_free(&results);
    model_free(model);
    places_free(&places);
    return NULL;
}

/* Calls in a thread whose stack is watched; returns what it used. */
static size_t stack_of(struct call *of)
{
    pthread_attr_t attributes;
    pthread_t thread;
    unsigned char *stack = aligned_alloc(4096, ROOM);
    if (stack == NULL)
        exit(2);
    memset(stack, UNTOUCHED, ROOM);
    const bool made = pthread_attr_init(&attributes) == 0 &&
                      pthread_attr_setstack(&attributes, stack, ROOM) == 0 &&
                      pthread_create(&thread, &attributes, call, of) == 0;
    check(made, "no thread");
    if (made)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0;
    while (untouched < ROOM && stack[untouched] == UNTOUCHED)
        untouched++;
    free(stack);
    return ROOM - untouched;
}

/* Every way to sum, to search and to krige. */
static const struct {
    const char *name;
    struct shepard_neighbourhood hood;
    enum shepard_method method;
    int degree;
    enum shepard_precision precision;
    double eps, smoothing;
} ways[] = {
    {"all points, single",
     {.sectors = 1},
     SHEPARD_METHOD_IDW,
     0,
     SHEPARD_PRECISION_SINGLE,
     1e-5,
     0},
    {"all points, double",
     {.sectors = 1},
     SHEPARD_METHOD_IDW,
     0,
     SHEPARD_PRECISION_DOUBLE,
     1e-12,
     0},
    {"all points, smoothed",
     {.sectors = 1},
     SHEPARD_METHOD_IDW,
     0,
     SHEPARD_PRECISION_DOUBLE,
     1e-9,
     0.01},
    {"every pair", {.sectors = 1}, SHEPARD_METHOD_IDW, 0, SHEPARD_PRECISION_SINGLE, 0, 0},
    {"every pair, double", {.sectors = 1}, SHEPARD_METHOD_IDW, 1, SHEPARD_PRECISION_DOUBLE, 0, 0},
    {"planes over all points",
     {.sectors = 1},
     SHEPARD_METHOD_IDW,
     1,
     SHEPARD_PRECISION_DOUBLE,
     1e-6,
     0},
    {"aidw", {.sectors = 1}, SHEPARD_METHOD_AIDW, 0, SHEPARD_PRECISION_SINGLE, 1e-5, 0},
    {"aidw, planes", {.sectors = 1}, SHEPARD_METHOD_AIDW, 1, SHEPARD_PRECISION_DOUBLE, 1e-7, 0},
    {"nearest",
     {.sectors = 1, .max_points = 12},
     SHEPARD_METHOD_IDW,
     0,
     SHEPARD_PRECISION_SINGLE,
     0,
     0},
    {"planes",
     {.sectors = 1, .max_points = 24},
     SHEPARD_METHOD_AIDW,
     1,
     SHEPARD_PRECISION_DOUBLE,
     0,
     0},
    {"radius",
     {.sectors = 1, .radius1 = 0.1, .radius2 = 0.05},
     SHEPARD_METHOD_IDW,
     1,
     SHEPARD_PRECISION_DOUBLE,
     0,
     0},
    {"sectors",
     {.sectors = 8, .max_points = 20},
     SHEPARD_METHOD_IDW,
     1,
     SHEPARD_PRECISION_DOUBLE,
     0,
     0},
    {"kriging",
     {.sectors = 8, .max_points_per_sector = 8},
     SHEPARD_METHOD_KRIGE,
     0,
     SHEPARD_PRECISION_DOUBLE,
     0,
     0},
};

static struct call call_of(const struct shepard_backend_info *on, const struct scene *scene,
                           size_t way)
{
    struct call call = {on, scene, options_for(on->backend)};
    struct model_options *options = &call.options;
    options->parameters.neighbourhood = ways[way].hood;
    options->parameters.neighbourhood.radius1 *= scene->size;
    options->parameters.neighbourhood.radius2 *= scene->size;
    options->parameters.method = ways[way].method;
    options->parameters.degree = ways[way].degree;
    options->parameters.precision = ways[way].precision;
    options->parameters.eps = ways[way].eps;
    options->parameters.smoothing = ways[way].smoothing * scene->size;
    options->parameters.kriging = (struct shepard_kriging){.kind = SHEPARD_KRIGING_UNIVERSAL,
                                                           .mean = NAN,
                                                           .psill = 1,
                                                           .range = scene->size,
                                                           .nugget = 0,
                                                           .p = 1.5};
    return call;
}

void suite_stack(const struct suite *suite)
{
    struct chance chance = {suite->seed + 14000000};
    struct scene scene = scene_make(SCENE_UNIFORM, POINTS, COLUMNS, false, &chance);
    for (size_t b = 0; b < suite->count; b++)
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            struct call of = call_of(&suite->backends[b], &scene, way);
            check_case("%s: %s", of.on->name, ways[way].name);
            /* What a driver's calls use is not the library's. */
            if (of.on->backend == SHEPARD_BACKEND_CUDA)
                continue;
            const size_t used = stack_of(&of);
            check(used <= PROMISED, "%zu bytes of stack, %zu are promised", used, PROMISED);
            check_measure("stack, KiB", (double)used / 1024);
            of.options.points.threads = 2;
            call(&of);
        }
    scene_free(&scene);
}

/* Calls on a small stack; a call that needs more ends the program. False if the system gives none
 * so small. */
static bool call_on_small_stack(struct call *of)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int reason = pthread_attr_init(&attributes);
    if (reason == 0)
        reason = pthread_attr_setstacksize(&attributes, SMALL);
    if (reason == 0)
        reason = pthread_attr_setguardsize(&attributes, GUARD);
    if (reason == 0)
        reason = pthread_create(&thread, &attributes, call, of);
    if (reason == 0)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    check(reason == 0 || reason == EINVAL, "no thread: %s", strerror(reason));
    return reason != EINVAL;
}

/* The case is printed before it runs: a stack that overflows prints nothing. */
static bool call_with_threads(struct call *of, int threads, const char *way)
{
    of->options.points.threads = threads;
    check_case("%s: %s, threads: %d", of->on->name, way, threads);
    printf("%s: %s, threads: %d\n", of->on->name, way, threads);
    fflush(stdout);
    return call_on_small_stack(of);
}

void suite_small_stack(const struct suite *suite)
{
    struct chance chance = {suite->seed + 15000000};
    struct scene scene = scene_make(SCENE_UNIFORM, POINTS, COLUMNS, false, &chance);
    bool possible = true;
    for (size_t b = 0; possible && b < suite->count; b++)
        for (size_t way = 0; possible && way < sizeof ways / sizeof *ways; way++) {
            struct call of = call_of(&suite->backends[b], &scene, way);
            if (of.on->backend != SHEPARD_BACKEND_CUDA)
                possible = call_with_threads(&of, 1, ways[way].name) &&
                           call_with_threads(&of, 2, ways[way].name);
        }
    if (!possible)
        printf("skipped: no thread has a stack of %zu bytes here: PTHREAD_STACK_MIN or "
               "thread-local data need more\n",
               SMALL);
    scene_free(&scene);
}
