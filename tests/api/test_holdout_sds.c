/* SPDX-License-Identifier: MIT */
/* test_holdout_sds [SEED]: standard deviations that a validation states for methods which have none
 * of their own: cross-fitted, so that no residual is judged by a model that saw it, and right for
 * random fields of known distribution (docs/math/standard-deviation.md). */
#include "check.h"

#include "base/random.h"
#include "core/sd_model.h"
#include "shepard/shepard_validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 5000
#define SD_PARTS 10

static struct shepard_random chance;

/* ---- data ------------------------------------------------------------------------------------ */

struct data {
    size_t n;
    double x[MOST], y[MOST], z[MOST];
};

/* A validation's arrays, by held-out datum. */
struct found {
    size_t m;
    double values[MOST], sds[MOST], deviations[MOST], nearest[MOST], observed[MOST];
    uint32_t indices[MOST], fold[MOST];
    struct shepard_scores scores;
};

static void validate(const struct data *data, const struct shepard_validation *validation,
                     const char *text, struct found *found)
{
    const struct shepard_array column = shepard_doubles(data->z);
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = data->n,
                                                    .x = shepard_doubles(data->x),
                                                    .y = shepard_doubles(data->y)};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_validation_result result = {.size = sizeof result,
                                               .values = found->values,
                                               .sds = found->sds,
                                               .deviations = found->deviations,
                                               .nearest = found->nearest};
    struct shepard_holdout_info info = {.size = sizeof info};
    struct shepard_holdout *holdout = NULL;
    struct shepard_points_options options;
    struct shepard_parameters parameters;
    struct shepard_error error = {.message = ""};
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    found->m = 0;
    if (!check(shepard_parameters_parse(text, &parameters, &options, &error) == SHEPARD_OK &&
                   shepard_holdout_create(&coordinates, &values, &options, validation, NULL,
                                          &holdout, &error) == SHEPARD_OK &&
                   shepard_holdout_validate(holdout, &parameters, &options, &result, NULL,
                                            &error) == SHEPARD_OK,
               "%s: %s", text, error.message))
        return;
    shepard_holdout_get_info(holdout, &info);
    found->m = info.count;
    found->scores = result.scores;
    memcpy(found->observed, info.observed, info.count * sizeof *info.observed);
    memcpy(found->indices, info.indices, info.count * sizeof *info.indices);
    if (info.fold != NULL)
        memcpy(found->fold, info.fold, info.count * sizeof *info.fold);
    shepard_holdout_free(holdout);
}

static void place(struct data *data, size_t n)
{
    data->n = n;
    for (size_t i = 0; i < n; i++) {
        data->x[i] = shepard_random_uniform(&chance);
        data->y[i] = shepard_random_uniform(&chance);
    }
}

/* Independent normal numbers. */
static void make_noise(struct data *data, size_t n)
{
    place(data, n);
    for (size_t i = 0; i < n; i++)
        data->z[i] = 100 + shepard_random_normal(&chance);
}

/* The same, of five times the standard deviation in the right half, where one in four is kept. */
static void make_halves(struct data *data)
{
    make_noise(data, MOST);
    data->n = 0;
    for (size_t i = 0; i < MOST; i++) {
        const bool right = data->x[i] > 0.5;
        if (right && shepard_random_uniform(&chance) > 0.25)
            continue;
        data->x[data->n] = data->x[i];
        data->y[data->n] = data->y[i];
        data->z[data->n++] = right ? 5 * (data->z[i] - 100) : data->z[i] - 100;
    }
}

/* Nearly a Gaussian random field with a Gaussian covariance of a range of 0.2: a sum of waves whose
 * numbers are normal, and noise of a tenth of the variance. */
static void make_field(struct data *data)
{
    enum { WAVES = 200 };
    make_noise(data, MOST);
    for (size_t i = 0; i < MOST; i++)
        data->z[i] = sqrt(0.1) * (data->z[i] - 100);
    for (size_t w = 0; w < WAVES; w++) {
        const double u = sqrt(2) / 0.2 * shepard_random_normal(&chance);
        const double v = sqrt(2) / 0.2 * shepard_random_normal(&chance);
        const double phase = 2 * acos(-1) * shepard_random_uniform(&chance);
        for (size_t i = 0; i < MOST; i++)
            data->z[i] += sqrt(2.0 / WAVES) * cos(u * data->x[i] + v * data->y[i] + phase);
    }
}

