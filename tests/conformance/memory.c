/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* An allocator that fails after so many blocks, for good or once, and counts. The size of a block
 * stands before it; new memory is filled, so that a pointer nobody has set is no NULL. */
struct meter {
    atomic_long allowed, blocks, bytes, refused;
    bool once;
};

#define FILL 0xa5
#define HEAD 16

static void *meter_allocate(size_t size, void *user)
{
    struct meter *meter = user;
    const long left = atomic_fetch_sub(&meter->allowed, 1);
    if (meter->once ? left == 0 : left <= 0) {
        atomic_fetch_add(&meter->refused, 1);
        return NULL;
    }
    char *block = malloc(size + HEAD);
    if (block == NULL)
        return NULL;
    memset(block, FILL, size + HEAD);
    *(size_t *)(void *)block = size;
    atomic_fetch_add(&meter->blocks, 1);
    atomic_fetch_add(&meter->bytes, (long)size);
    return block + HEAD;
}

static void meter_release(void *block, void *user)
{
    struct meter *meter = user;
    char *start = (char *)block - HEAD;
    atomic_fetch_sub(&meter->blocks, 1);
    atomic_fetch_sub(&meter->bytes, (long)*(size_t *)(void *)start);
    free(start);
}

static void meter_set(struct meter *meter, long allowed)
{
    atomic_store(&meter->allowed, allowed);
    atomic_store(&meter->refused, 0);
}

#define PLENTY 1000000000L

static bool check_refusal(const struct meter *meter, enum shepard_status status,
                          const struct shepard_error *error, const char *what)
{
    if (status == SHEPARD_OK) {
        check(atomic_load(&meter->refused) == 0, "%s went well without %ld blocks", what,
              atomic_load(&meter->refused));
        return false;
    }
    check(status == SHEPARD_ERROR_MEMORY && error->status == status && error->message[0] != '\0',
          "%s: status %d, message \"%s\"", what, status, error->message);
    return true;
}

static struct shepard_model *create_with_less(const struct trial *trial,
                                              const struct shepard_options *options,
                                              struct meter *meter)
{
    const struct shepard_data data = scene_data(&trial->scene);
    struct shepard_model *model = NULL;
    for (long allowed = 0; model == NULL && allowed < 10000; allowed++) {
        struct shepard_error error = {0};
        meter_set(meter, allowed);
        const enum shepard_status status = shepard_model_create(&data, options, &model, &error);
        if (!check_refusal(meter, status, &error, "a model"))
            break;
        check(model == NULL && atomic_load(&meter->blocks) == 0,
              "%ld blocks leaked after %ld allocations", atomic_load(&meter->blocks), allowed);
    }
    return model;
}

/* 0: places, 1: raster, 2: nearest. */
static enum shepard_status predict(int verb, const struct trial *trial,
                                   const struct shepard_model *model, struct results *results,
                                   struct shepard_error *error)
{
    const struct shepard_output output = results_output(results);
    const struct shepard_targets targets = places_targets(&trial->places);
    const struct scene *scene = &trial->scene;
    const double step = scene->size / 10;
    const struct shepard_raster raster = {scene->x0, scene->y0, step, step, 8, 8};
    uint32_t indices[64];
    if (verb == 0)
        return shepard_predict_points(model, &targets, &output, NULL, error);
    if (verb == 1)
        return shepard_predict_raster(model, &raster, NULL, &output, NULL, error);
    return shepard_nearest_points(model, &targets, 1, indices, results->count, NULL, error);
}

static size_t held_by(const struct shepard_model *model)
{
    struct shepard_model_info info;
    shepard_model_get_info(model, &info);
    return info.bytes;
}

/* A prediction leaves nothing behind but what the model keeps for the next, and says that it
 * holds. */
struct held {
    long blocks;
    size_t bytes;
};

static void check_held(const struct shepard_model *model, const struct meter *meter,
                       struct held *before)
{
    const struct held now = {atomic_load(&meter->blocks), held_by(model)};
    check(now.bytes == before->bytes ? now.blocks == before->blocks : now.blocks > before->blocks,
          "%ld blocks and %zu bytes before, %ld and %zu after a prediction", before->blocks,
          before->bytes, now.blocks, now.bytes);
    *before = now;
}

