/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <float.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The status, the argument's name, and a message that has the name in it. Long names are cut off in
 * the field. */
static void check_error(enum shepard_status got, const struct shepard_error *error,
                        enum shepard_status want, const char *argument)
{
    check(got == want && error->status == want, "%s: status %d (%d in the error), not %d", argument,
          got, error->status, want);
    const size_t whole = strlen(argument), room = sizeof error->argument - 1;
    check(strncmp(error->argument, argument, whole < room ? whole : room) == 0,
          "%s: argument \"%s\"", argument, error->argument);
    check(strlen(error->message) > 10, "%s: message \"%s\"", argument, error->message);
    const bool named = want != SHEPARD_ERROR_ARGUMENT || strstr(error->message, argument) != NULL;
    check(named, "%s is not named in \"%s\"", argument, error->message);
}

/* A field of struct shepard_options that does not keep its rule. */
struct bad_option {
    char type; /* double, size_t, int or enum */
    size_t offset;
    double value;
    const char *argument;
    enum shepard_status status;
};

#define BAD(type, field, value)                                                                    \
    {                                                                                              \
        type, offsetof(struct shepard_options, field), value, "options." #field,                   \
            SHEPARD_ERROR_ARGUMENT                                                                 \
    }

static const struct bad_option bad_options[] = {
    BAD('i', method, 9),
    BAD('d', power, 0),
    BAD('d', power, -2),
    BAD('d', power, 100.5),
    BAD('d', power, NAN),
    BAD('d', smoothing, -1),
    BAD('d', smoothing, INFINITY),
    BAD('i', degree, 2),
    BAD('i', degree, -1),
    BAD('d', ridge, -1e-9),
    BAD('d', ridge, NAN),
    BAD('s', neighbourhood.min_points, 6),
    BAD('d', neighbourhood.radius1, -1),
    BAD('d', neighbourhood.radius1, INFINITY),
    BAD('d', neighbourhood.radius2, NAN),
    BAD('d', neighbourhood.radius2, 1),
    BAD('d', neighbourhood.angle, INFINITY),
    BAD('i', neighbourhood.sectors, 0),
    BAD('i', neighbourhood.sectors, 3),
    BAD('s', neighbourhood.min_points_per_sector, 5),
    BAD('d', anisotropy_ratio, 0),
    BAD('d', anisotropy_ratio, -2),
    BAD('d', anisotropy_ratio, 1e-7),
    BAD('d', anisotropy_ratio, 2e6),
    BAD('d', anisotropy_ratio, INFINITY),
    BAD('d', anisotropy_ratio, NAN),
    BAD('d', anisotropy_angle, INFINITY),
    BAD('d', anisotropy_angle, NAN),
    BAD('s', adaptive.k, 0),
    {'d', offsetof(struct shepard_options, adaptive.alphas[0]), 0, "options.adaptive.alphas",
     SHEPARD_ERROR_ARGUMENT},
    {'d', offsetof(struct shepard_options, adaptive.alphas[4]), 101, "options.adaptive.alphas",
     SHEPARD_ERROR_ARGUMENT},
    {'d', offsetof(struct shepard_options, adaptive.r_min), 2, "options.adaptive.r",
     SHEPARD_ERROR_ARGUMENT},
    BAD('d', adaptive.r_min, -1),
    BAD('d', adaptive.r_max, 0),
    BAD('d', adaptive.r_max, NAN),
    BAD('d', adaptive.area, -1),
    BAD('d', adaptive.area, INFINITY),
    BAD('i', adaptive.expect, 5),
    BAD('d', eps, -1),
    BAD('d', eps, 0.02),
    BAD('d', eps, NAN),
    BAD('i', precision, 4),
    BAD('i', threads, -1),
    BAD('i', threads, 5000),
    BAD('i', device, -2),
    {'d', offsetof(struct shepard_options, eps), 1e-9, "options.eps", SHEPARD_ERROR_TOLERANCE},
    {'i', offsetof(struct shepard_options, backend), 77, "options.backend", SHEPARD_ERROR_BACKEND},
    {'i', offsetof(struct shepard_options, backend), -1, "options.backend", SHEPARD_ERROR_BACKEND},
};

static void spoil(struct shepard_options *options, const struct bad_option *bad)
{
    char *field = (char *)options + bad->offset;
    const size_t size = (size_t)(bad->type == 's' ? bad->value : 0);
    const int whole = bad->type == 'i' ? (int)bad->value : 0;
    if (bad->type == 'd')
        memcpy(field, &bad->value, sizeof bad->value);
    else if (bad->type == 's')
        memcpy(field, &size, sizeof size);
    else
        memcpy(field, &whole, sizeof whole);
}

