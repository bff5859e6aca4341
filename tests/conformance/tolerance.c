/* SPDX-License-Identifier: MIT */
/* Sums over all points against the same sums without a tolerance, by the backend ref: the error is
 * never above eps of the value range. */
#include "check.h"
#include "compare.h"
#include "hard.h"
#include "suite.h"

#include <string.h>

#define PLACES 120

/* Exact sums first. Single precision refuses the smallest, and is tried at the least it takes. */
static const double tolerances[] = {0, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12};
#define TOLERANCES (sizeof tolerances / sizeof tolerances[0])

static const double powers[] = {0.1, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 6, 8, 12, 20, 100};
#define POWERS (sizeof powers / sizeof powers[0])

/* A backend, and the least tolerance but 0 that it takes in single precision. */
struct tested_backend {
    const struct shepard_backend_info *on;
    double single_least;
};

/* What a trial is made of. */
struct plan {
    enum hard_layout layout;
    size_t n;
    double power; /* 0: AIDW */
    int degree;
};

/* Whether the tolerance is taken; a refusal says what to use instead. */
static bool takes(const struct shepard_backend_info *on, enum shepard_precision precision,
                  double eps)
{
    static double x[] = {0, 1, 3}, y[] = {0, 2, 1};
    const struct scene scene = {.n = 3, .columns = 1, .x = x, .y = y, .values = {x}};
    const struct shepard_coordinates coordinates = scene_coordinates(&scene);
    struct shepard_array columns[SCENE_COLUMNS_MAX];
    const struct shepard_values values = scene_values(&scene, columns);
    struct model_options options = options_for(on->backend);
    struct shepard_error error = {0};
    options.parameters.precision = precision;
    options.parameters.eps = eps;
    const enum shepard_status status = model_try(&coordinates, &values, &options, &error);
    if (status == SHEPARD_OK)
        return true;
    check(status == SHEPARD_ERROR_TOLERANCE && precision == SHEPARD_PRECISION_SINGLE &&
              strstr(error.message, "precision=double") != NULL,
          "eps %g: status %d, \"%s\"", eps, status, error.message);
    return false;
}

/* Double takes every tolerance, single 0 and all from some least one on, the default among them. */
static double find_single_least(const struct shepard_backend_info *on)
{
    double refused = 1e-9, taken = 1e-5;
    check_case("%s: tolerances", on->name);
    for (size_t t = 0; t < TOLERANCES; t++)
        check(takes(on, SHEPARD_PRECISION_DOUBLE, tolerances[t]), "double refuses %g",
              tolerances[t]);
    check(takes(on, SHEPARD_PRECISION_SINGLE, 0), "single refuses exact sums");
    check(takes(on, SHEPARD_PRECISION_SINGLE, taken), "single refuses %g", taken);
    struct shepard_parameters defaults;
    shepard_parameters_init(&defaults);
    check(defaults.eps == 1e-4 && taken <= defaults.eps, "the default is %g", defaults.eps);
    check(!takes(on, SHEPARD_PRECISION_SINGLE, refused), "single takes %g", refused);
    for (int i = 0; i < 60; i++) {
        const double middle = sqrt(refused * taken);
        *(takes(on, SHEPARD_PRECISION_SINGLE, middle) ? &taken : &refused) = middle;
    }
    for (size_t t = 1; t < TOLERANCES; t++)
        check(takes(on, SHEPARD_PRECISION_SINGLE, tolerances[t]) == (tolerances[t] >= taken),
              "single takes %g but not %g", fmin(taken, tolerances[t]), fmax(taken, tolerances[t]));
    check_measure("least eps of single precision", taken);
    return taken;
}

/* One scene, its places, and the reference results there. */
struct study {
    struct plan plan;
    uint64_t seed;
    struct trial trial;
    struct shepard_raster raster; /* whose cells the places are; no columns: they are a list */
    struct results reference;
};

static struct results reference_of(const struct trial *trial)
{
    struct model_options options = trial->options;
    options.points.backend = SHEPARD_BACKEND_REF;
    options.parameters.precision = SHEPARD_PRECISION_DOUBLE;
    options.parameters.eps = 0;
    options.points.threads = 0;
    return results_of(&trial->scene, &options, &trial->places);
}