static struct shepard_validation plan(enum shepard_validation_kind kind)
{
    struct shepard_validation validation;
    shepard_validation_init(&validation);
    validation.kind = kind;
    validation.seed = shepard_random_bits(&chance);
    validation.block_size = 0.1;
    return validation;
}

static const char *const methods[] = {"idw:k=12:precision=double",
                                      "idw:k=8:degree=1:precision=double"};
#define METHODS (sizeof methods / sizeof *methods)

/* ---- cross-fitting --------------------------------------------------------------------------- */

/* With folds, each sd is that of the model of the residuals of other folds. */
static void check_models(const struct data *data, size_t folds, const char *text)
{
    static struct found found;
    static double residuals[MOST], nearest[MOST], deviations[MOST];
    struct shepard_validation validation = plan(SHEPARD_VALIDATION_K_FOLD);
    validation.folds = folds;
    check_case("models of %zu folds, %s", folds, text);
    validate(data, &validation, text, &found);
    const size_t parts = folds < SD_PARTS ? folds : SD_PARTS;
    for (size_t p = 0; p < parts; p++) {
        size_t count = 0;
        for (size_t i = 0; i < found.m; i++) {
            if (found.fold[i] % parts == p)
                continue;
            residuals[count] = found.observed[i] - found.values[i];
            nearest[count] = found.nearest[i];
            deviations[count++] = found.deviations[i];
        }
        const struct shepard_sd_residuals of = {.size = sizeof of,
                                                .count = count,
                                                .residuals = shepard_doubles(residuals),
                                                .nearest = shepard_doubles(nearest),
                                                .deviation = shepard_doubles(deviations)};
        struct shepard_sd_model model;
        check(shepard_sd_model_fit(&of, &model, NULL) == SHEPARD_OK, "no model");
        for (size_t i = 0; i < found.m; i++) {
            if (found.fold[i] % parts != p)
                continue;
            const double want = shepard_sd_model_at(&model, found.nearest[i], found.deviations[i]);
            check(fabs(found.sds[i] - want) <= 1e-12 * want, "sd %zu is %.17g, not %.17g", i,
                  found.sds[i], want);
        }
    }
    check(found.scores.sd_count == found.m, "%zu of %zu sds", found.scores.sd_count, found.m);
}

/* Two data at a place that is far from the others predict none of these, so that their residuals
 * are the only ones that depend on their values. All that stands for them, and at most what shares
 * their part, has a sd that does not depend on them; what is of other parts has one that does. */
static void check_own_residual(const struct shepard_validation *validation, const char *text)
{
    static struct data data;
    static struct found before, after;
    enum { NEAR = 400 };
    make_noise(&data, NEAR + 2);
    for (size_t i = NEAR; i < data.n; i++) {
        data.x[i] = data.y[i] = 3;
        data.z[i] = 100;
    }
    check_case("own residual, kind %d, %s", (int)validation->kind, text);
    validate(&data, validation, text, &before);
    data.z[NEAR] = 300;
    data.z[NEAR + 1] = -100;
    validate(&data, validation, text, &after);
    size_t same = 0, far = 0;
    for (size_t i = 0; i < after.m; i++) {
        const double change = fabs(after.sds[i] / before.sds[i] - 1);
        same += change < 1e-6;
        if (after.indices[i] < NEAR)
            continue;
        far++;
        check(change < 0.1 && fabs(after.observed[i] - after.values[i]) > 100,
              "datum %u: sd %.17g after its residual of %g, %.17g before", after.indices[i],
              after.sds[i], after.observed[i] - after.values[i], before.sds[i]);
    }
    check(far >= 2, "%zu far", far);
    check(same < after.m / 2 && after.m > NEAR / 2, "%zu of %zu stay", same, after.m);
}

/* ---- calibration ----------------------------------------------------------------------------- */

/* Whether of n intervals of 95 % as many hold what they are for as chance allows: within four
 * standard deviations of the binomial distribution, and the model's own error. */
static void check_coverage(const char *what, size_t inside, size_t n, double error)
{
    const double share = (double)inside / (double)n;
    check(fabs(share - 0.95) <= 4 * sqrt(0.95 * 0.05 / (double)n) + error, "%s: %zu of %zu (%.3f)",
          what, inside, n, share);
}

