/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <pthread.h>

#define CALLERS 4
#define REPEATS 5

struct caller {
    pthread_t thread;
    const struct model *model;
    const struct places *places;
    const struct results *want;
    int wrong;
};

/* Checks count in one thread only, so a caller keeps its own number of wrong answers. */
static void *predict_often(void *user)
{
    struct caller *caller = user;
    const struct shepard_targets targets = places_targets(caller->places);
    for (int i = 0; i < REPEATS; i++) {
        struct results got = results_make(caller->places->m, caller->want->columns);
        const struct shepard_output output = results_output(&got);
        uint32_t nearest[2];
        struct shepard_targets one = targets;
        one.count = 1;
        const bool ok =
            model_predict(caller->model, &targets, &output, NULL, NULL) == SHEPARD_OK &&
            model_nearest(caller->model, &one, 2, nearest, NULL, NULL, NULL) == SHEPARD_OK;
        caller->wrong += !ok || !results_equal(&got, caller->want);
        results_free(&got);
    }
    return NULL;
}

static void try_model(const struct shepard_backend_info *on, uint64_t seed, int threads)
{
    struct chance chance = {seed};
    struct trial trial =
        trial_make((enum scene_kind)(seed % SCENE_KINDS), (int)(seed % TRIAL_HOODS),
                   (int)(seed % TRIAL_POWERS), 300, 200, &chance);
    trial.options.points.backend = on->backend;
    trial.options.points.threads = threads;
    trial_case(&trial, on->name, seed);
    struct results want = results_of(&trial.scene, &trial.options, &trial.places);
    struct model *model = model_make(&trial.scene, &trial.options);
    struct caller callers[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){.model = model, .places = &trial.places, .want = &want};
        check(pthread_create(&callers[i].thread, NULL, predict_often, &callers[i]) == 0,
              "a thread");
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i].thread, NULL);
        check(callers[i].wrong == 0, "%d of %d predictions in thread %d are wrong",
              callers[i].wrong, REPEATS, i);
    }
    model_free(model);
    results_free(&want);
    trial_free(&trial);
}

void suite_threads(const struct suite *suite)
{
    for (size_t b = 0; b < suite->count; b++)
        for (uint64_t seed = suite->seed; seed < suite->seed + 18; seed++)
            try_model(&suite->backends[b], seed, 1 + (int)(seed % 3));
}
