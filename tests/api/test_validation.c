/* SPDX-License-Identifier: MIT */
/* test_validation [SEED]: what validation holds out, and its scores, against the definitions
 * (docs/math/validation.md). */
#include "check.h"

#include "base/random.h"
#include "shepard/shepard_validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 300
#define FOLDS 7

static struct shepard_random chance;

/* ---- scores ---------------------------------------------------------------------------------- */

/* The integral over t of (F(t) - [t >= observed])^2 for the normal distribution F, by Simpson's
 * rule on each side of the step. */
static double integrate_crps(double observed, double mean, double sd)
{
    const int steps = 20000;
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        const double from = side == 0 ? fmin(observed, mean) - 12 * sd : observed;
        const double to = side == 0 ? observed : fmax(observed, mean) + 12 * sd;
        for (int i = 0; i <= steps; i++) {
            const double t = from + (to - from) * i / steps;
            const double below = 0.5 * erfc((mean - t) / (sd * sqrt(2)));
            const double height = side == 0 ? below * below : (1 - below) * (1 - below);
            const int weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;
            sum += weight * height * (to - from) / (3 * steps);
        }
    }
    return sum;
}

static void check_crps(void)
{
    for (int i = 0; i < 20; i++) {
        const double mean = 10 * shepard_random_normal(&chance);
        const double sd = shepard_random_magnitude(&chance, 0.01, 10);
        const double observed = mean + 3 * sd * shepard_random_normal(&chance);
        const double want = integrate_crps(observed, mean, sd);
        struct shepard_scores scores;
        shepard_scores_compute(&observed, &mean, &sd, 1, &scores);
        check(fabs(scores.crps - want) <= 1e-7 * sd, "crps of %g by N(%g, %g): %.12g, not %.12g",
              observed, mean, sd, scores.crps, want);
    }
}

/* Of normal errors with their sd: coverage 0.95, crps sd / sqrt(pi), and the mean interval score is
 * 2 sd phi(1.96) / 0.025. */
static void check_calibrated(void)
{
    enum { COUNT = 100000 };
    double *observed = malloc(3 * COUNT * sizeof *observed);
    double *predicted = observed + COUNT, *sds = observed + 2 * (size_t)COUNT;
    const double sd = shepard_random_magnitude(&chance, 0.1, 10), pi = acos(-1);
    struct shepard_scores scores;
    for (size_t i = 0; i < COUNT; i++) {
        predicted[i] = 100 * shepard_random_normal(&chance);
        observed[i] = predicted[i] + sd * shepard_random_normal(&chance);
        sds[i] = sd;
    }
    shepard_scores_compute(observed, predicted, sds, COUNT, &scores);
    const double interval =
        80 * sd * exp(-1.9599639845400542 * 1.9599639845400542 / 2) / sqrt(2 * pi);
    check(scores.count == COUNT && scores.sd_count == COUNT && scores.missing == 0, "counts");
    check(fabs(scores.coverage - 0.95) < 0.004, "coverage %g", scores.coverage);
    check(fabs(scores.me) < 0.02 * sd && fabs(scores.rmse / sd - 1) < 0.02 &&
              fabs(scores.mae / sd - sqrt(2 / pi)) < 0.02,
          "me %g mae %g rmse %g of sd %g", scores.me, scores.mae, scores.rmse, sd);
    check(fabs(scores.crps / sd - 1 / sqrt(pi)) < 0.02, "crps %g of sd %g", scores.crps, sd);
    check(fabs(scores.interval / interval - 1) < 0.02, "interval %g, not %g", scores.interval,
          interval);
    free(observed);
}

