/* SPDX-License-Identifier: MIT */
#include "trial.h"

#include "check.h"

struct shepard_neighbourhood trial_hood(int hood, const struct scene *scene)
{
    const double size = scene->size;
    const struct shepard_neighbourhood hoods[TRIAL_HOODS] = {
        {.sectors = 1},
        {.sectors = 1, .max_points = 1},
        {.sectors = 1, .max_points = 7},
        {.sectors = 1, .max_points = 12, .min_points = 3},
        {.sectors = 1, .max_points = 10 * scene->n},
        {.sectors = 1, .radius1 = size / 5, .radius2 = size / 5},
        {.sectors = 1, .radius1 = size / 4, .radius2 = size / 4, .min_points = 5},
        {.sectors = 1, .radius1 = 0.4 * size, .radius2 = 0.1 * size, .angle = 30},
        {.sectors = 1,
         .radius1 = 0.1 * size,
         .radius2 = 0.3 * size,
         .angle = -200,
         .max_points = 9},
        {.sectors = 4, .max_points_per_sector = 2},
        {.sectors = 8, .max_points_per_sector = 1, .max_points = 5},
        {.sectors = 4,
         .max_points = 6,
         .radius1 = size / 3,
         .radius2 = size / 3,
         .min_points_per_sector = 1},
        {.sectors = 8,
         .max_points_per_sector = 3,
         .min_points_per_sector = 1,
         .radius1 = size,
         .radius2 = size / 2,
         .angle = 75},
        {.sectors = 1, .max_points = 5, .radius1 = size / 4, .radius2 = size / 4},
        {.sectors = 4, .max_points = 10},
        {.sectors = 8, .min_points_per_sector = 2, .radius1 = size, .radius2 = size},
        {.sectors = 8, .min_points = 2},
        {.sectors = 1, .min_points = scene->n + 1},
        {.sectors = 4,
         .max_points_per_sector = 4,
         .max_points = 9,
         .min_points = 4,
         .radius1 = 1e6 * size,
         .radius2 = 1e5 * size,
         .angle = 90},
    };
    return hoods[hood];
}

double trial_power(int power)
{
    static const double powers[TRIAL_POWERS] = {0.1, 0.5, 1, 1.7, 2,  2.5,  3,
                                                4,   5,   6, 8,   12, 33.3, 100};
    return powers[power];
}

static void set_adaptive(struct shepard_adaptive *adaptive, const struct scene *scene,
                         struct chance *chance)
{
    const size_t k[] = {1, 5, 10, 15, 2 * scene->n};
    adaptive->k = k[chance_below(chance, 5)];
    adaptive->expect = (enum shepard_expectation)chance_below(chance, 3);
    adaptive->r_max = chance_range(chance, 1, 4);
    /* Half of the areas are the data's own. */
    if (chance_below(chance, 2))
        adaptive->area = scene->size * scene->size;
    /* The square of these sizes is no double. */
    if (scene->kind == SCENE_TINY || scene->kind == SCENE_HUGE)
        adaptive->area = 0;
}

/* Tolerances that the precision takes; half of the sums are exact. Degree 1 promises its tolerance
 * near the data only, and these places are anywhere. */
static double random_eps(const struct shepard_parameters *parameters, struct chance *chance)
{
    static const double eps[] = {0, 1e-5, 0, 1e-3, 0, 1e-8, 1e-12};
    const size_t drawn =
        chance_below(chance, parameters->precision == SHEPARD_PRECISION_DOUBLE ? 7 : 4);
    return parameters->degree == 1 ? 0 : eps[drawn];
}

/* One trial of three has anisotropy, drawn apart from all else. Where equal distances are common
 * their order would go by rounding, but with ratios and angles that have none. */
static void set_anisotropy(struct trial *trial, const struct chance *chance)
{
    struct chance own = {chance->state ^ 0x616e69736f74726fu};
    static const double ratios[] = {0.25, 0.5, 2, 4}, angles[] = {0, 90, 180, -90, 810};
    const enum scene_kind kind = trial->scene.kind;
    struct shepard_points_options *options = &trial->options.points;
    options->anisotropy_angle = chance_range(&own, -720, 720);
    if (chance_below(&own, 3) != 0)
        return;
    options->anisotropy_ratio = pow(2, chance_range(&own, -4, 4));
    if (kind != SCENE_LATTICE && kind != SCENE_DUPLICATES)
        return;
    options->anisotropy_ratio = ratios[chance_below(&own, 4)];
    options->anisotropy_angle = angles[chance_below(&own, 5)];
}

