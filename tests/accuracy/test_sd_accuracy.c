/* SPDX-License-Identifier: MIT */
/* test_sd_accuracy FOLDER: how sure predictions are, on the open data sets: coverage
 * of 95 % intervals, and CRPS against a constant standard deviation. Predictions at places of known
 * values have models from the star hold-out there; those of leave-one-out, models of the other half
 * of the data. */
#include "check.h"
#include "table.h"

#include "base/random.h"
#include "core/sd_model.h"
#include "shepard/shepard_validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED 77 /* the status that ctest reads as skipped */
/* Of the CRPS of a constant: on average over sets and methods, and over the sets for each method.
 */
#define CRPS_MOST 0.90
#define CRPS_MOST_OF_METHOD 0.92

/* One set: data, and places of known values; without these it is left out one by one. */
struct set {
    const char *name;
    struct table data, truth;
};

/* What a method gave on one set. */
struct outcome {
    struct shepard_scores own, constant;
};

/* ---- data ------------------------------------------------------------------------------------ */

/* Without points where there is no such file. */
static struct table read_points(const char *folder, const char *file, const char *value,
                                const char *where)
{
    struct table points;
    table_read(folder, file, value, where, 2, &points);
    return points;
}

/* A part of the points is data, the rest truth. */
static struct set split(const char *name, struct table all, double part)
{
    struct set set = {.name = name};
    struct shepard_random random = {1};
    for (size_t i = 0; i < all.n; i++)
        table_add(shepard_random_uniform(&random) < part ? &set.data : &set.truth, all.x[i],
                  all.y[i], all.z[i]);
    table_free(&all);
    return set;
}

/* ---- predictions ----------------------------------------------------------------------------- */

static void must(enum shepard_status status, const struct shepard_error *error)
{
    if (status == SHEPARD_OK)
        return;
    printf("%s\n", error->message);
    exit(1);
}

static struct shepard_coordinates coordinates_of(const struct table *points)
{
    return (struct shepard_coordinates){.size = sizeof(struct shepard_coordinates),
                                        .count = points->n,
                                        .x = shepard_doubles(points->x),
                                        .y = shepard_doubles(points->y)};
}

/* Residuals of held-out data, and what goes with them. */
struct held_out {
    size_t m;
    double *observed, *predicted, *residuals, *nearest, *deviations;
    double rmse;
};

static struct held_out hold_out(const struct set *set, const struct shepard_targets *targets,
                                const struct shepard_parameters *parameters)
{
    const struct shepard_coordinates coordinates = coordinates_of(&set->data);
    const struct shepard_array column = shepard_doubles(set->data.z);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    struct shepard_validation validation;
    struct shepard_holdout *holdout = NULL;
    struct shepard_holdout_info info = {.size = sizeof info};
    struct shepard_error error;
    shepard_points_options_init(&options);
    shepard_validation_init(&validation);
    validation.kind = targets != NULL ? SHEPARD_VALIDATION_STARS : SHEPARD_VALIDATION_LEAVE_ONE_OUT;
    validation.targets = targets;
    must(shepard_holdout_create(&coordinates, &values, &options, &validation, NULL, &holdout,
                                &error),
         &error);
    shepard_holdout_get_info(holdout, &info);
    const size_t m = info.count;
    double *const memory = malloc(5 * (m + 1) * sizeof *memory);
    if (memory == NULL)
        exit(2);
    struct held_out of = {m, memory, memory + m, memory + 2 * m, memory + 3 * m, memory + 4 * m, 0};
    struct shepard_validation_result result = {.size = sizeof result,
                                               .values = of.predicted,
                                               .nearest = of.nearest,
                                               .deviations = of.deviations};
    must(shepard_holdout_validate(holdout, parameters, NULL, &result, NULL, &error), &error);
    memcpy(of.observed, info.observed, m * sizeof *of.observed);
    for (size_t i = 0; i < m; i++)
        of.residuals[i] = of.observed[i] - of.predicted[i];
    of.rmse = result.scores.rmse;
    shepard_holdout_free(holdout);
    return of;
}

static struct shepard_sd_model fit(const struct held_out *from, size_t first, size_t step)
{
    const ptrdiff_t stride = (ptrdiff_t)(step * sizeof(double));
    const struct shepard_sd_residuals residuals = {
        .size = sizeof residuals,
        .count = (from->m - first + step - 1) / step,
        .residuals = {from->residuals + first, SHEPARD_FLOAT64, stride},
        .nearest = {from->nearest + first, SHEPARD_FLOAT64, stride},
        .deviation = {from->deviations + first, SHEPARD_FLOAT64, stride}};
    struct shepard_sd_model model;
    struct shepard_error error;
    must(shepard_sd_model_fit(&residuals, &model, &error), &error);
    return model;
}

