/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "compare.h"
#include "results.h"
#include "suite.h"
#include "trial.h"

#include <stdlib.h>

/* A method by its name, from neighbourhoods of every kind, against the equations. Kriging, whose
 * parameters have no default, has a group of its own. */
static void run(const struct shepard_backend_info *on, const char *name, uint64_t seed)
{
    struct chance chance = {seed};
    struct shepard_parameters named;
    const int kind = 1 + (int)chance_below(&chance, TRIAL_HOODS - 1);
    struct trial trial = trial_make((enum scene_kind)(seed % SCENE_TINY), kind, 4, 60, 12, &chance);
    struct shepard_parameters *parameters = &trial.options.parameters;
    check(shepard_parameters_parse(name, &named, NULL, NULL) == SHEPARD_OK, "no method %s", name);
    if (named.method == SHEPARD_METHOD_KRIGE) {
        trial_free(&trial);
        return;
    }
    parameters->method = named.method;
    /* Not every method takes all points. */
    struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    if (hood->radius1 == 0 && hood->max_points == 0 && hood->max_points_per_sector == 0)
        hood->max_points = hood->min_points + 3 + chance_below(&chance, 10);
    parameters->adaptive.area = trial.scene.size * trial.scene.size;
    trial.options.points.backend = on->backend;
    trial_case(&trial, on->name, seed);
    struct results got = results_of(&trial.scene, &trial.options, &trial.places);
    struct results want = compare_slow(&trial);
    compare_results(&trial, &got, &want);
    results_free(&want);
    results_free(&got);
    trial_free(&trial);
}

void suite_methods(const struct suite *suite)
{
    const char *name;
    for (size_t b = 0; b < suite->count; b++)
        for (size_t i = 0; (name = shepard_parameters_method(i)) != NULL; i++)
            for (uint64_t s = 0; s < 20; s++)
                run(&suite->backends[b], name, suite->seed + 100 * i + s);
}
