/* SPDX-License-Identifier: MIT */
/* test_sd [SEED]: standard deviations from models, on every backend, against Eq. 84 written again
 * from what shepard_predict says without them; fits of degenerate residuals; wrong arguments. */
#include "check.h"

#include "base/random.h"
#include "shepard/shepard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 300
#define TARGETS 100
#define COLUMNS 3
#define RESIDUALS 400

/* Data with gaps in two of the columns, targets of which the last is not finite and the first is at
 * a data point, and models. */
struct scene {
    double x[POINTS], y[POINTS], z[COLUMNS][POINTS];
    double at_x[TARGETS], at_y[TARGETS];
    struct shepard_sd_model models[COLUMNS];
};

static struct shepard_sd_feature random_feature(struct shepard_random *random)
{
    const double low = -4 * shepard_random_uniform(random);
    return (struct shepard_sd_feature){.slope = 2 * shepard_random_uniform(random) - 0.5,
                                       .offset = 0.001 + 0.1 * shepard_random_uniform(random),
                                       .centre = -3 * shepard_random_uniform(random),
                                       .low = low,
                                       .high = low + 2 * shepard_random_uniform(random)};
}

static void make_scene(struct scene *scene, struct shepard_random *random)
{
    for (int i = 0; i < POINTS; i++) {
        scene->x[i] = shepard_random_uniform(random);
        scene->y[i] = shepard_random_uniform(random);
        for (int c = 0; c < COLUMNS; c++)
            scene->z[c][i] = c > 0 && shepard_random_uniform(random) < 0.2
                                 ? NAN
                                 : sin(5 * scene->x[i]) + shepard_random_normal(random);
    }
    for (int i = 0; i < TARGETS; i++) {
        scene->at_x[i] = 1.2 * shepard_random_uniform(random) - 0.1;
        scene->at_y[i] = 1.2 * shepard_random_uniform(random) - 0.1;
    }
    scene->at_x[0] = scene->x[7];
    scene->at_y[0] = scene->y[7];
    scene->at_x[TARGETS - 1] = NAN;
    for (int c = 0; c < COLUMNS; c++)
        scene->models[c] =
            (struct shepard_sd_model){.size = sizeof scene->models[c],
                                      .scale = 0.1 + shepard_random_uniform(random),
                                      .intercept = shepard_random_uniform(random) - 0.5,
                                      .nearest = random_feature(random),
                                      .deviation = random_feature(random)};
}

/* The results of one call. */
struct results {
    double values[COLUMNS][TARGETS], deviations[COLUMNS][TARGETS], sds[COLUMNS][TARGETS];
    double count[TARGETS], nearest[TARGETS];
    float floats[2][COLUMNS][TARGETS]; /* deviations, sds */
};

enum form { PLAIN, WITH_SDS, SDS_ALONE, FLOATS };

static enum shepard_status predict(const struct scene *scene, const struct shepard_field *field,
                                   const struct shepard_parameters *parameters, enum form form,
                                   int first, int columns, struct results *results)
{
    struct shepard_output_array values[COLUMNS], deviations[COLUMNS], sds[COLUMNS];
    for (int c = 0; c < columns; c++) {
        values[c] = shepard_output_doubles(results->values[c]);
        deviations[c] = form == FLOATS ? shepard_output_floats(results->floats[0][c])
                                       : shepard_output_doubles(results->deviations[c]);
        sds[c] = form == FLOATS ? shepard_output_floats(results->floats[1][c])
                                : shepard_output_doubles(results->sds[c]);
    }
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = TARGETS,
                                            .x = shepard_doubles(scene->at_x),
                                            .y = shepard_doubles(scene->at_y)};
    struct shepard_output output = {.size = sizeof output, .sd_models = scene->models + first};
    if (form != SDS_ALONE) {
        output.values = values;
        output.deviations = deviations;
        output.count = shepard_output_doubles(results->count);
        output.nearest = shepard_output_doubles(results->nearest);
    }
    if (form != PLAIN)
        output.sds = sds;
    struct shepard_error error = {.message = ""};
    const enum shepard_status status =
        shepard_predict(field, parameters, &targets, &output, NULL, &error);
    check(status == SHEPARD_OK, "status %d: %s", status, error.message);
    return status;
}