static void check_gaps(void)
{
    const double observed[] = {1, NAN, 3, 4, INFINITY}, predicted[] = {2, 1, NAN, 2, 1};
    const double sds[] = {0, 1, 1, NAN, 1};
    struct shepard_scores scores;
    shepard_scores_compute(observed, predicted, sds, 5, &scores);
    check(scores.count == 2 && scores.missing == 1 && scores.sd_count == 1, "counts %zu %zu %zu",
          scores.count, scores.missing, scores.sd_count);
    check(scores.me == -0.5 && scores.mae == 1.5 && scores.rmse == sqrt(2.5), "means %g %g %g",
          scores.me, scores.mae, scores.rmse);
    check(scores.crps == 1 && scores.coverage == 0 && scores.interval == 40, "sd 0: %g %g %g",
          scores.crps, scores.coverage, scores.interval);
    shepard_scores_compute(observed, predicted, NULL, 5, &scores);
    check(isnan(scores.crps) && isnan(scores.coverage) && isnan(scores.interval), "no sd");
    shepard_scores_compute(observed, predicted, NULL, 0, &scores);
    check(scores.count == 0 && isnan(scores.rmse), "no data");
}

/* Errors whose squares are too large or too small for a double have the scores of others, times the
 * unit. */
static void check_units(void)
{
    static const double units[] = {1e-200, 0x1p-600, 0x1p600, 1e300};
    double observed[9], predicted[9], a[9], b[9];
    struct shepard_scores want, got;
    for (size_t i = 0; i < 9; i++) {
        observed[i] = shepard_random_normal(&chance);
        predicted[i] = shepard_random_normal(&chance);
    }
    shepard_scores_compute(observed, predicted, NULL, 9, &want);
    for (size_t u = 0; u < 4; u++) {
        for (size_t i = 0; i < 9; i++) {
            a[i] = units[u] * observed[i];
            b[i] = units[u] * predicted[i];
        }
        shepard_scores_compute(a, b, NULL, 9, &got);
        check(fabs(got.rmse / units[u] - want.rmse) <= 1e-14 * want.rmse,
              "unit %g: rmse %g, not %g", units[u], got.rmse, units[u] * want.rmse);
    }
    shepard_scores_compute(observed, observed, NULL, 9, &got);
    check(got.rmse == 0, "no error: rmse %g", got.rmse);
}

/* ---- data ------------------------------------------------------------------------------------ */

struct data {
    double x[POINTS], y[POINTS], z[POINTS];
    struct shepard_array column;
    struct shepard_coordinates coordinates;
    struct shepard_values values;
    struct shepard_points_options options;
};

/* A third stands on a lattice, where places coincide; some values are missing. */
static void make_data(struct data *data)
{
    for (size_t i = 0; i < POINTS; i++) {
        data->x[i] = 100 + 10 * shepard_random_uniform(&chance);
        data->y[i] = -50 + 7 * shepard_random_uniform(&chance);
        if (i % 3 == 0) {
            data->x[i] = floor(data->x[i]);
            data->y[i] = floor(data->y[i]);
        }
        data->z[i] = i % 31 == 5 ? NAN : sin(data->x[i]) + shepard_random_normal(&chance);
    }
    data->column = shepard_doubles(data->z);
    data->coordinates = (struct shepard_coordinates){.size = sizeof data->coordinates,
                                                     .count = POINTS,
                                                     .x = shepard_doubles(data->x),
                                                     .y = shepard_doubles(data->y)};
    data->values = (struct shepard_values){
        .size = sizeof data->values, .column_count = 1, .columns = &data->column};
    shepard_points_options_init(&data->options);
    data->options.backend = SHEPARD_BACKEND_CPU;
}

static struct shepard_holdout *hold_out(const struct data *data,
                                        const struct shepard_validation *validation)
{
    struct shepard_holdout *holdout = NULL;
    struct shepard_error error = {.message = ""};
    check(shepard_holdout_create(&data->coordinates, &data->values, &data->options, validation,
                                 NULL, &holdout, &error) == SHEPARD_OK,
          "hold out: %s", error.message);
    return holdout;
}

static struct shepard_holdout_info info_of(const struct shepard_holdout *holdout)
{
    struct shepard_holdout_info info = {.size = sizeof info};
    shepard_holdout_get_info(holdout, &info);
    return info;
}