static void predict(const struct study *study, const struct shepard_output *output)
{
    const struct trial *trial = &study->trial;
    const struct shepard_targets targets = study->raster.columns > 0
                                               ? raster_targets(&study->raster, NULL)
                                               : places_targets(&trial->places);
    struct model *model = model_make(&trial->scene, &trial->options);
    struct shepard_error error = {0};
    const enum shepard_status status = model_predict(model, &targets, output, NULL, &error);
    check(status == SHEPARD_OK, "no prediction: %s", error.message);
    model_free(model);
}

/* All results, or the values alone, which may be summed in another way: the diagnostics are the
 * reference's then. */
static void try_tolerance(const struct study *study, bool diagnostics)
{
    const struct results *reference = &study->reference;
    struct results got = results_make(reference->m, reference->columns);
    const struct shepard_output all = results_output(&got),
                                values = {.size = sizeof values, .values = got.to_values};
    if (!diagnostics) {
        memcpy(got.block, reference->block,
               reference->m * results_per_target(reference->columns) * sizeof(double));
        for (size_t c = 0; c < reference->columns; c++)
            for (size_t i = 0; i < reference->m; i++)
                got.values[c][i] = -9.87e305;
    }
    predict(study, diagnostics ? &all : &values);
    compare_results(&study->trial, &got, reference);
    results_free(&got);
}

static void name_study(const struct study *study, const struct tested_backend *backend)
{
    const struct model_options *options = &study->trial.options;
    const struct scene *scene = &study->trial.scene;
    check_case("seed %llu %s: %s n %zu columns %zu%s%s, %s power %g smoothing %g degree %d "
               "damping %g %s eps %g ratio %g angle %g",
               (unsigned long long)study->seed, backend->on->name, hard_name(study->plan.layout),
               scene->n, scene->columns, scene->weights != NULL ? " weighted" : "",
               study->raster.columns > 0 ? " raster" : "",
               options->parameters.method == SHEPARD_METHOD_AIDW ? "aidw" : "idw",
               options->parameters.power, options->parameters.smoothing, options->parameters.degree,
               options->parameters.damping,
               options->parameters.precision == SHEPARD_PRECISION_SINGLE ? "single" : "double",
               options->parameters.eps, options->points.anisotropy_ratio,
               options->points.anisotropy_angle);
}

/* Every tolerance against one reference. */
static void try_backend(const struct tested_backend *backend, struct study *study)
{
    struct model_options *options = &study->trial.options;
    options->points.backend = backend->on->backend;
    for (int precision = 0; precision < 2; precision++)
        for (size_t t = 0; t < TOLERANCES; t++) {
            const bool single = precision == 0, least = single && tolerances[t] == 1e-6;
            options->parameters.precision =
                single ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
            options->parameters.eps = least ? backend->single_least : tolerances[t];
            if (single && options->parameters.eps > 0 &&
                options->parameters.eps < backend->single_least)
                continue;
            name_study(study, backend);
            try_tolerance(study, false);
            if ((t + study->seed) % 3 == 0)
                try_tolerance(study, true);
        }
}

/* A plane through points on a line hardly knows its slope across the line: where the points all
 * weigh alike, or far off the line, rounding is what is seen. */
static bool plane_of_line(const struct plan *plan)
{
    return plan->degree == 1 && (plan->layout == HARD_COLLINEAR || plan->layout == HARD_ROW);
}

static struct model_options options_of(const struct plan *plan, const struct scene *scene,
                                       struct chance *chance)
{
    static const double dampings[] = {0, 0.2, 1, 50};
    static const double of_aidw[][5] = {{1.5, 2, 2.5, 3, 3.5}, {0.1, 20, 3, 1, 8}};
    const double spacing = scene->size / sqrt((double)scene->n);
    const double smoothing[] = {0, 0, 1e-3 * spacing, spacing, scene->size};
    struct model_options options = options_for(SHEPARD_BACKEND_REF);
    options.parameters.method = plan->power == 0 ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    options.parameters.power = plan->power == 0 ? 2 : plan->power;
    options.parameters.degree = plan->degree;
    options.parameters.smoothing = smoothing[chance_below(chance, plane_of_line(plan) ? 4 : 5)];
    options.parameters.adaptive.area = scene->size * scene->size;
    options.parameters.adaptive.r_max = chance_range(chance, 1, 6);
    memcpy(options.parameters.adaptive.powers, of_aidw[chance_below(chance, 2)], sizeof of_aidw[0]);
    /* Drawn apart from all else. Rounded coordinates are no line. */
    struct chance own = {chance->state ^ 0x616e69736f74726fu};
    options.parameters.damping = dampings[chance_below(&own, 4)];
    if (chance_below(&own, 3) == 0 && !plane_of_line(plan)) {
        options.points.anisotropy_ratio = pow(2, chance_range(&own, -5, 5));
        options.points.anisotropy_angle = chance_range(&own, -180, 180);
    }
    return options;
}