/* The box of the points has no area. */
static bool flat(const struct scene *scene)
{
    bool one_x = true, one_y = true;
    for (size_t i = 1; i < scene->n; i++) {
        one_x = one_x && scene->x[i] == scene->x[0];
        one_y = one_y && scene->y[i] == scene->y[0];
    }
    return one_x || one_y;
}

void trial_draw(struct trial *trial, int hood, int power, struct chance *chance)
{
    struct shepard_parameters *parameters = &trial->options.parameters;
    const double smoothing[] = {0, 0, 1e-3, 0.3}, dampings[] = {0, 0.2, 3, 1e6};
    const int threads[] = {1, 2, 5};
    trial->hood = hood;
    model_options_init(&trial->options);
    parameters->neighbourhood = trial_hood(trial->hood, &trial->scene);
    parameters->power = trial_power(power);
    parameters->method = chance_below(chance, 4) == 0 ? SHEPARD_METHOD_AIDW : SHEPARD_METHOD_IDW;
    set_adaptive(&parameters->adaptive, &trial->scene, chance);
    if (flat(&trial->scene) && parameters->adaptive.area == 0)
        parameters->method = SHEPARD_METHOD_IDW;
    parameters->smoothing = smoothing[chance_below(chance, 4)] * trial->scene.size;
    parameters->degree = (int)chance_below(chance, 2);
    parameters->ridge = chance_below(chance, 2) ? 1e-3 : 0.05;
    parameters->damping = dampings[chance_below(chance, 4)];
    parameters->precision =
        chance_below(chance, 2) ? SHEPARD_PRECISION_SINGLE : SHEPARD_PRECISION_DOUBLE;
    trial->options.points.threads = threads[chance_below(chance, 3)];
    parameters->nodata = chance_below(chance, 2) ? NAN : -9999;
    parameters->eps = random_eps(parameters, chance);
    set_anisotropy(trial, chance);
}

struct trial trial_make(enum scene_kind kind, int hood, int power, size_t n, size_t m,
                        struct chance *chance)
{
    const size_t columns[] = {1, 3, 9};
    struct trial trial = {0};
    trial.scene =
        scene_make(kind, n, columns[chance_below(chance, 3)], chance_below(chance, 2), chance);
    trial.places = scene_places(&trial.scene, m, chance);
    trial_draw(&trial, hood, power, chance);
    return trial;
}

void trial_free(struct trial *trial)
{
    scene_free(&trial->scene);
    places_free(&trial->places);
}

static bool all_points(const struct shepard_neighbourhood *hood)
{
    return hood->max_points == 0 && hood->radius1 == 0 && hood->max_points_per_sector == 0 &&
           hood->min_points_per_sector == 0;
}

bool trial_is_single(const struct trial *trial)
{
    const struct shepard_parameters *parameters = &trial->options.parameters;
    return parameters->precision == SHEPARD_PRECISION_SINGLE && parameters->degree == 0 &&
           all_points(&parameters->neighbourhood);
}

double trial_eps(const struct trial *trial)
{
    const struct shepard_parameters *parameters = &trial->options.parameters;
    return all_points(&parameters->neighbourhood) ? parameters->eps : 0;
}

double trial_blur(const struct trial *trial, double nearest)
{
    const double ratio = trial->options.points.anisotropy_ratio;
    const double away = trial->scene.size + nearest * fmax(1, ratio);
    return ratio == 1 || nearest == 0 ? 0 : 0x1p-51 * away * fmax(1, 1 / ratio);
}

/* The plain name, the last in the list. */
static const char *method_name(enum shepard_method method)
{
    const char *name, *found = "";
    struct shepard_parameters named;
    for (size_t i = 0; (name = shepard_parameters_method(i)) != NULL; i++)
        if (shepard_parameters_parse(name, &named, NULL, NULL) == SHEPARD_OK &&
            named.method == method)
            found = name;
    return found;
}

void trial_case(const struct trial *trial, const char *backend, uint64_t seed)
{
    const struct shepard_parameters *parameters = &trial->options.parameters;
    const struct shepard_points_options *points = &trial->options.points;
    check_case("seed %llu %s: %s n %zu columns %zu%s, %s power %g smoothing %g degree %d ridge %g "
               "damping %g hood %d %s eps %g threads %d ratio %g angle %g",
               (unsigned long long)seed, backend, scene_name(trial->scene.kind), trial->scene.n,
               trial->scene.columns, trial->scene.weights ? " weighted" : "",
               method_name(parameters->method), parameters->power, parameters->smoothing,
               parameters->degree, parameters->ridge, parameters->damping, trial->hood,
               parameters->precision == SHEPARD_PRECISION_SINGLE ? "single" : "double",
               parameters->eps, points->threads, points->anisotropy_ratio,
               points->anisotropy_angle);
}