/* Predictions of targets by points and a field of these values, and sds where wanted. */
static void predict(const struct data *data, const double *z,
                    const struct shepard_parameters *parameters,
                    const struct shepard_points_options *options,
                    const struct shepard_targets *targets, double *values, double *sds)
{
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error = {.message = ""};
    const struct shepard_array column = shepard_doubles(z);
    const struct shepard_values all = {.size = sizeof all, .column_count = 1, .columns = &column};
    const struct shepard_output_array to = shepard_output_doubles(values);
    const struct shepard_output_array sds_to = shepard_output_doubles(sds);
    /* As validation asks for, which the rounding of sums over all points depends on. */
    double diagnostics[2][POINTS];
    const struct shepard_output_array deviations = shepard_output_doubles(diagnostics[0]);
    struct shepard_output output = {
        .size = sizeof output, .values = &to, .sds = sds != NULL ? &sds_to : NULL};
    if (sds == NULL) {
        output.deviations = &deviations;
        output.nearest = shepard_output_doubles(diagnostics[1]);
    }
    check(shepard_points_create(&data->coordinates, options, &points, &error) == SHEPARD_OK &&
              shepard_field_create(points, &all, &field, &error) == SHEPARD_OK &&
              shepard_predict(field, parameters, targets, &output, NULL, &error) == SHEPARD_OK,
          "predict: %s", error.message);
    shepard_field_free(field);
    shepard_points_free(points);
}

/* ---- trials ---------------------------------------------------------------------------------- */

static const char *const trials[] = {
    "idw:k=12",
    "idw:power=3:nodata=-1",
    "aidw",
    "idw:sectors=4:max_points_per_sector=2:k=8:degree=1:anisotropy_ratio=2:anisotropy_angle=30",
    "krige:model=exponential:psill=1:range=2:nugget=0.1",
    "idw:k=12:power=1",
};
#define TRIALS (sizeof trials / sizeof *trials)

struct found {
    double values[POINTS], sds[POINTS], nearest[POINTS];
    struct shepard_scores scores;
};

static void validate(struct shepard_holdout *holdout, const char *text,
                     struct shepard_parameters *parameters, struct shepard_points_options *options,
                     struct found *found)
{
    struct shepard_error error = {.message = ""};
    struct shepard_validation_result result = {.size = sizeof result,
                                               .values = found->values,
                                               .sds = found->sds,
                                               .nearest = found->nearest};
    shepard_points_options_init(options);
    options->backend = SHEPARD_BACKEND_CPU;
    check(shepard_parameters_parse(text, parameters, options, &error) == SHEPARD_OK, "%s: %s", text,
          error.message);
    check(shepard_holdout_validate(holdout, parameters, options, &result, NULL, &error) ==
              SHEPARD_OK,
          "%s: %s", text, error.message);
    found->scores = result.scores;
    parameters->nodata = NAN;
}

static void compare(const char *text, const char *what, const double *got, const double *want,
                    size_t count, double tolerance)
{
    for (size_t i = 0; i < count; i++)
        check((isnan(got[i]) && isnan(want[i])) || fabs(got[i] - want[i]) <= tolerance,
              "%s: %s %zu is %.17g, not %.17g", text, what, i, got[i], want[i]);
}

static void check_scores(const char *text, const struct found *found,
                         const struct shepard_holdout_info *info)
{
    struct shepard_scores want;
    shepard_scores_compute(info->observed, found->values, found->sds, info->count, &want);
    check(memcmp(&found->scores, &want, sizeof want) == 0, "%s: scores", text);
    check(found->scores.sd_count == found->scores.count, "%s: sds", text);
}

