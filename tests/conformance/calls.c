/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "check_error.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

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

enum verb { POINTS, RASTER, NEAREST, PREPARE, VERBS };

static enum shepard_status call(enum verb verb, const struct model *model,
                                const struct places *places, const struct shepard_output *output,
                                const struct shepard_control *control, double *distances,
                                struct shepard_error *error)
{
    const struct shepard_raster raster = {0, 0, 0.01, 0.01, places->m / 50, 50};
    const struct shepard_targets targets =
        verb == RASTER ? raster_targets(&raster, NULL) : places_targets(places);
    if (verb == PREPARE)
        return shepard_prepare(model->field, &model->parameters, output, control, error);
    return verb == NEAREST ? model_nearest(model, &targets, 1, NULL, distances, control, error)
                           : model_predict(model, &targets, output, control, error);
}

static void progress(const struct shepard_backend_info *on, const struct scene *scene, int threads,
                     struct chance *chance)
{
    struct model_options options = options_for(on->backend);
    options.points.threads = threads;
    options.parameters.eps = threads == 1 ? 0 : 1e-4;
    struct model *model = model_make(scene, &options);
    struct places places = scene_places_inside(scene, 3000, chance);
    struct results results = results_make(places.m, scene->columns);
    const struct shepard_output output = results_output(&results);
    for (int verb = 0; verb < VERBS; verb++) {
        struct watch watch = {.thread = pthread_self(), .allowed = 1 << 30, .sound = true};
        const struct shepard_control control = {
            .size = sizeof control, .progress = look, .user = &watch};
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
        const struct shepard_control silent = {.size = sizeof silent};
        status = call((enum verb)verb, model, &places, &output, &silent, results.count, &error);
        check(status == SHEPARD_OK, "verb %d: status %d without a callback", verb, status);
    }
    results_free(&results);
    places_free(&places);
    model_free(model);
}

/* Over five sets of gaps, predicted together or one after the other, progress is one whole. */
static void progress_with_gaps(const struct shepard_backend_info *on, int threads, bool nearest,
                               struct chance *chance)
{
    struct scene scene = scene_make(SCENE_UNIFORM, 500, 5, false, chance);
    struct model_options options = options_for(on->backend);
    options.points.threads = threads;
    if (nearest)
        options.parameters.neighbourhood.max_points = 12;
    scene_make_gaps(&scene, 0, chance);
    struct model *model = model_make(&scene, &options);
    struct places places = scene_places_inside(&scene, 3000, chance);
    struct results results = results_make(places.m, scene.columns);
    const struct shepard_output output = {.size = sizeof output, .values = results.to_values};
    static const enum verb verbs[] = {POINTS, RASTER, PREPARE};
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
        const enum verb verb = verbs[v];
        struct watch watch = {.thread = pthread_self(), .allowed = 1 << 30, .sound = true};
        const struct shepard_control control = {
            .size = sizeof control, .progress = look, .user = &watch};
        struct shepard_error error = {0};
        const enum shepard_status status =
            call(verb, model, &places, &output, &control, NULL, &error);
        check(status == SHEPARD_OK && watch.sound && watch.calls > 0 && watch.last == 1,
              "five sets of gaps, verb %d: status %d, %d reports, the last of %g", verb, status,
              watch.calls, watch.last);
    }
    results_free(&results);
    places_free(&places);
    model_free(model);
    scene_free(&scene);
}

/* Moments are a part of the progress, and may be given up; the next call makes them. */
static void cancelled_moments(const struct scene *scene)
{
    struct model_options options = options_for(SHEPARD_BACKEND_CPU);
    options.parameters.eps = 1e-4;
    struct places places = {1, scene->x, scene->y};
    struct results results = results_make(1, scene->columns);
    const struct shepard_output output = results_output(&results);
    const struct shepard_targets targets = places_targets(&places);
    for (int allowed = 0; allowed < 2; allowed++) {
        struct model *model = model_make(scene, &options);
        struct watch watch = {.thread = pthread_self(), .allowed = allowed, .sound = true};
        const struct shepard_control control = {
            .size = sizeof control, .progress = look, .user = &watch};
        struct shepard_error error = {0};
        enum shepard_status status =
            shepard_prepare(model->field, &model->parameters, &output, &control, &error);
        check_error(status, &error, SHEPARD_ERROR_CANCELLED, "control");
        check(watch.sound && watch.calls == allowed + 1 && watch.last < 1 &&
                  (watch.last > 0) == (allowed > 0),
              "%d reports, the last of %g", watch.calls, watch.last);
        watch.allowed = watch.calls = 0;
        watch.last = 0;
        status = model_predict(model, &targets, &output, &control, &error);
        check(status == SHEPARD_ERROR_CANCELLED && watch.calls == 1 && watch.last == 0,
              "status %d, %d reports, the last of %g", status, watch.calls, watch.last);
        check(model_predict(model, &targets, &output, NULL, &error) == SHEPARD_OK, "%s",
              error.message);
        model_free(model);
    }
    results_free(&results);
}