/* Data left of x = 0.5, and right of it, and those in their intervals. */
struct halves {
    size_t count[2], inside[2];
};

static struct halves cover(const struct data *data, const struct shepard_validation *validation,
                           const char *text, double error)
{
    static struct found found;
    struct halves halves = {0};
    validate(data, validation, text, &found);
    for (size_t i = 0; i < found.m; i++) {
        const int half = data->x[found.indices[i]] > 0.5;
        halves.count[half]++;
        halves.inside[half] += fabs(found.observed[i] - found.values[i]) <= 1.96 * found.sds[i];
    }
    check(found.m == data->n && found.scores.sd_count == data->n, "%zu sds", found.scores.sd_count);
    check_coverage("all", halves.inside[0] + halves.inside[1], data->n, error);
    return halves;
}

static void check_calibrated(const struct shepard_validation *validation, const char *text)
{
    static struct data data;
    struct halves halves;
    check_case("noise, kind %d, %s", (int)validation->kind, text);
    make_noise(&data, MOST);
    halves = cover(&data, validation, text, 0.01);
    check_coverage("left", halves.inside[0], halves.count[0], 0.01);
    check_coverage("right", halves.inside[1], halves.count[1], 0.01);
    check_case("field, kind %d, %s", (int)validation->kind, text);
    make_field(&data);
    cover(&data, validation, text, 0.01);
    /* Errors of both halves together are not normal where the model takes them for one another:
     * more of them are far off. A constant has 1.00 of the left, 0.66 of the right. */
    check_case("halves, kind %d, %s", (int)validation->kind, text);
    make_halves(&data);
    halves = cover(&data, validation, text, 0.03);
    check(halves.inside[0] < 0.997 * (double)halves.count[0], "%zu of %zu on the left",
          halves.inside[0], halves.count[0]);
    check(halves.inside[1] > 0.8 * (double)halves.count[1], "%zu of %zu on the right",
          halves.inside[1], halves.count[1]);
}

/* ---- few ------------------------------------------------------------------------------------- */

/* Of two places each has the residual of the other. */
static void check_two_places(void)
{
    static struct data data = {.n = 2, .x = {0, 1}, .y = {0, 0}, .z = {3, 7}};
    static struct found found;
    const struct shepard_validation validation = plan(SHEPARD_VALIDATION_LEAVE_ONE_OUT);
    check_case("two places");
    validate(&data, &validation, "idw", &found);
    check(found.m == 2 && found.sds[0] == 4 && found.sds[1] == 4, "%zu: %g, %g", found.m,
          found.sds[0], found.sds[1]);
}

int main(int argc, char **argv)
{
    static struct data data;
    static double at_x[MOST], at_y[MOST];
    chance.state = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261123;
    printf("seed %llu\n", (unsigned long long)chance.state);
    make_halves(&data);
    data.n = 600;
    for (size_t i = 0; i < 1000; i++) {
        at_x[i] = i < 900 ? shepard_random_uniform(&chance) : 3.1;
        at_y[i] = i < 900 ? shepard_random_uniform(&chance) : 3.1;
    }
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = 1000,
                                            .x = shepard_doubles(at_x),
                                            .y = shepard_doubles(at_y)};
    const struct shepard_validation each = plan(SHEPARD_VALIDATION_LEAVE_ONE_OUT),
                                    folds = plan(SHEPARD_VALIDATION_K_FOLD),
                                    blocks = plan(SHEPARD_VALIDATION_BLOCKS);
    struct shepard_validation stars = plan(SHEPARD_VALIDATION_STARS);
    stars.targets = &targets;
    stars.samples = 1000;
    for (size_t m = 0; m < METHODS; m++) {
        check_models(&data, 2, methods[m]);
        check_models(&data, 7, methods[m]);
        check_models(&data, 300, methods[m]);
        check_own_residual(&each, methods[m]);
        check_own_residual(&stars, methods[m]);
        check_own_residual(&folds, methods[m]);
        check_own_residual(&blocks, methods[m]);
        check_calibrated(&each, methods[m]);
        check_calibrated(&folds, methods[m]);
        check_calibrated(&blocks, methods[m]);
    }
    check_two_places();
    return check_finish("sds of held-out data");
}