static double clipped(double a, double low, double high)
{
    return fmax(low, fmin(high, a));
}

/* Eq. 84. */
static double sd_of(const struct shepard_sd_model *model, double nearest, double deviation)
{
    const struct shepard_sd_feature *d = &model->nearest, *v = &model->deviation;
    const double square =
        exp(model->intercept) *
        exp(d->slope * (clipped(log(nearest + d->offset), d->low, d->high) - d->centre)) *
        exp(v->slope * (clipped(log(deviation + v->offset), v->low, v->high) - v->centre));
    return model->scale * sqrt(square);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_column(const struct scene *scene, int c, const struct results *alone,
                         const struct results *all, const struct results *only,
                         const struct results *floats, double nodata)
{
    for (int i = 0; i < TARGETS; i++) {
        const bool met = !isnan(alone->deviations[0][i]);
        const double deviation = met ? alone->deviations[0][i] : nodata;
        const double value = met ? alone->values[0][i] : nodata;
        const double want = met ? sd_of(&scene->models[c], alone->nearest[i], deviation) : nodata;
        check(met ? fabs(all->sds[c][i] - want) <= 1e-12 * want : same(all->sds[c][i], want),
              "column %d, target %d: sd %.17g, not %.17g", c, i, all->sds[c][i], want);
        check(same(all->values[c][i], value) && same(all->deviations[c][i], deviation),
              "column %d, target %d: value or deviation changes", c, i);
        check(same(only->sds[c][i], all->sds[c][i]) &&
                  same(floats->floats[0][c][i], (float)deviation) &&
                  same(floats->floats[1][c][i], (float)all->sds[c][i]),
              "column %d, target %d: other arrays change the sd", c, i);
    }
}

static struct shepard_field *field_of(const struct scene *scene,
                                      const struct shepard_points *points, int first, int columns)
{
    struct shepard_array arrays[COLUMNS];
    struct shepard_field *field = NULL;
    for (int c = 0; c < columns; c++)
        arrays[c] = shepard_doubles(scene->z[first + c]);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = (size_t)columns, .columns = arrays};
    return shepard_field_create(points, &values, &field, NULL) == SHEPARD_OK ? field : NULL;
}

static void check_predictions(const struct scene *scene, const struct shepard_points *points,
                              const struct shepard_parameters *parameters)
{
    static struct results alone, all, only, floats;
    struct shepard_field *field = field_of(scene, points, 0, COLUMNS);
    struct shepard_parameters marked = *parameters;
    marked.nodata = NAN;
    if (predict(scene, field, parameters, WITH_SDS, 0, COLUMNS, &all) == SHEPARD_OK &&
        predict(scene, field, parameters, SDS_ALONE, 0, COLUMNS, &only) == SHEPARD_OK &&
        predict(scene, field, parameters, FLOATS, 0, COLUMNS, &floats) == SHEPARD_OK)
        for (int c = 0; c < COLUMNS; c++) {
            struct shepard_field *own = field_of(scene, points, c, 1);
            if (predict(scene, own, &marked, PLAIN, c, 1, &alone) == SHEPARD_OK)
                check_column(scene, c, &alone, &all, &only, &floats, parameters->nodata);
            shepard_field_free(own);
        }
    check(all.count[TARGETS - 1] == 0, "count is %g, not 0", all.count[TARGETS - 1]);
    shepard_field_free(field);
}

static struct shepard_points *points_of(const struct scene *scene, enum shepard_backend backend)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = POINTS,
                                                    .x = shepard_doubles(scene->x),
                                                    .y = shepard_doubles(scene->y)};
    struct shepard_points_options options;
    struct shepard_points *points = NULL;
    shepard_points_options_init(&options);
    options.backend = backend;
    return shepard_points_create(&coordinates, &options, &points, NULL) == SHEPARD_OK ? points
                                                                                      : NULL;
}