/* Leave-one-out is that of shepard_predict, bit for bit. */
static void check_leave_one_out(const struct data *data, size_t samples)
{
    struct shepard_validation validation;
    shepard_validation_init(&validation);
    validation.samples = samples;
    struct shepard_holdout *holdout = hold_out(data, &validation);
    const struct shepard_holdout_info info = info_of(holdout);
    check(info.count == (samples > 0 ? samples : info.data), "%zu held out", info.count);
    for (size_t i = 0; i < info.count; i++)
        check(info.observed[i] == data->z[info.indices[i]], "observed %zu", i);
    for (size_t t = 0; t < TRIALS; t++) {
        struct shepard_parameters parameters;
        struct shepard_points_options options;
        struct found found;
        double want[POINTS], want_sds[POINTS];
        validate(holdout, trials[t], &parameters, &options, &found);
        const bool kriging = parameters.method == SHEPARD_METHOD_KRIGE;
        const struct shepard_targets targets = {.size = sizeof targets,
                                                .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT,
                                                .indices = info.indices,
                                                .count = info.count};
        predict(data, data->z, &parameters, &options, &targets, want, kriging ? want_sds : NULL);
        compare(trials[t], "value", found.values, want, info.count, 0);
        if (kriging)
            compare(trials[t], "sd", found.sds, want_sds, info.count, 0);
        check_scores(trials[t], &found, &info);
    }
    shepard_holdout_free(holdout);
}

/* Folds are what is written here: each place in one fold, folds of nearly equal size, predicted
 * from the others. */
static void check_folds(const struct data *data, const struct shepard_validation *validation)
{
    struct shepard_holdout *holdout = hold_out(data, validation);
    const struct shepard_holdout_info info = info_of(holdout);
    size_t counts[POINTS] = {0};
    double x0 = INFINITY, y0 = INFINITY;
    for (size_t i = 0; i < info.count; i++) {
        x0 = fmin(x0, data->x[info.indices[i]]);
        y0 = fmin(y0, data->y[info.indices[i]]);
    }
    check(info.count == info.data && info.folds == FOLDS, "%zu in %zu folds", info.count,
          info.folds);
    for (size_t i = 0; i < info.count; i++) {
        counts[info.fold[i]]++;
        for (size_t j = 0; j < i; j++) {
            const double *x = data->x, *y = data->y;
            const uint32_t a = info.indices[i], b = info.indices[j];
            const double side = validation->block_size;
            const bool together = validation->kind == SHEPARD_VALIDATION_BLOCKS
                                      ? floor((x[a] - x0) / side) == floor((x[b] - x0) / side) &&
                                            floor((y[a] - y0) / side) == floor((y[b] - y0) / side)
                                      : x[a] == x[b] && y[a] == y[b];
            check(!together || info.fold[i] == info.fold[j], "%u and %u in folds %u, %u", a, b,
                  info.fold[i], info.fold[j]);
        }
    }
    for (size_t f = 0; f < FOLDS && validation->kind == SHEPARD_VALIDATION_K_FOLD; f++)
        check(fabs((double)counts[f] - (double)info.count / FOLDS) < 4, "fold %zu has %zu", f,
              counts[f]);
    for (size_t t = 0; t < TRIALS; t++) {
        struct shepard_parameters parameters;
        struct shepard_points_options options;
        struct found found;
        double want[POINTS];
        validate(holdout, trials[t], &parameters, &options, &found);
        for (size_t f = 0; f < FOLDS; f++) {
            double x[POINTS], y[POINTS], rest[POINTS], values[POINTS];
            size_t m = 0;
            memcpy(rest, data->z, sizeof rest);
            for (size_t i = 0; i < info.count; i++)
                if (info.fold[i] == f) {
                    rest[info.indices[i]] = NAN;
                    x[m] = data->x[info.indices[i]];
                    y[m++] = data->y[info.indices[i]];
                }
            const struct shepard_targets targets = {.size = sizeof targets,
                                                    .count = m,
                                                    .x = shepard_doubles(x),
                                                    .y = shepard_doubles(y)};
            predict(data, rest, &parameters, &options, &targets, values, NULL);
            m = 0;
            for (size_t i = 0; i < info.count; i++)
                if (info.fold[i] == f)
                    want[i] = values[m++];
        }
        compare(trials[t], "value", found.values, want, info.count, 0);
        check_scores(trials[t], &found, &info);
    }
    shepard_holdout_free(holdout);
}