/* Any outputs left out leave the others as they are. */
static void outputs_left_out(const struct shepard_backend_info *on, uint64_t seed)
{
    struct chance chance = {seed};
    struct trial trial = trial_make((enum scene_kind)(seed % SCENE_TINY), (int)(seed % TRIAL_HOODS),
                                    4, 100, 40, &chance);
    trial.options.points.backend = on->backend;
    /* What single precision and sums within a tolerance add up may go by what is asked for. */
    trial.options.parameters.precision = SHEPARD_PRECISION_DOUBLE;
    trial.options.parameters.eps = 0;
    struct results whole = results_of(&trial.scene, &trial.options, &trial.places);
    struct results part = results_of(&trial.scene, &trial.options, &trial.places);
    struct shepard_output output = results_output(&part);
    struct results unset = results_make(trial.places.m, trial.scene.columns);
    memcpy(part.block, unset.block, part.m * results_per_target(part.columns) * sizeof(double));
    const size_t bytes = part.m * sizeof(double);
#define SINGLE(id, array, name) &output.array,
    struct shepard_output_array *const single[] = {SHEPARD_DIAGNOSTIC_LIST(SINGLE, RESULT_NOT)};
#undef SINGLE
    for (int a = 0; a < RESULT_SINGLES; a++)
        if (chance_below(&chance, 2)) {
            memcpy(single[a]->data, whole.single[a], bytes);
            single[a]->data = NULL;
        }
    for (size_t c = 0; c < part.columns; c++) {
        if (chance_below(&chance, 2)) {
            memcpy(part.values[c], whole.values[c], bytes);
            part.to_values[c].data = NULL;
        }
        if (chance_below(&chance, 2)) {
            memcpy(part.deviations[c], whole.deviations[c], bytes);
            part.to_deviations[c].data = NULL;
        }
    }
    struct model *model = model_make(&trial.scene, &trial.options);
    const struct shepard_targets targets = places_targets(&trial.places);
    check(model_predict(model, &targets, &output, NULL, NULL) == SHEPARD_OK,
          "prediction with outputs left out");
    check(results_equal(&part, &whole), "other bits where outputs are left out");
    const struct shepard_output none = {.size = sizeof none};
    check(model_predict(model, &targets, &none, NULL, NULL) == SHEPARD_OK, "no output");
    model_free(model);
    results_free(&unset);
    results_free(&part);
    results_free(&whole);
    trial_free(&trial);
}

static void facts(const struct shepard_backend_info *on)
{
    double x[] = {1, 4, 2, 1}, y[] = {-2, 0, 5, NAN}, full[] = {1, 2, 3, 4},
           some[] = {1, NAN, 3, 4};
    const struct scene scene = {
        .n = 4, .columns = 3, .x = x, .y = y, .values = {full, some, full}, .size = 1};
    struct model_options options = options_for(on->backend);
    options.points.threads = 3;
    options.parameters.adaptive.area = 50; /* of predictions alone */
    struct model *model = model_make(&scene, &options);
    const struct shepard_points_info points = model_points_info(model);
    const struct shepard_field_info field = model_field_info(model);
    check(points.points == 3 && points.skipped == 1 && points.threads == 3,
          "points %zu skipped %zu threads %d", points.points, points.skipped, points.threads);
    check(points.x_min == 1 && points.x_max == 4 && points.y_min == -2 && points.y_max == 5 &&
              points.area == 21,
          "box %g %g %g %g area %g", points.x_min, points.x_max, points.y_min, points.y_max,
          points.area);
    check(strcmp(points.backend, on->name) == 0 && strcmp(points.isa, on->isa) == 0 &&
              points.bytes > 0 && field.bytes > 0,
          "backend %s isa %s bytes %zu and %zu", points.backend, points.isa, points.bytes,
          field.bytes);
    const bool device = on->backend == SHEPARD_BACKEND_CUDA;
    check((points.device_bytes > 0) == device && (field.device_bytes > 0) == device &&
              points.notice[0] == '\0' && field.notice[0] == '\0',
          "%zu and %zu bytes on devices, notices '%s' and '%s'", points.device_bytes,
          field.device_bytes, points.notice, field.notice);
    check(field.column_count == 3 && field.searches == 2, "%zu columns, %zu searches",
          field.column_count, field.searches);
    const size_t want[] = {3, 2, 3};
    for (size_t c = 0; c < 3; c++)
        check(shepard_field_count(model->field, c) == want[c], "column %zu has %zu points, not %zu",
              c, shepard_field_count(model->field, c), want[c]);
    model_free(model);
}