static void check_backend(const struct scene *scene, const struct shepard_backend_info *backend)
{
    static const char *const texts[] = {"idw:k=5:nodata=0", "idw:k=9:radius=0.05:min_points=3",
                                        "idw:degree=1:k=12:nodata=7",
                                        "aidw:precision=double:eps=1e-9", "idw:eps=0"};
    struct shepard_points *points = points_of(scene, backend->backend);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct shepard_parameters parameters;
        check_case("%s, %s", backend->name, texts[t]);
        shepard_parameters_parse(texts[t], &parameters, NULL, NULL);
        check_predictions(scene, points, &parameters);
    }
    shepard_points_free(points);
}

/* ---- fits ------------------------------------------------------------------------------------ */

struct samples {
    size_t count;
    double residuals[RESIDUALS], nearest[RESIDUALS], deviations[RESIDUALS];
};

static enum shepard_status fit(const struct samples *samples, struct shepard_sd_model *model,
                               struct shepard_error *error)
{
    const struct shepard_sd_residuals residuals = {.size = sizeof residuals,
                                                   .count = samples->count,
                                                   .residuals = shepard_doubles(samples->residuals),
                                                   .nearest = shepard_doubles(samples->nearest),
                                                   .deviation =
                                                       shepard_doubles(samples->deviations)};
    return shepard_sd_model_fit(&residuals, model, error);
}

static void make_samples(struct samples *samples, size_t count, double length, double unit,
                         struct shepard_random *random)
{
    samples->count = count;
    for (size_t i = 0; i < count; i++) {
        const double nearest = shepard_random_magnitude(random, 0.1, 10);
        const double deviation = shepard_random_magnitude(random, 0.5, 2);
        samples->nearest[i] = length * nearest;
        samples->deviations[i] = unit * deviation;
        samples->residuals[i] = unit * sqrt(nearest) * shepard_random_normal(random);
    }
}

static bool is_finite(const struct shepard_sd_model *model)
{
    double sum = model->scale + model->intercept;
    const struct shepard_sd_feature *const features[] = {&model->nearest, &model->deviation};
    for (int f = 0; f < 2; f++)
        sum += features[f]->slope + features[f]->offset + features[f]->centre + features[f]->low +
               features[f]->high;
    return isfinite(sum);
}

/* Residuals that grow with the root of the distance: the slope of ln sd^2 is 1, that of the
 * deviation 0. Units change nothing but themselves. */
static void check_known(struct shepard_random *random)
{
    static const double units[] = {1, 1e-150, 1e150, 1e12};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        static struct samples samples;
        struct shepard_sd_model model = {.size = 0};
        struct shepard_error error = {.message = ""};
        check_case("unit %g", units[u]);
        make_samples(&samples, RESIDUALS, 1 / units[u], units[u], random);
        check(fit(&samples, &model, &error) == SHEPARD_OK && is_finite(&model), "%s",
              error.message);
        check_near(model.nearest.slope, 1, 0.35, "slope of the distance");
        check_near(model.deviation.slope, 0, 0.8, "slope of the deviation");
        check_near(sd_of(&model, 1 / units[u], units[u]) / units[u], 1, 0.2, "sd at 1");
        check(model.size == sizeof model, "size %zu", model.size);
    }
}

/* One of the kinds of data that leave nothing to fit. */
static void spoil(struct samples *samples, int kind, struct shepard_random *random)
{
    for (size_t i = 0; i < samples->count; i++) {
        if (kind == 0 || kind == 3)
            samples->residuals[i] = 0;
        if (kind == 1 || kind == 3)
            samples->nearest[i] = 0;
        if (kind == 2 || kind == 3)
            samples->deviations[i] = 0;
        if (kind == 4)
            samples->nearest[i] = samples->deviations[i] = 3;
        if (kind == 5 && shepard_random_uniform(random) < 0.3)
            samples->residuals[i] = NAN;
        if (kind == 6 && i == 1)
            samples->residuals[i] = 1e12;
    }
}