/* The nearest datum that is not held out with each. */
static void check_nearest(const struct data *data, const struct shepard_validation *validation)
{
    struct shepard_holdout *holdout = hold_out(data, validation);
    const struct shepard_holdout_info info = info_of(holdout);
    uint32_t fold[POINTS] = {0};
    for (size_t i = 0; i < info.count && info.fold != NULL; i++)
        fold[info.indices[i]] = info.fold[i];
    for (size_t i = 0; i < info.count; i++) {
        const uint32_t a = info.indices[i];
        double nearest = INFINITY;
        for (size_t b = 0; b < POINTS; b++) {
            const double d = hypot(data->x[b] - data->x[a], data->y[b] - data->y[a]);
            if (!isnan(data->z[b]) && d > 0 && (info.fold == NULL || fold[b] != fold[a]))
                nearest = fmin(nearest, d);
        }
        check(fabs(info.nearest[i] - nearest) <= 1e-12 * nearest, "nearest %zu is %.17g, not %.17g",
              i, info.nearest[i], nearest);
    }
    shepard_holdout_free(holdout);
}

/* ---- stars ----------------------------------------------------------------------------------- */

#define MANY 3000
#define STARS 500

/* Data and targets of a smooth surface, z = f at each. */
struct surface {
    double x[MANY], y[MANY], z[MANY], at_x[MANY], at_y[MANY], at_z[MANY];
    struct shepard_targets targets;
};

static double height(double x, double y)
{
    return sin(7 * x) * cos(5 * y) + x;
}

static bool in_hole(double x, double y)
{
    return hypot(x - 0.35, y - 0.6) < 0.2 || hypot(x - 0.8, y - 0.2) < 0.15;
}

/* Data in the unit square without holes; targets in the holes, or anywhere beside them. */
static void make_surface(struct surface *surface, bool targets_in_holes)
{
    for (size_t i = 0; i < MANY; i++) {
        do {
            surface->x[i] = shepard_random_uniform(&chance);
            surface->y[i] = shepard_random_uniform(&chance);
        } while (in_hole(surface->x[i], surface->y[i]));
        do {
            surface->at_x[i] = shepard_random_uniform(&chance);
            surface->at_y[i] = shepard_random_uniform(&chance);
        } while (in_hole(surface->at_x[i], surface->at_y[i]) != targets_in_holes);
        surface->z[i] = height(surface->x[i], surface->y[i]);
        surface->at_z[i] = height(surface->at_x[i], surface->at_y[i]);
    }
    surface->targets = (struct shepard_targets){.size = sizeof surface->targets,
                                                .count = MANY,
                                                .x = shepard_doubles(surface->at_x),
                                                .y = shepard_doubles(surface->at_y)};
}

static struct shepard_holdout *hold_out_surface(const struct surface *surface,
                                                const struct shepard_validation *validation)
{
    const struct shepard_array column = shepard_doubles(surface->z);
    struct data data = {
        .coordinates = {.size = sizeof data.coordinates,
                        .count = MANY,
                        .x = shepard_doubles(surface->x),
                        .y = shepard_doubles(surface->y)},
        .values = {.size = sizeof data.values, .column_count = 1, .columns = &column}};
    shepard_points_options_init(&data.options);
    data.options.backend = SHEPARD_BACKEND_CPU;
    return hold_out(&data, validation);
}

static double rmse_of(struct shepard_holdout *holdout, const struct shepard_parameters *parameters)
{
    struct shepard_validation_result result = {.size = sizeof result};
    struct shepard_error error = {.message = ""};
    check(shepard_holdout_validate(holdout, parameters, NULL, &result, NULL, &error) == SHEPARD_OK,
          "%s", error.message);
    return result.scores.rmse;
}