static void predict_with_less(int verb, const struct trial *trial,
                              const struct shepard_model *model, struct meter *meter)
{
    struct held held = {atomic_load(&meter->blocks), held_by(model)};
    for (long allowed = 0; allowed < 10000; allowed++) {
        struct results results = results_make(64, trial->scene.columns);
        struct shepard_error error = {0};
        meter_set(meter, allowed);
        const enum shepard_status status = predict(verb, trial, model, &results, &error);
        const bool refused = check_refusal(meter, status, &error, "a prediction");
        check_held(model, meter, &held);
        if (!refused) {
            meter_set(meter, PLENTY);
            struct results again = results_make(64, trial->scene.columns);
            check(predict(verb, trial, model, &again, &error) == SHEPARD_OK &&
                      results_equal(&again, &results),
                  "a model predicts otherwise after failures");
            results_free(&again);
        }
        results_free(&results);
        if (!refused)
            return;
    }
    check(false, "never enough memory");
}

static void try_failures(const struct shepard_backend_info *on, uint64_t seed, bool once)
{
    struct chance chance = {seed};
    struct trial trial =
        trial_make((enum scene_kind)(seed % SCENE_KINDS), (int)(seed % TRIAL_HOODS),
                   (int)(seed % TRIAL_POWERS), 200, 64, &chance);
    struct meter meter = {.once = once};
    const struct shepard_allocator allocator = {meter_allocate, meter_release, &meter};
    struct shepard_options options = trial.options;
    options.backend = on->backend;
    options.allocator = &allocator;
    struct shepard_model *model = create_with_less(&trial, &options, &meter);
    check(model != NULL, "no model");
    for (int verb = 0; model != NULL && verb < 3; verb++)
        predict_with_less(verb, &trial, model, &meter);
    shepard_model_free(model);
    check(atomic_load(&meter.blocks) == 0 && atomic_load(&meter.bytes) == 0,
          "%ld blocks left after a model's end", atomic_load(&meter.blocks));
    trial_free(&trial);
}

/* Bytes a point that a model may hold where sums have a tolerance. */
#define BYTES_TOLERANCE 160

/* With exact sums at most 64 bytes a point with one column, 12 more for each other column, 16 for
 * weights; the info agrees with what the allocator gave. */
static void try_size(const struct shepard_backend_info *on, size_t columns, bool weighted,
                     double eps, struct chance *chance)
{
    const size_t n = 100000;
    struct scene scene = scene_make(SCENE_CLUSTERED, n, columns, weighted, chance);
    struct meter meter = {0};
    const struct shepard_allocator allocator = {meter_allocate, meter_release, &meter};
    struct shepard_options options = options_for(on->backend);
    options.allocator = &allocator;
    options.precision = SHEPARD_SINGLE;
    options.eps = eps;
    meter_set(&meter, PLENTY);
    struct shepard_model *model = model_make(&scene, &options);
    struct shepard_model_info info;
    shepard_model_get_info(model, &info);
    const double held = (double)atomic_load(&meter.bytes);
    const double limit = (double)n * ((eps > 0 ? BYTES_TOLERANCE : 64) +
                                      12 * (double)(columns - 1) + (weighted ? 16 : 0));
    check(held <= limit + 8192, "%g bytes held, %g allowed", held, limit);
    check(fabs((double)info.bytes - held) <= 0.01 * held + 8192, "info says %zu bytes, not %g",
          info.bytes, held);
    if (columns == 1 && !weighted)
        check_measure(eps > 0 ? "bytes a point of a model with one column, sums with a tolerance"
                              : "bytes a point of a model with one column",
                      held / (double)n);
    shepard_model_free(model);
    check(atomic_load(&meter.blocks) == 0, "%ld blocks left", atomic_load(&meter.blocks));
    scene_free(&scene);
}

void suite_memory(const struct suite *suite)
{
    struct chance chance = {suite->seed + 8000000};
    for (size_t b = 0; b < suite->count; b++) {
        const struct shepard_backend_info *on = &suite->backends[b];
        for (uint64_t seed = suite->seed; seed < suite->seed + 40; seed++) {
            check_case("seed %llu %s: failing allocations", (unsigned long long)seed, on->name);
            try_failures(on, seed, false);
            try_failures(on, seed, true);
        }
        check_case("seed %llu %s: size of a model", (unsigned long long)suite->seed, on->name);
        try_size(on, 1, false, 0, &chance);
        try_size(on, 3, true, 0, &chance);
        try_size(on, 1, false, 1e-5, &chance);
    }
}