static void check_degenerate(struct shepard_random *random)
{
    static const size_t counts[] = {1, 2, 3, 8, SHEPARD_SD_RESIDUALS_MIN, 60, RESIDUALS};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
        for (int kind = 0; kind < 7; kind++) {
            static struct samples samples;
            struct shepard_sd_model model = {.size = 0};
            struct shepard_error error = {.message = ""};
            check_case("%zu residuals, kind %d", counts[n], kind);
            make_samples(&samples, counts[n], 1, 1, random);
            spoil(&samples, kind, random);
            if (counts[n] == 1 && isnan(samples.residuals[0]))
                continue;
            check(fit(&samples, &model, &error) == SHEPARD_OK && is_finite(&model), "%s",
                  error.message);
            const double sd = sd_of(&model, 1, 1);
            check(isfinite(sd) && (sd > 0) == (kind != 0 && kind != 3), "sd %g", sd);
            const bool few = counts[n] < SHEPARD_SD_RESIDUALS_MIN;
            check(!few || sd == sd_of(&model, 100, 0), "sd of few residuals is not constant");
        }
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void check_refused(const struct scene *scene, const struct shepard_field *field,
                          const struct shepard_sd_model *models, const char *argument)
{
    struct shepard_parameters parameters;
    double sds[TARGETS];
    const struct shepard_output_array column = shepard_output_doubles(sds);
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = TARGETS,
                                            .x = shepard_doubles(scene->at_x),
                                            .y = shepard_doubles(scene->at_y)};
    const struct shepard_output output = {
        .size = sizeof output, .sds = &column, .sd_models = models};
    struct shepard_error error = {.argument = ""};
    shepard_parameters_init(&parameters);
    const enum shepard_status status =
        shepard_predict(field, &parameters, &targets, &output, NULL, &error);
    check(status == SHEPARD_ERROR_ARGUMENT && strcmp(error.argument, argument) == 0,
          "status %d of argument '%s', not '%s': %s", status, error.argument, argument,
          error.message);
    check(shepard_prepare(field, &parameters, &output, NULL, &error) == SHEPARD_OK,
          "preparation looks at models: %s", error.message);
}

static void check_errors(const struct scene *scene)
{
    struct shepard_points *points = points_of(scene, SHEPARD_BACKEND_REF);
    struct shepard_field *field = field_of(scene, points, 0, 1);
    struct shepard_sd_model model = scene->models[0];
    struct shepard_error error = {.argument = ""};
    static struct samples samples;
    check_case("errors");
    check_refused(scene, field, NULL, "output.sds");
    model.scale = -1;
    check_refused(scene, field, &model, "output.sd_models[0]");
    model = scene->models[0];
    model.deviation.offset = 0;
    check_refused(scene, field, &model, "output.sd_models[0]");
    model = scene->models[0];
    model.nearest.slope = NAN;
    check_refused(scene, field, &model, "output.sd_models[0]");
    model = scene->models[0];
    model.size = 3;
    check_refused(scene, field, &model, "output.sd_models[0].size");
    samples = (struct samples){.count = 2, .residuals = {NAN, NAN}};
    check(fit(&samples, &model, &error) == SHEPARD_ERROR_ARGUMENT &&
              strcmp(error.argument, "residuals") == 0,
          "%s", error.message);
    samples = (struct samples){.count = 2, .nearest = {1, -1}};
    check(fit(&samples, &model, &error) == SHEPARD_ERROR_ARGUMENT &&
              strcmp(error.argument, "residuals.nearest") == 0,
          "%s", error.message);
    shepard_field_free(field);
    shepard_points_free(points);
}

int main(int count, char **words)
{
    const uint64_t seed = count > 1 ? strtoull(words[1], NULL, 10) : 20261123;
    static struct scene scene;
    struct shepard_random random = {seed};
    struct shepard_backend_info backend;
    printf("seed %llu\n", (unsigned long long)seed);
    make_scene(&scene, &random);
    for (size_t i = 0; shepard_backend_get_info(i, &backend); i++)
        if (backend.usable)
            check_backend(&scene, &backend);
    check_known(&random);
    check_degenerate(&random);
    check_errors(&scene);
    return check_finish("sd");
}
