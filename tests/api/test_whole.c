/* SPDX-License-Identifier: MIT */
/* test_whole [SEED]: a part of the data that has the neighbours of the targets predicts the bits
 * that all of the data predict; what it cannot do is an error. */
#include "chance.h"
#include "check.h"

#include "shepard/shepard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POINTS 3000
#define TARGETS 150
#define TRIALS 60

/* Targets lie in the middle of the unit square, the part this far round its centre. */
#define INNER 0.1
#define PART 0.3

struct data {
    size_t count;
    double x[POINTS], y[POINTS], z[POINTS], w[POINTS];
};

struct scene {
    struct data all, part;
    double x[TARGETS], y[TARGETS];
    struct shepard_whole whole;
    double scale, low, high;
    bool weighted;
};

static void add(struct data *data, double x, double y, double z, double w)
{
    const size_t i = data->count++;
    data->x[i] = x;
    data->y[i] = y;
    data->z[i] = z;
    data->w[i] = w;
}

static void measure(struct scene *scene)
{
    const struct data *all = &scene->all;
    struct shepard_whole whole = {.size = sizeof whole,
                                  .points = all->count,
                                  .x_min = INFINITY,
                                  .x_max = -INFINITY,
                                  .y_min = INFINITY,
                                  .y_max = -INFINITY,
                                  .column_count = 1,
                                  .value_min = &scene->low,
                                  .value_max = &scene->high};
    scene->low = INFINITY;
    scene->high = -INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        whole.x_min = fmin(whole.x_min, all->x[i]);
        whole.x_max = fmax(whole.x_max, all->x[i]);
        whole.y_min = fmin(whole.y_min, all->y[i]);
        whole.y_max = fmax(whole.y_max, all->y[i]);
        whole.weight_max = fmax(whole.weight_max, all->w[i]);
        scene->low = fmin(scene->low, all->z[i]);
        scene->high = fmax(scene->high, all->z[i]);
    }
    scene->whole = whole;
}

/* Coordinates of a random size, ties among them; the part in another order. */
static void make(struct scene *scene, struct chance *chance)
{
    const double scale = exp(chance_range(chance, -20, 20)), x0 = scale * chance_unit(chance);
    const double grain = chance_below(chance, 2) ? 64 : 1e9;
    scene->scale = scale;
    scene->weighted = chance_below(chance, 2);
    scene->all.count = scene->part.count = 0;
    for (size_t i = 0; i < POINTS; i++) {
        const double u = floor(grain * chance_unit(chance)) / grain;
        const double v = floor(grain * chance_unit(chance)) / grain;
        add(&scene->all, x0 + scale * u, scale * v,
            chance_normal(chance) * exp(chance_range(chance, 0, 5)), 0.01 + chance_unit(chance));
    }
    for (size_t i = POINTS; i-- > 0;) {
        const double u = (scene->all.x[i] - x0) / scale - 0.5, v = scene->all.y[i] / scale - 0.5;
        if (fabs(u) < PART && fabs(v) < PART)
            add(&scene->part, scene->all.x[i], scene->all.y[i], scene->all.z[i], scene->all.w[i]);
    }
    for (size_t i = 0; i < TARGETS; i++) {
        scene->x[i] = x0 + scale * chance_range(chance, 0.5 - INNER, 0.5 + INNER);
        scene->y[i] = scale * chance_range(chance, 0.5 - INNER, 0.5 + INNER);
    }
    measure(scene);
}

static struct shepard_points *points_of(const struct data *data, const struct shepard_whole *whole,
                                        double ratio, enum shepard_backend backend,
                                        struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = data->count,
                                                    .x = shepard_doubles(data->x),
                                                    .y = shepard_doubles(data->y)};
    struct shepard_points_options options;
    struct shepard_points *points = NULL;
    shepard_points_options_init(&options);
    options.part_of = whole;
    options.anisotropy_ratio = ratio;
    options.anisotropy_angle = 30;
    options.backend = backend;
    shepard_points_create(&coordinates, &options, &points, error);
    return points;
}

static struct shepard_field *field_of(const struct scene *scene, const struct data *data,
                                      const struct shepard_points *points,
                                      struct shepard_error *error)
{
    const struct shepard_array column = shepard_doubles(data->z);
    const struct shepard_values values = {.size = sizeof values,
                                          .column_count = 1,
                                          .columns = &column,
                                          .weights =
                                              shepard_doubles(scene->weighted ? data->w : NULL)};
    struct shepard_field *field = NULL;
    shepard_field_create(points, &values, &field, error);
    return field;
}

/* Values and deviations. */
static bool predict(const struct scene *scene, const struct data *data,
                    const struct shepard_whole *whole, const struct shepard_parameters *parameters,
                    double ratio, enum shepard_backend backend, double *results)
{
    struct shepard_error error = {.message = ""};
    struct shepard_points *points = points_of(data, whole, ratio, backend, &error);
    struct shepard_field *field = points ? field_of(scene, data, points, &error) : NULL;
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = TARGETS,
                                            .x = shepard_doubles(scene->x),
                                            .y = shepard_doubles(scene->y)};
    const struct shepard_output_array values = {results, SHEPARD_FLOAT64, sizeof(double)};
    const struct shepard_output output = {.size = sizeof output, .values = &values};
    const bool good =
        field && shepard_predict(field, parameters, &targets, &output, NULL, &error) == SHEPARD_OK;
    check(good, "%s", error.message);
    shepard_field_free(field);
    shepard_points_free(points);
    return good;
}