static void wrong_options(const struct shepard_backend_info *on, const struct scene *scene)
{
    const struct shepard_data data = scene_data(scene);
    for (size_t i = 0; i < sizeof bad_options / sizeof bad_options[0]; i++) {
        struct shepard_options options = options_for(on->backend);
        options.precision = SHEPARD_SINGLE;
        options.neighbourhood.max_points = 5;
        options.neighbourhood.max_points_per_sector = 4;
        spoil(&options, &bad_options[i]);
        struct shepard_model *model = NULL;
        struct shepard_error error = {0};
        const enum shepard_status status = shepard_model_create(&data, &options, &model, &error);
        /* A radius that stands alone is named as either of the two. */
        const bool radius =
            strncmp(bad_options[i].argument, "options.neighbourhood.radius", 28) == 0;
        check_error(status, &error, bad_options[i].status,
                    radius ? "options.neighbourhood.radius" : bad_options[i].argument);
        check(model == NULL, "a model in spite of an error");
        check(shepard_model_create(&data, &options, &model, NULL) == status,
              "another status without an error to fill in");
    }
}

/* Single precision takes 0 and 8e-6 as tolerances, double 0 and 1e-12. */
static void right_tolerances(const struct shepard_backend_info *on, const struct scene *scene)
{
    const struct shepard_data data = scene_data(scene);
    static const double eps[] = {0, 8e-6, 1e-9, 0.01};
    for (int i = 0; i < 4; i++) {
        struct shepard_options options = options_for(on->backend);
        options.precision = i == 2 ? SHEPARD_DOUBLE : SHEPARD_SINGLE;
        options.eps = eps[i];
        struct shepard_model *model = NULL;
        check(shepard_model_create(&data, &options, &model, NULL) == SHEPARD_OK, "eps %g", eps[i]);
        shepard_model_free(model);
    }
}

/* One way to spoil the data. */
struct bad_data {
    struct shepard_data data;
    enum shepard_status status;
    const char *argument;
};

static void wrong_data(const struct shepard_backend_info *on, const struct scene *scene)
{
    static const double minus[] = {1, -1, 1}, nan[] = {NAN, NAN, NAN};
    static const double *const missing[] = {NULL};
    const struct shepard_data good = scene_data(scene);
    struct bad_data bad[10];
    for (int i = 0; i < 10; i++)
        bad[i].data = good;
#define SPOIL(i, field, value, code)                                                               \
    bad[i].data.field = value;                                                                     \
    bad[i].status = code;                                                                          \
    bad[i].argument = "data." #field
    SPOIL(0, count, 0, SHEPARD_ERROR_NO_POINTS);
    SPOIL(1, count, (size_t)SHEPARD_POINTS_MAX + 1, SHEPARD_ERROR_SIZE);
    SPOIL(2, columns, 0, SHEPARD_ERROR_ARGUMENT);
    SPOIL(3, columns, SHEPARD_COLUMNS_MAX + 1, SHEPARD_ERROR_SIZE);
    SPOIL(4, x, NULL, SHEPARD_ERROR_ARGUMENT);
    SPOIL(5, y, NULL, SHEPARD_ERROR_ARGUMENT);
    SPOIL(6, values, NULL, SHEPARD_ERROR_ARGUMENT);
    SPOIL(7, values, missing, SHEPARD_ERROR_ARGUMENT);
    SPOIL(8, weights, minus, SHEPARD_ERROR_ARGUMENT);
    SPOIL(9, x, nan, SHEPARD_ERROR_NO_POINTS);
#undef SPOIL
    bad[9].argument = "data";
    for (int i = 0; i < 10; i++) {
        const struct shepard_options options = options_for(on->backend);
        struct shepard_model *model = NULL;
        struct shepard_error error = {0};
        const enum shepard_status status =
            shepard_model_create(&bad[i].data, &options, &model, &error);
        check_error(status, &error, bad[i].status, bad[i].argument);
        check(model == NULL, "a model of bad data");
    }
}