/* Against places of known values, through the interface alone. */
static struct outcome score_truth(const struct set *set,
                                  const struct shepard_parameters *parameters)
{
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = set->truth.n,
                                            .x = shepard_doubles(set->truth.x),
                                            .y = shepard_doubles(set->truth.y)};
    const struct held_out stars = hold_out(set, &targets, parameters);
    const struct shepard_sd_model model = fit(&stars, 0, 1);
    const struct shepard_coordinates coordinates = coordinates_of(&set->data);
    const struct shepard_array column = shepard_doubles(set->data.z);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    double *const predicted = malloc(2 * set->truth.n * sizeof *predicted);
    if (predicted == NULL)
        exit(2);
    double *const sd = predicted + set->truth.n;
    const struct shepard_output_array to = shepard_output_doubles(predicted),
                                      sds = shepard_output_doubles(sd);
    const struct shepard_output output = {
        .size = sizeof output, .values = &to, .sds = &sds, .sd_models = &model};
    struct shepard_points_options options;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error;
    struct outcome outcome;
    shepard_points_options_init(&options);
    must(shepard_points_create(&coordinates, &options, &points, &error), &error);
    must(shepard_field_create(points, &values, &field, &error), &error);
    must(shepard_predict(field, parameters, &targets, &output, NULL, &error), &error);
    shepard_scores_compute(set->truth.z, predicted, sd, set->truth.n, &outcome.own);
    for (size_t i = 0; i < set->truth.n; i++)
        sd[i] = stars.rmse;
    shepard_scores_compute(set->truth.z, predicted, sd, set->truth.n, &outcome.constant);
    shepard_field_free(field);
    shepard_points_free(points);
    free(predicted);
    free(stars.observed);
    return outcome;
}

/* Leave-one-out: every other residual has the model of the rest. */
static struct outcome score_left_out(const struct set *set,
                                     const struct shepard_parameters *parameters)
{
    const struct held_out all = hold_out(set, NULL, parameters);
    double *const sd = malloc(all.m * sizeof *sd);
    struct outcome outcome;
    if (sd == NULL)
        exit(2);
    for (size_t half = 0; half < 2; half++) {
        const struct shepard_sd_model model = fit(&all, half, 2);
        for (size_t i = 1 - half; i < all.m; i += 2)
            sd[i] = shepard_sd_model_at(&model, all.nearest[i], all.deviations[i]);
    }
    shepard_scores_compute(all.observed, all.predicted, sd, all.m, &outcome.own);
    for (size_t half = 0; half < 2; half++) {
        const double constant = fit(&all, half, 2).scale;
        for (size_t i = 1 - half; i < all.m; i += 2)
            sd[i] = constant;
    }
    shepard_scores_compute(all.observed, all.predicted, sd, all.m, &outcome.constant);
    free(sd);
    free(all.observed);
    return outcome;
}

/* ---- promises -------------------------------------------------------------------------------- */

/* Returns CRPS relative to that of a constant. */
static double check_method(const char *text, const struct set *sets, size_t count)
{
    struct shepard_parameters parameters;
    struct shepard_error error;
    double coverage = 0, log_gain = 0;
    check_case("%s", text);
    must(shepard_parameters_parse(text, &parameters, NULL, &error), &error);
    for (size_t i = 0; i < count; i++) {
        const struct outcome of = sets[i].truth.n > 0 ? score_truth(&sets[i], &parameters)
                                                      : score_left_out(&sets[i], &parameters);
        printf("%-44s %-8s rmse %8.4g  coverage %.3f (constant %.3f)  crps %8.4g / %8.4g = %.3f\n",
               text, sets[i].name, of.own.rmse, of.own.coverage, of.constant.coverage, of.own.crps,
               of.constant.crps, of.own.crps / of.constant.crps);
        check(of.own.coverage >= 0.8, "%s: coverage %.3f", sets[i].name, of.own.coverage);
        coverage += of.own.coverage / (double)count;
        log_gain += log(of.own.crps / of.constant.crps) / (double)count;
    }
    printf("%-44s mean coverage %.3f, CRPS %.3f of that of a constant\n", text, coverage,
           exp(log_gain));
    check(coverage >= 0.9 && coverage <= 0.97, "mean coverage %.3f", coverage);
    check(exp(log_gain) <= CRPS_MOST_OF_METHOD, "CRPS %.3f of that of a constant", exp(log_gain));
    return exp(log_gain);
}

static void check_methods(const struct set *sets, size_t count)
{
    static const char *const methods[] = {"idw:sectors=8:max_points_per_sector=1", "idw:k=12",
                                          "aidw:eps=1e-4",
                                          "idw:degree=1:sectors=8:max_points_per_sector=1"};
    const size_t n = sizeof methods / sizeof *methods;
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += check_method(methods[i], sets, count) / (double)n;
    check_case("all methods");
    printf("all methods: CRPS %.3f of that of a constant\n", mean);
    check(mean <= CRPS_MOST, "CRPS %.3f of that of a constant", mean);
}

int main(int count, char **words)
{
    const char *const folder = count > 1 ? words[1] : "";
    struct set sets[] = {
        {"zinc", read_points(folder, "meuse/meuse.csv", "zinc", NULL), {0}},
        {"alt", read_points(folder, "meuse/meuse_alt.csv", "alt", NULL), {0}},
        {"volcano", read_points(folder, "volcano/volcano.csv", "z", NULL), {0}},
        {"mvk", read_points(folder, "lidar/mvk_thin.csv", "z", NULL), {0}},
        {"walker", read_points(folder, "walker/walker.csv", "v", NULL),
         read_points(folder, "walker/walker_exhaustive.csv", "v", NULL)},
        split("volc10", read_points(folder, "volcano/volcano.csv", "z", NULL), 0.1),
        split("autzen", read_points(folder, "lidar/autzen_trim.csv", "z", "classification"), 0.8)};
    const size_t n = sizeof sets / sizeof *sets;
    bool present = true;
    for (size_t i = 0; i < n; i++)
        present = present && sets[i].data.n > 0;
    if (present)
        check_methods(sets, n);
    for (size_t i = 0; i < n; i++) {
        table_free(&sets[i].data);
        table_free(&sets[i].truth);
    }
    if (!present) {
        printf("skipped: the means need all open data sets\n");
        return SKIPPED;
    }
    return check_finish("accuracy of sd");
}