static struct study study_make(const struct plan *plan, uint64_t seed)
{
    static const size_t columns[] = {1, 3, 9};
    struct chance chance = {seed};
    struct study study = {.plan = *plan, .seed = seed};
    struct trial *trial = &study.trial;
    const enum hard_field first = (enum hard_field)chance_below(&chance, HARD_FIELDS);
    const enum hard_weights weights = (enum hard_weights)chance_below(&chance, HARD_WEIGHTS);
    const bool plane = plan->degree == 1;
    /* A plane through points of which one has nearly all weight is lost in rounding. */
    trial->scene = hard_scene(plan->layout, plan->n, columns[chance_below(&chance, 3)], first,
                              plane ? weights % HARD_WIDE_WEIGHTS : weights, &chance);
    if (chance_below(&chance, 4) == 0 && !plane_of_line(plan))
        study.raster = hard_raster(&trial->scene, &chance);
    trial->places = study.raster.columns > 0 ? raster_places(&study.raster, NULL)
                                             : hard_places(&trial->scene, PLACES, !plane, &chance);
    trial->options = options_of(plan, &trial->scene, &chance);
    study.reference = reference_of(trial);
    return study;
}

static void try_plan(const struct tested_backend *backends, size_t count, const struct plan *plan,
                     uint64_t seed)
{
    struct study study = study_make(plan, seed);
    for (size_t r = 0; r < count; r++)
        try_backend(&backends[r], &study);
    results_free(&study.reference);
    trial_free(&study.trial);
}

/* Sizes round those at which trees of leaves of 16 to 64 points get another level. */
static const size_t sizes[] = {1,   2,   3,    10,   15,   16,   17,   31,   32,   33,    63,
                               64,  65,  127,  128,  129,  255,  256,  257,  511,  512,   513,
                               640, 641, 1023, 1024, 1025, 2049, 4095, 4096, 4097, 16385, 20000};
#define SIZES (sizeof sizes / sizeof sizes[0])

static uint64_t try_layout(const struct tested_backend *backends, size_t count,
                           enum hard_layout layout, uint64_t seed)
{
    for (size_t p = 0; p < POWERS + 2; p++, seed++) {
        const size_t n = 1500 + 500 * (seed % 5);
        try_plan(backends, count, &(struct plan){layout, n, p < POWERS ? powers[p] : 0, 0}, seed);
    }
    for (int p = 0; p < 4; p++, seed++)
        try_plan(backends, count, &(struct plan){layout, 1500, p, 1}, seed);
    return seed;
}

void suite_tolerance(const struct suite *suite)
{
    uint64_t seed = suite->seed + 9000000;
    struct tested_backend backends[SUITE_BACKENDS_MAX];
    size_t count = 0;
    for (size_t b = 0; b < suite->count; b++)
        if (suite->backends[b].backend != SHEPARD_BACKEND_REF) {
            const struct shepard_backend_info *on = &suite->backends[b];
            backends[count++] = (struct tested_backend){on, find_single_least(on)};
        }
    for (int layout = 0; layout < HARD_LAYOUTS; layout++)
        seed = try_layout(backends, count, (enum hard_layout)layout, seed);
    for (size_t s = 0; s < SIZES; s++, seed++) {
        const enum hard_layout layout = (enum hard_layout)(seed % HARD_LAYOUTS);
        const double power = s % 4 == 3 ? 0 : powers[seed % POWERS];
        try_plan(backends, count, &(struct plan){layout, sizes[s], power, 0}, seed);
    }
}