static void wrong_create_call(const struct shepard_backend_info *on, const struct scene *scene)
{
    const struct shepard_data data = scene_data(scene);
    struct shepard_options options = options_for(on->backend);
    struct shepard_model *model = NULL;
    struct shepard_error error = {0};
    check_error(shepard_model_create(NULL, &options, &model, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "data");
    check_error(shepard_model_create(&data, NULL, &model, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "options");
    check_error(shepard_model_create(&data, &options, NULL, &error), &error, SHEPARD_ERROR_ARGUMENT,
                "model");
    const struct shepard_allocator allocator = {NULL, NULL, NULL};
    options.allocator = &allocator;
    check_error(shepard_model_create(&data, &options, &model, &error), &error,
                SHEPARD_ERROR_ARGUMENT, "options.allocator");
    shepard_model_free(NULL);
}

/* AIDW of points on a line upright, on a line along, at one place. */
static void no_area(const struct shepard_backend_info *on)
{
    static const double spread[] = {1, 2, 3}, fixed[] = {4, 4, 4};
    static const double *const values[] = {spread};
    struct shepard_options options = options_for(on->backend);
    options.method = SHEPARD_AIDW;
    for (int i = 0; i < 3; i++) {
        const struct shepard_data data = {.count = 3,
                                          .x = i == 0 ? spread : fixed,
                                          .y = i == 1 ? spread : fixed,
                                          .columns = 1,
                                          .values = values};
        struct shepard_model *model = NULL;
        struct shepard_error error = {0};
        options.adaptive.area = 0;
        check_error(shepard_model_create(&data, &options, &model, &error), &error,
                    SHEPARD_ERROR_AREA, "options.adaptive.area");
        check(model == NULL, "a model without an area");
        options.adaptive.area = 10;
        check(shepard_model_create(&data, &options, &model, &error) == SHEPARD_OK,
              "an area was given");
        shepard_model_free(model);
    }
}

static void wrong_predictions(const struct shepard_model *model)
{
    static const double place[] = {1};
    struct shepard_targets targets = {1, place, place};
    const struct shepard_output output = {0};
    struct shepard_error error = {0};
    enum shepard_status status = shepard_predict_points(NULL, &targets, &output, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "model");
    status = shepard_predict_points(model, NULL, &output, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "targets");
    status = shepard_predict_points(model, &targets, NULL, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "output");
    targets.x = NULL;
    status = shepard_predict_points(model, &targets, &output, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "targets.x");
    targets = (struct shepard_targets){1, place, NULL};
    status = shepard_predict_points(model, &targets, &output, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "targets.y");
    targets = (struct shepard_targets){(size_t)SHEPARD_POINTS_MAX + 1, place, place};
    status = shepard_predict_points(model, &targets, &output, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_SIZE, "targets.count");
    targets.count = 0;
    check(shepard_predict_points(model, &targets, &output, NULL, &error) == SHEPARD_OK,
          "no places are no error");
    status = shepard_nearest_points(NULL, &targets, 1, NULL, NULL, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "model");
    status = shepard_nearest_points(model, &targets, 0, NULL, NULL, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "k");
}

static void wrong_rasters(const struct shepard_model *model)
{
    const struct shepard_output output = {0};
    const struct shepard_raster good = {0, 0, 1, -1, 3, 2};
    struct shepard_error error = {0};
    enum shepard_status status = shepard_predict_raster(NULL, &good, NULL, &output, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "model");
    status = shepard_predict_raster(model, NULL, NULL, &output, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "raster");
    status = shepard_predict_raster(model, &good, NULL, NULL, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "output");
    const struct shepard_raster bad[] = {{NAN, 0, 1, 1, 1, 1}, {0, INFINITY, 1, 1, 1, 1},
                                         {0, 0, 0, 1, 1, 1},   {0, 0, 1, NAN, 1, 1},
                                         {0, 0, 1, 1, 0, 1},   {0, 0, 1, 1, 1, 0}};
    for (int i = 0; i < 6; i++) {
        status = shepard_predict_raster(model, &bad[i], NULL, &output, NULL, &error);
        check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "raster");
    }
    const struct shepard_window outside[] = {
        {0, 0, 4, 1}, {0, 0, 1, 3}, {3, 0, 1, 1}, {0, 2, 1, 1}, {SIZE_MAX, 0, 2, 1}};
    for (int i = 0; i < 5; i++) {
        status = shepard_predict_raster(model, &good, &outside[i], &output, NULL, &error);
        check_error(status, &error, SHEPARD_ERROR_ARGUMENT, "window");
    }
    const struct shepard_raster vast = {0, 0, 1, 1, 1u << 20, 1u << 20};
    status = shepard_predict_raster(model, &vast, NULL, &output, NULL, &error);
    check_error(status, &error, SHEPARD_ERROR_SIZE, "window");
}

/* What a progress callback saw. */
struct watch {
    pthread_t thread;
    int calls, allowed; /* cancels after so many */
    double last;
    bool sound; /* fractions rose within [0, 1], on the caller's thread */
};

static bool look(double fraction, void *user)
{
    struct watch *watch = user;
    watch->sound = watch->sound && fraction >= watch->last && fraction <= 1 &&
                   pthread_equal(pthread_self(), watch->thread);
    watch->last = fraction;
    return ++watch->calls <= watch->allowed;
}

enum verb { POINTS, RASTER, NEAREST, VERBS };

static enum shepard_status call(enum verb verb, const struct shepard_model *model,
                                const struct places *places, const struct shepard_output *output,
                                const struct shepard_control *control, double *distances,
                                struct shepard_error *error)
{
    const struct shepard_targets targets = places_targets(places);
    const struct shepard_raster raster = {0, 0, 0.01, 0.01, places->m / 50, 50};
    if (verb == POINTS)
        return shepard_predict_points(model, &targets, output, control, error);
    if (verb == RASTER)
        return shepard_predict_raster(model, &raster, NULL, output, control, error);
    return shepard_nearest_points(model, &targets, 1, NULL, distances, control, error);
}

static void progress(const struct shepard_backend_info *on, const struct scene *scene, int threads,
                     struct chance *chance)
{
    struct shepard_options options = options_for(on->backend);
    options.threads = threads;
    options.eps = threads == 1 ? 0 : 1e-4;
    struct shepard_model *model = model_make(scene, &options);
    struct places places = scene_places_inside(scene, 3000, chance);
    struct results results = results_make(places.m, scene->columns);
    const struct shepard_output output = results_output(&results);
    for (int verb = 0; verb < VERBS; verb++) {
        struct watch watch = {.thread = pthread_self(), .allowed = 1 << 30, .sound = true};
        const struct shepard_control control = {.progress = look, .user = &watch};
        struct shepard_error error = {0};
        enum shepard_status status =
            call((enum verb)verb, model, &places, &output, &control, results.count, &error);
        check(status == SHEPARD_OK && watch.sound && watch.calls > 0 && watch.last == 1,
              "verb %d: status %d, %d reports, the last of %g", verb, status, watch.calls,
              watch.last);
        watch = (struct watch){.thread = pthread_self(), .sound = true};
        status = call((enum verb)verb, model, &places, &output, &control, results.count, &error);
        check_error(status, &error, SHEPARD_ERROR_CANCELLED, "control");
        check(watch.calls == 1 && watch.sound, "verb %d: %d reports after a cancellation", verb,
              watch.calls);
        const struct shepard_control silent = {0};
        status = call((enum verb)verb, model, &places, &output, &silent, results.count, &error);
        check(status == SHEPARD_OK, "verb %d: status %d without a callback", verb, status);
    }
    results_free(&results);
    places_free(&places);
    shepard_model_free(model);
}

/* Any outputs left out leave the others as they are. */
static void outputs_left_out(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct trial trial = trial_make((enum scene_kind)(seed % SCENE_TINY), (int)(seed % TRIAL_HOODS),
                                    4, 100, 40, &chance);
    trial.options.backend = on->backend;
    /* What single precision and sums within a tolerance add up may go by what is asked for. */
    trial.options.precision = SHEPARD_DOUBLE;
    trial.options.eps = 0;
    struct results whole = results_of(&trial.scene, &trial.options, &trial.places);
    struct results part = results_of(&trial.scene, &trial.options, &trial.places);
    struct shepard_output output = results_output(&part);
    struct results unset = results_make(trial.places.m, trial.scene.columns);
    memcpy(part.block, unset.block, part.m * (2 * part.columns + 4) * sizeof(double));
    const size_t bytes = part.m * sizeof(double);
    double **const single[] = {&output.count, &output.nearest, &output.alpha, &output.effective};
    double *const from[] = {whole.count, whole.nearest, whole.alpha, whole.effective};
    for (int a = 0; a < 4; a++)
        if (chance_below(&chance, 2)) {
            memcpy(*single[a], from[a], bytes);
            *single[a] = NULL;
        }
    for (size_t c = 0; c < part.columns; c++) {
        if (chance_below(&chance, 2)) {
            memcpy(part.values[c], whole.values[c], bytes);
            part.values[c] = NULL;
        }
        if (chance_below(&chance, 2)) {
            memcpy(part.deviations[c], whole.deviations[c], bytes);
            part.deviations[c] = NULL;
        }
    }
    struct shepard_model *model = model_make(&trial.scene, &trial.options);
    const struct shepard_targets targets = places_targets(&trial.places);
    check(shepard_predict_points(model, &targets, &output, NULL, NULL) == SHEPARD_OK,
          "prediction with outputs left out");
    check(results_equal(&part, &whole), "other bits where outputs are left out");
    const struct shepard_output none = {0};
    check(shepard_predict_points(model, &targets, &none, NULL, NULL) == SHEPARD_OK, "no output");
    shepard_model_free(model);
    results_free(&unset);
    results_free(&part);
    results_free(&whole);
    trial_free(&trial);
}

static void facts(const struct shepard_backend_info *on)
{
    double x[] = {1, 4, 2, 1}, y[] = {-2, 0, 5, NAN}, z[] = {1, 2, 3, 4};
    const struct scene scene = {.n = 4, .columns = 1, .x = x, .y = y, .values = {z}, .size = 1};
    struct shepard_options options = options_for(on->backend);
    options.threads = 3;
    struct shepard_model *model = model_make(&scene, &options);
    struct shepard_model_info info;
    shepard_model_get_info(model, &info);
    check(info.points == 3 && info.skipped == 1 && info.columns == 1 && info.threads == 3,
          "points %zu skipped %zu columns %zu threads %d", info.points, info.skipped, info.columns,
          info.threads);
    check(info.x_min == 1 && info.x_max == 4 && info.y_min == -2 && info.y_max == 5 &&
              info.area == 21,
          "box %g %g %g %g area %g", info.x_min, info.x_max, info.y_min, info.y_max, info.area);
    check(strcmp(info.backend, on->name) == 0 && strcmp(info.isa, on->isa) == 0 && info.bytes > 0,
          "backend %s isa %s bytes %zu", info.backend, info.isa, info.bytes);
    check((info.device_bytes > 0) == (on->backend == SHEPARD_BACKEND_CUDA) &&
              info.notice[0] == '\0',
          "%zu bytes on devices, notice '%s'", info.device_bytes, info.notice);
    shepard_model_free(model);
    options.adaptive.area = 50;
    model = model_make(&scene, &options);
    shepard_model_get_info(model, &info);
    check(info.area == 50, "area %g, not the option", info.area);
    shepard_model_free(model);
}

static void texts(void)
{
    for (int status = 0; status < SHEPARD_STATUS_COUNT; status++)
        check(strlen(shepard_status_text((enum shepard_status)status)) > 5, "text of %d", status);
    check(strcmp(shepard_status_text((enum shepard_status)999), "unknown status") == 0,
          "text of no status");
    check(strlen(shepard_version()) >= 5, "version");
    struct shepard_backend_info info;
    check(shepard_backend_count() >= 2 && !shepard_backend_get_info(shepard_backend_count(), &info),
          "the list of backends ends");
}

/* Without a tolerance every pair is summed, and counted; columns do not count. */
static void work_of_all_pairs(const struct shepard_backend_info *on, const struct scene *scene,
                              struct chance *chance)
{
    struct shepard_options options = options_for(on->backend);
    options.eps = 0;
    struct places places = scene_places_inside(scene, 37, chance);
    struct results results = results_make(places.m, scene->columns);
    struct shepard_model *model = model_make(scene, &options);
    struct shepard_work work = {1, 2};
    const struct shepard_targets targets = places_targets(&places);
    const struct shepard_output output = {.values = results.values};
    const struct shepard_control control = {.work = &work};
    check(shepard_predict_points(model, &targets, &output, &control, NULL) == SHEPARD_OK,
          "no prediction");
    check(work.pairs == 1 + (double)scene->n * (double)places.m && work.nodes == 2,
          "%g pairs and %g nodes counted of %zu by %zu", work.pairs - 1, work.nodes - 2, scene->n,
          places.m);
    shepard_model_free(model);
    results_free(&results);
    places_free(&places);
}

void suite_calls(const struct suite *suite)
{
    struct chance chance = {suite->seed + 7000000};
    struct scene three = scene_make(SCENE_UNIFORM, 3, 1, false, &chance);
    struct scene many = scene_make(SCENE_UNIFORM, 500, 2, false, &chance);
    check_case("texts");
    texts();
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        check_case("seed %llu %s: calls", (unsigned long long)suite->seed, on->name);
        wrong_options(on, &three);
        right_tolerances(on, &three);
        wrong_data(on, &three);
        wrong_create_call(on, &three);
        no_area(on);
        const struct shepard_options options = options_for(on->backend);
        struct shepard_model *model = model_make(&three, &options);
        wrong_predictions(model);
        wrong_rasters(model);
        shepard_model_free(model);
        progress(on, &many, 1, &chance);
        progress(on, &many, 4, &chance);
        for (uint64_t seed = suite->seed; seed < suite->seed + 60; seed++)
            outputs_left_out(on, seed);
        facts(on);
        if (on->backend != SHEPARD_BACKEND_REF)
            work_of_all_pairs(on, &many, &chance);
    }
    scene_free(&three);
    scene_free(&many);
}