/* What the header says of defaults. */
static void defaults(void)
{
    struct shepard_points_options options;
    struct shepard_parameters parameters;
    shepard_points_options_init(&options);
    shepard_parameters_init(&parameters);
    check(options.size == sizeof options && options.metric == SHEPARD_METRIC_PLANE &&
              options.anisotropy_ratio == 1 && options.anisotropy_angle == 0 &&
              options.backend == SHEPARD_BACKEND_AUTO && options.device == 0 &&
              options.threads == 0 && options.memory_limit == SIZE_MAX &&
              options.expected_targets == 0 && options.expected_columns == 0 &&
              options.expected_parameters == NULL && options.allocator == NULL,
          "a default of the options of points");
    check(parameters.size == sizeof parameters && parameters.method == SHEPARD_METHOD_IDW &&
              parameters.power == 2 && parameters.smoothing == 0 && parameters.degree == 0 &&
              parameters.ridge == 1e-3 && parameters.damping == 0.2 && parameters.eps == 1e-4 &&
              parameters.precision == SHEPARD_PRECISION_SINGLE && isnan(parameters.nodata),
          "a default of the parameters");
    const struct shepard_neighbourhood *hood = &parameters.neighbourhood;
    check(hood->max_points == 0 && hood->min_points == 0 && hood->radius1 == 0 &&
              hood->radius2 == 0 && hood->sectors == 1 && hood->max_points_per_sector == 0 &&
              hood->min_points_per_sector == 0,
          "a default of the neighbourhood");
    const struct shepard_adaptive *adaptive = &parameters.adaptive;
    bool powers = true;
    for (int i = 0; i < 5; i++)
        powers = powers && adaptive->powers[i] == 1.5 + 0.5 * i;
    check(powers && adaptive->k == 10 && adaptive->r_min == 0 && adaptive->r_max == 2 &&
              adaptive->area == 0 && adaptive->expect == SHEPARD_EXPECT_AUTO,
          "a default of AIDW");
}

static void texts(void)
{
    for (int status = 0; status < SHEPARD_STATUS_COUNT; status++)
        check(strlen(shepard_status_text((enum shepard_status)status)) > 5, "text of %d", status);
    check(strcmp(shepard_status_text((enum shepard_status)999), "unknown status") == 0,
          "text of no status");
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SHEPARD_VERSION_MAJOR, SHEPARD_VERSION_MINOR,
             SHEPARD_VERSION_PATCH);
    check(strcmp(shepard_version(), version) == 0, "version %s of a header of %s",
          shepard_version(), version);
    struct shepard_backend_info info;
    check(shepard_backend_count() >= 2 && !shepard_backend_get_info(shepard_backend_count(), &info),
          "the list of backends ends");
}

/* Without a tolerance every pair is summed, and counted; columns do not count. */
static void work_of_all_pairs(const struct shepard_backend_info *on, const struct scene *scene,
                              struct chance *chance)
{
    struct model_options options = options_for(on->backend);
    options.parameters.eps = 0;
    struct places places = scene_places_inside(scene, 37, chance);
    struct results results = results_make(places.m, scene->columns);
    struct model *model = model_make(scene, &options);
    struct shepard_work work = {1, 2};
    const struct shepard_targets targets = places_targets(&places);
    const struct shepard_output output = {.size = sizeof output, .values = results.to_values};
    const struct shepard_control control = {.size = sizeof control, .work = &work};
    check(model_predict(model, &targets, &output, &control, NULL) == SHEPARD_OK, "no prediction");
    check(work.pairs == 1 + (double)scene->n * (double)places.m && work.nodes == 2,
          "%g pairs and %g nodes counted of %zu by %zu", work.pairs - 1, work.nodes - 2, scene->n,
          places.m);
    model_free(model);
    results_free(&results);
    places_free(&places);
}

void suite_calls(const struct suite *suite)
{
    struct chance chance = {suite->seed + 7000000};
    struct scene many = scene_make(SCENE_UNIFORM, 500, 2, false, &chance);
    check_case("texts");
    texts();
    defaults();
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        check_case("seed %llu %s: calls", (unsigned long long)suite->seed, on->name);
        progress(on, &many, 1, &chance);
        progress(on, &many, 4, &chance);
        progress_with_gaps(on, 1, false, &chance);
        progress_with_gaps(on, 4, true, &chance);
        for (uint64_t seed = suite->seed; seed < suite->seed + 60; seed++)
            outputs_left_out(on, seed);
        facts(on);
        if (on->backend == SHEPARD_BACKEND_CPU)
            cancelled_moments(&many);
        if (on->backend != SHEPARD_BACKEND_REF)
            work_of_all_pairs(on, &many, &chance);
    }
    scene_free(&many);
}