static double rmse_at_targets(const struct surface *surface,
                              const struct shepard_parameters *parameters)
{
    struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                              .count = MANY,
                                              .x = shepard_doubles(surface->x),
                                              .y = shepard_doubles(surface->y)};
    const struct shepard_array column = shepard_doubles(surface->z);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    static double predicted[MANY];
    const struct shepard_output_array to = shepard_output_doubles(predicted);
    const struct shepard_output output = {.size = sizeof output, .values = &to};
    struct shepard_points_options options;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_scores scores;
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    check(shepard_points_create(&coordinates, &options, &points, NULL) == SHEPARD_OK &&
              shepard_field_create(points, &values, &field, NULL) == SHEPARD_OK &&
              shepard_predict(field, parameters, &surface->targets, &output, NULL, NULL) ==
                  SHEPARD_OK,
          "targets");
    shepard_field_free(field);
    shepard_points_free(points);
    shepard_scores_compute(surface->at_z, predicted, NULL, MANY, &scores);
    return scores.rmse;
}

/* In holes stars state the error within a third where leave-one-out hides most of it; beside them
 * both state it. Distances of held-out data are those of the targets. */
static void check_stars(bool targets_in_holes)
{
    static struct surface surface;
    struct shepard_parameters parameters;
    struct shepard_validation validation;
    make_surface(&surface, targets_in_holes);
    shepard_parameters_parse("idw:k=12", &parameters, NULL, NULL);
    const double truth = rmse_at_targets(&surface, &parameters);
    shepard_validation_init(&validation);
    struct shepard_holdout *each = hold_out_surface(&surface, &validation);
    validation.targets = &surface.targets;
    validation.samples = STARS;
    validation.kind = SHEPARD_VALIDATION_STARS;
    struct shepard_holdout *stars = hold_out_surface(&surface, &validation);
    struct shepard_holdout *again = hold_out_surface(&surface, &validation);
    validation.kind = SHEPARD_VALIDATION_BLOCKS;
    struct shepard_holdout *blocks = hold_out_surface(&surface, &validation);
    const struct shepard_holdout_info info = info_of(stars), other = info_of(again);
    check_case("targets %s", targets_in_holes ? "in holes" : "beside holes");
    check(info.count <= STARS && info.count > STARS / 2, "%zu stars", info.count);
    check(info.representative && (*info.notice == '\0' || info.count < STARS), "'%s'", info.notice);
    check(fabs(info.held_out_nearest / info.target_nearest - 1) < 0.15, "nearest %g and %g",
          info.held_out_nearest, info.target_nearest);
    check(info.count == other.count &&
              memcmp(info.indices, other.indices, info.count * sizeof *info.indices) == 0,
          "the same seed");
    const double own = rmse_of(stars, &parameters) / truth,
                 loo = rmse_of(each, &parameters) / truth;
    const double block = rmse_of(blocks, &parameters) / truth;
    /* Two holes are few samples of what may be in one. */
    check(own > (targets_in_holes ? 0.65 : 0.75) && own < 1.33, "stars / truth is %g", own);
    check(targets_in_holes ? loo < 0.5 : loo > 0.75 && loo < 1.33, "leave-one-out / truth is %g",
          loo);
    check(block > 0.6 && block < 1.7, "blocks of side %g / truth is %g", info_of(blocks).block_size,
          block);
    check(rmse_of(stars, &parameters) == rmse_of(again, &parameters), "the same seed");
    shepard_holdout_free(blocks);
    shepard_holdout_free(again);
    shepard_holdout_free(stars);
    shepard_holdout_free(each);
}