static void choose(struct shepard_parameters *parameters, double scale, struct chance *chance,
                   double *ratio)
{
    shepard_parameters_init(parameters);
    struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    parameters->method = (enum shepard_method)chance_below(chance, 3);
    hood->max_points = 1 + chance_below(chance, 30);
    *ratio = parameters->method != SHEPARD_METHOD_AIDW && chance_below(chance, 3) == 0 ? 2 : 1;
    if (parameters->method == SHEPARD_METHOD_KRIGE) {
        parameters->kriging.psill = 2;
        parameters->kriging.nugget = 0.1;
        parameters->kriging.range = scale / 3;
        parameters->kriging.covariance = SHEPARD_COVARIANCE_EXPONENTIAL;
    } else {
        parameters->degree = (int)chance_below(chance, 2);
        parameters->power = chance_range(chance, 0.5, 5);
    }
}

/* Places without a value round the points, which neighbourhoods do not see. */
static void surround(struct shepard_whole *whole, struct chance *chance)
{
    const double width = whole->x_max - whole->x_min, height = whole->y_max - whole->y_min;
    whole->place_x_min = whole->x_min - width * chance_unit(chance);
    whole->place_x_max = whole->x_max + 5 * width * chance_unit(chance);
    whole->place_y_min = whole->y_min - height * chance_unit(chance);
    whole->place_y_max = whole->y_max + height * chance_unit(chance);
}

static void compare(struct chance *chance, int trial)
{
    static struct scene scene;
    struct shepard_parameters parameters;
    double want[TARGETS], got[TARGETS], ratio;
    make(&scene, chance);
    choose(&parameters, scene.scale, chance, &ratio);
    if (ratio == 1 && chance_below(chance, 2))
        surround(&scene.whole, chance);
    scene.weighted = scene.weighted && parameters.method != SHEPARD_METHOD_KRIGE;
    const enum shepard_backend backend =
        chance_below(chance, 2) ? SHEPARD_BACKEND_CPU : SHEPARD_BACKEND_REF;
    check_case("trial %d: method %d, %zu points, degree %d, weights %d, ratio %g, backend %d",
               trial, (int)parameters.method, parameters.neighbourhood.max_points,
               parameters.degree, scene.weighted, ratio, (int)backend);
    if (predict(&scene, &scene.all, NULL, &parameters, ratio, backend, want) &&
        predict(&scene, &scene.part, &scene.whole, &parameters, ratio, backend, got))
        check(memcmp(want, got, sizeof want) == 0, "a part predicts other bits");
}

static void expect_argument(const char *argument, const struct shepard_error *error)
{
    check(strcmp(error->argument, argument) == 0, "error of '%s', not '%s': %s", error->argument,
          argument, error->message);
}

/* What a whole may not say. */
static void refuse_wholes(struct scene *scene)
{
    struct shepard_error error = {.message = ""};
    struct shepard_whole whole = scene->whole;
    check_case("errors");
    whole.points = 3;
    check(!points_of(&scene->part, &whole, 1, SHEPARD_BACKEND_CPU, &error), "fewer than a part");
    expect_argument("options.part_of", &error);
    whole = scene->whole;
    whole.x_max = scene->part.x[0];
    whole.x_min = scene->part.x[0];
    check(!points_of(&scene->part, &whole, 1, SHEPARD_BACKEND_CPU, &error), "outside its box");
    expect_argument("options.part_of", &error);
    whole = scene->whole;
    whole.place_x_min = whole.x_min;
    whole.place_x_max = whole.x_max;
    whole.place_y_min = whole.y_min;
    whole.place_y_max = (whole.y_min + whole.y_max) / 2;
    check(!points_of(&scene->part, &whole, 1, SHEPARD_BACKEND_CPU, &error), "points beyond places");
    expect_argument("options.part_of", &error);
    whole = scene->whole;
    whole.value_min = NULL;
    check(!points_of(&scene->part, &whole, 1, SHEPARD_BACKEND_CPU, &error), "no range");
    whole.value_min = &scene->low;
    whole.column_count = 0;
    check(!points_of(&scene->part, &whole, 1, SHEPARD_BACKEND_CPU, &error), "no column");
}

static void refuse_fields(struct scene *scene)
{
    struct shepard_error error = {.message = ""};
    struct shepard_whole whole = scene->whole;
    whole.weight_max = 0;
    struct shepard_points *points = points_of(&scene->part, &whole, 1, SHEPARD_BACKEND_CPU, &error);
    scene->weighted = true;
    check(!field_of(scene, &scene->part, points, &error), "weights without their maximum");
    expect_argument("values.weights", &error);
    scene->weighted = false;
    scene->part.z[7] = NAN;
    check(!field_of(scene, &scene->part, points, &error), "a gap");
    expect_argument("values.columns", &error);
    scene->part.z[7] = 1;
    struct shepard_field *field = field_of(scene, &scene->part, points, &error);
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    check(shepard_prepare(field, &parameters, NULL, NULL, &error) == SHEPARD_ERROR_ARGUMENT,
          "all points of a part");
    expect_argument("parameters.neighbourhood", &error);
    shepard_field_free(field);
    shepard_points_free(points);
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
    static struct scene scene;
    struct chance chance = {seed};
    printf("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < TRIALS; trial++)
        compare(&chance, trial);
    make(&scene, &chance);
    refuse_wholes(&scene);
    refuse_fields(&scene);
    return check_finish("parts of data");
}