/* Between lines no datum is as near to others as a target: that is said. */
static void check_lines(void)
{
    static struct surface surface;
    struct shepard_validation validation;
    make_surface(&surface, false);
    for (size_t i = 0; i < MANY; i++)
        surface.x[i] = floor(8 * surface.x[i]) / 8;
    for (size_t i = 0; i < MANY; i++)
        surface.at_x[i] = (floor(8 * surface.at_x[i]) + 0.5) / 8;
    shepard_validation_init(&validation);
    validation.targets = &surface.targets;
    struct shepard_holdout *holdout = hold_out_surface(&surface, &validation);
    const struct shepard_holdout_info info = info_of(holdout);
    check(!info.representative && strstr(info.notice, "cannot tell") != NULL, "'%s', %g and %g",
          info.notice, info.held_out_nearest, info.target_nearest);
    shepard_holdout_free(holdout);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void check_refused(const struct data *data, const struct shepard_validation *validation,
                          const char *argument, const char *text)
{
    struct shepard_holdout *holdout = NULL;
    struct shepard_error error = {.message = ""};
    const enum shepard_status status = shepard_holdout_create(
        &data->coordinates, &data->values, &data->options, validation, NULL, &holdout, &error);
    check(status != SHEPARD_OK && strcmp(error.argument, argument) == 0 &&
              strstr(error.message, text) != NULL,
          "status %d, %s: %s", status, error.argument, error.message);
    shepard_holdout_free(holdout);
}

static void check_errors(struct data *data)
{
    struct shepard_validation validation;
    shepard_validation_init(&validation);
    validation.kind = SHEPARD_VALIDATION_K_FOLD;
    validation.folds = 1;
    check_refused(data, &validation, "validation.folds", "nothing would be left");
    validation.folds = POINTS + 1;
    check_refused(data, &validation, "validation.folds", "too few for");
    validation.kind = SHEPARD_VALIDATION_BLOCKS;
    validation.folds = 0;
    check_refused(data, &validation, "validation.targets", "block_size");
    validation.block_size = 1e9;
    check_refused(data, &validation, "validation.block_size", "smaller");
    validation.block_size = -1;
    check_refused(data, &validation, "validation.block_size", "> 0");
    validation.kind = (enum shepard_validation_kind)9;
    check_refused(data, &validation, "validation.kind", "LEAVE_ONE_OUT");
    shepard_validation_init(&validation);
    validation.kind = SHEPARD_VALIDATION_STARS;
    check_refused(data, &validation, "validation.targets", "stars need");
    const double nowhere = NAN;
    struct shepard_targets targets = {.size = sizeof targets,
                                      .count = 1,
                                      .x = shepard_doubles(&nowhere),
                                      .y = shepard_doubles(&nowhere)};
    validation.targets = &targets;
    check_refused(data, &validation, "validation.targets", "no finite");
    const double far = 1e6;
    targets.x = targets.y = shepard_doubles(&far);
    check_refused(data, &validation, "validation.targets", "too far outside the data");
    targets.count = 0;
    check_refused(data, &validation, "validation.targets", "at least one");
    targets.kind = SHEPARD_TARGETS_LEAVE_ONE_OUT;
    check_refused(data, &validation, "validation.targets", "leave points out");
    shepard_validation_init(&validation);
    for (size_t i = 0; i < POINTS; i++)
        data->x[i] = data->y[i] = 3;
    check_refused(data, &validation, "coordinates", "two places");
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261123;
    static struct data data;
    struct shepard_validation validation;
    printf("seed %llu\n", (unsigned long long)seed);
    chance.state = seed;
    check_crps();
    check_calibrated();
    check_gaps();
    check_units();
    make_data(&data);
    check_leave_one_out(&data, 0);
    check_leave_one_out(&data, 40);
    shepard_validation_init(&validation);
    check_nearest(&data, &validation);
    validation.kind = SHEPARD_VALIDATION_K_FOLD;
    validation.folds = FOLDS;
    validation.seed = shepard_random_bits(&chance);
    check_folds(&data, &validation);
    check_nearest(&data, &validation);
    validation.kind = SHEPARD_VALIDATION_BLOCKS;
    validation.block_size = 1.5;
    check_folds(&data, &validation);
    check_nearest(&data, &validation);
    check_stars(true);
    check_stars(false);
    check_lines();
    check_errors(&data);
    return check_finish("validation");
}
