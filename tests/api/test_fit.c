/* SPDX-License-Identifier: MIT */
/* test_fit [SEED]: shepard_fit, and predictions by what it gives: complete and finite whatever the
 * data, what is given is held, the same for a seed, errors that say what to do. */
#include "check.h"

#include "base/random.h"
#include "shepard/shepard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 900

struct data {
    size_t n;
    double x[MOST], y[MOST], z[MOST];
};

static struct shepard_random random_state;

static double chance(void)
{
    return (double)(shepard_random_bits(&random_state) >> 11) * 0x1p-53;
}

/* A wave with noise. */
static void draw(struct data *data, size_t n)
{
    data->n = n;
    for (size_t i = 0; i < n; i++) {
        data->x[i] = chance();
        data->y[i] = chance();
        data->z[i] = sin(7 * data->x[i]) + cos(4 * data->y[i]) + 0.1 * chance();
    }
}

/* All that a fit takes and gives. */
struct fit {
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    struct shepard_fit_info info;
    struct shepard_error error;
};

static struct fit asked_for(const char *text)
{
    struct fit fit = {.info = {.size = sizeof fit.info}};
    shepard_points_options_init(&fit.options);
    check(shepard_parameters_parse(text, &fit.parameters, &fit.options, &fit.error) == SHEPARD_OK,
          "%s: %s", text, fit.error.message);
    fit.options.backend = SHEPARD_BACKEND_CPU;
    fit.options.threads = 1;
    return fit;
}

/* The structs that a program fills. */
struct given {
    struct shepard_coordinates coordinates;
    struct shepard_array column;
    struct shepard_values values;
    struct shepard_fit_data data;
};

static void give(const struct data *data, struct given *given)
{
    given->coordinates = (struct shepard_coordinates){.size = sizeof given->coordinates,
                                                      .count = data->n,
                                                      .x = shepard_doubles(data->x),
                                                      .y = shepard_doubles(data->y)};
    given->column = shepard_doubles(data->z);
    given->values = (struct shepard_values){
        .size = sizeof given->values, .column_count = 1, .columns = &given->column};
    given->data = (struct shepard_fit_data){
        .size = sizeof given->data, .coordinates = &given->coordinates, .values = &given->values};
}

static enum shepard_status run(const struct data *data, struct fit *fit)
{
    struct given given;
    give(data, &given);
    return shepard_fit(&given.data, &fit->parameters, &fit->options, &fit->info, NULL, &fit->error);
}

/* Predictions and their sd at places round the data are finite. */
static void check_predictions(const struct data *data, const struct fit *fit)
{
    enum { M = 25 };
    double x[M], y[M], values[M], sds[M];
    struct given given;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error = {0};
    const struct shepard_output_array to = shepard_output_doubles(values);
    const struct shepard_output_array to_sds = shepard_output_doubles(sds);
    const struct shepard_output output = {.size = sizeof output, .values = &to, .sds = &to_sds};
    for (size_t i = 0; i < M; i++) {
        const size_t a = i % data->n, b = i / 2 % data->n;
        x[i] = data->x[a] + (data->x[b] - data->x[a]) * 1.1;
        y[i] = data->y[b] + (data->y[a] - data->y[b]) * 0.3;
    }
    const struct shepard_targets targets = {
        .size = sizeof targets, .count = M, .x = shepard_doubles(x), .y = shepard_doubles(y)};
    give(data, &given);
    enum shepard_status status =
        shepard_points_create(&given.coordinates, &fit->options, &points, &error);
    if (status == SHEPARD_OK)
        status = shepard_field_create(points, &given.values, &field, &error);
    if (status == SHEPARD_OK)
        status = shepard_predict(field, &fit->parameters, &targets, &output, NULL, &error);
    check(status == SHEPARD_OK, "prediction: %s", error.message);
    for (size_t i = 0; status == SHEPARD_OK && i < M; i++)
        check(isfinite(values[i]) && isfinite(sds[i]) && sds[i] >= 0, "target %zu: %g, sd %g", i,
              values[i], sds[i]);
    shepard_field_free(field);
    shepard_points_free(points);
}

/* ---- data of any kind ------------------------------------------------------------------------ */

enum kind {
    PLAIN,
    CONSTANT,
    NOISE,
    PLANE,
    LINE,
    FOUR_SAME,
    FOUR,
    NEAR_DUPLICATES,
    LATTICE,
    UTM,
    TINY,
    LARGE,
    ONE_PLACE,
    FAR_PLACE,
    GAPS,
    KINDS
};

static void spoil(struct data *data, enum kind kind)
{
    for (size_t i = 0; i < data->n; i++) {
        double *x = &data->x[i], *y = &data->y[i], *z = &data->z[i];
        const size_t four = i / 4 * 4;
        switch (kind) {
        case CONSTANT:
            *z = 42;
            break;
        case NOISE:
            *z = chance();
            break;
        case PLANE:
            *z = 1 + 2 * *x - *y;
            break;
        case LINE:
            *y = 2;
            break;
        case FOUR_SAME:
        case FOUR:
            *x = data->x[four];
            *y = data->y[four];
            *z = kind == FOUR ? *z : data->z[four];
            break;
        case NEAR_DUPLICATES:
            *x = i % 2 == 1 ? data->x[i - 1] + 1e-9 * *x : *x;
            *y = i % 2 == 1 ? data->y[i - 1] + 1e-9 * *y : *y;
            break;
        case LATTICE:
            *x = (double)(i % 7);
            *y = floor((double)i / 7);
            break;
        case UTM:
            *x = 500000 + 100 * *x;
            *y = 5.2e6 + 100 * *y;
            break;
        case TINY:
            *z *= 1e-200;
            break;
        case LARGE:
            *z += 1e12;
            break;
        case ONE_PLACE:
            *x = *y = 0.5;
            break;
        case FAR_PLACE:
            *x = *y = 1e200;
            break;
        case GAPS:
            *z = i % 3 == 1 ? NAN : *z;
            *x = i % 7 == 5 ? INFINITY : *x;
            break;
        default:
            break;
        }
    }
}

static void check_kind(enum kind kind, size_t n, const char *text)
{
    struct data data;
    struct fit fit = asked_for(text);
    const struct shepard_kriging *kriging = &fit.parameters.kriging;
    draw(&data, n);
    spoil(&data, kind);
    check_case("kind %d, %zu points, %s", (int)kind, n, text);
    const enum shepard_status status = run(&data, &fit);
    if (!check(status == SHEPARD_OK && fit.info.fitted, "%s", fit.error.message))
        return;
    check(kriging->psill >= 0 && kriging->nugget >= 0 && kriging->range > 0 &&
              isfinite(kriging->psill + kriging->nugget + kriging->range) &&
              fit.options.anisotropy_ratio > 0 && isfinite(fit.options.anisotropy_angle),
          "psill %g nugget %g range %g ratio %g", kriging->psill, kriging->nugget, kriging->range,
          fit.options.anisotropy_ratio);
    check(kind != CONSTANT || kriging->psill + kriging->nugget == 0, "psill %g nugget %g",
          kriging->psill, kriging->nugget);
    check(kind == GAPS && n > 1 ? fit.info.points < n : fit.info.points == n, "%zu points",
          fit.info.points);
    if (kind != GAPS)
        check_predictions(&data, &fit);
}

static void check_kinds(void)
{
    static const size_t counts[] = {1, 2, 3, 5, 8, 9, 10, 20, 30};
    static const char *const texts[] = {"krige", "krige:kind=universal", "krige:kind=simple"};
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            check_kind((enum kind)kind, counts[i], texts[(size_t)(kind + (int)i) % 3]);
}

/* ---- what is given --------------------------------------------------------------------------- */

static bool is_kept(double before, double after)
{
    return isnan(before) ? isfinite(after) : after == before;
}

/* Random parts of the parameters are given, of any model: those are held, the others complete. */
static void check_parts(size_t n)
{
    struct data data;
    struct fit fit = asked_for("krige");
    struct shepard_kriging *kriging = &fit.parameters.kriging;
    const unsigned long bits = (unsigned long)shepard_random_bits(&random_state);
    draw(&data, n);
    kriging->covariance = (enum shepard_covariance)(bits % 6);
    kriging->psill = bits & 64 ? (bits & 128 ? 0 : 0.3) : NAN;
    kriging->nugget = bits & 256 ? (bits & 512 ? 0 : 0.01) : NAN;
    kriging->range = bits & 1024 ? 0.2 : NAN;
    const bool stable = kriging->covariance == SHEPARD_COVARIANCE_STABLE;
    kriging->p = stable && bits & 2048 ? (bits & 4096 ? 2 : 0.9) : NAN;
    fit.options.anisotropy_ratio = bits & 8192 ? (bits & 16384 ? 0.5 : 3) : NAN;
    fit.options.anisotropy_angle = bits & 32768 ? 400 : NAN;
    const struct fit before = fit;
    const struct shepard_kriging *given = &before.parameters.kriging;
    check_case("%zu points, model %d psill %g nugget %g range %g p %g ratio %g angle %g", n,
               (int)kriging->covariance, kriging->psill, kriging->nugget, kriging->range,
               kriging->p, fit.options.anisotropy_ratio, fit.options.anisotropy_angle);
    if (!check(run(&data, &fit) == SHEPARD_OK, "%s", fit.error.message))
        return;
    const double angle = isnan(given->range) || !isnan(before.options.anisotropy_angle)
                             ? before.options.anisotropy_angle
                             : NAN;
    check(is_kept(given->psill, kriging->psill) && is_kept(given->nugget, kriging->nugget) &&
              is_kept(given->range, kriging->range) &&
              (stable ? is_kept(given->p, kriging->p) : isnan(kriging->p)) &&
              is_kept(before.options.anisotropy_ratio, fit.options.anisotropy_ratio) &&
              is_kept(angle, fit.options.anisotropy_angle) && kriging->range > 0,
          "psill %g nugget %g range %g p %g ratio %g angle %g", kriging->psill, kriging->nugget,
          kriging->range, kriging->p, fit.options.anisotropy_ratio, fit.options.anisotropy_angle);
    check_predictions(&data, &fit);
    const struct fit complete = fit;
    fit.info.fitted = true;
    check(run(&data, &fit) == SHEPARD_OK && !fit.info.fitted &&
              memcmp(&fit.parameters.kriging.psill, &complete.parameters.kriging.psill,
                     4 * sizeof(double)) == 0,
          "a complete one is fitted again");
}

/* Parameters given at what a fit found leave the others there. */
static void check_consistency(void)
{
    static const char *const texts[] = {"krige", "krige:model=exponential", "krige:model=matern32",
                                        "krige:model=spherical", "krige:model=linear"};
    struct data data;
    draw(&data, 400);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct fit all = asked_for(texts[i]), part = all;
        check_case("%s", texts[i]);
        check(run(&data, &all) == SHEPARD_OK, "%s", all.error.message);
        part.parameters.kriging.range = all.parameters.kriging.range;
        part.parameters.kriging.nugget = all.parameters.kriging.nugget;
        part.options.anisotropy_ratio = all.options.anisotropy_ratio;
        part.options.anisotropy_angle = all.options.anisotropy_angle;
        check(run(&data, &part) == SHEPARD_OK, "%s", part.error.message);
        const double psill = all.parameters.kriging.psill, again = part.parameters.kriging.psill;
        check(fabs(log(again / psill)) < 0.25, "psill %g, then %g", psill, again);
        check(part.info.objective < all.info.objective + 0.02, "objective %g, then %g",
              all.info.objective, part.info.objective);
    }
}

/* ---- the same, and text ---------------------------------------------------------------------- */

static void check_same(void)
{
    struct data data;
    draw(&data, MOST);
    struct fit first = asked_for("krige"), second = first;
    char text[600], again[600];
    check_case("the same");
    first.options.threads = 1;
    second.options.threads = 2;
    run(&data, &first);
    run(&data, &second);
    second.options.threads = 1;
    shepard_parameters_print(&first.parameters, &first.options, NULL, text, sizeof text);
    shepard_parameters_print(&second.parameters, &second.options, NULL, again, sizeof again);
    check(strcmp(text, again) == 0, "%s, then %s", text, again);
    check(first.parameters.kriging.sd == SHEPARD_KRIGING_SD_LOCAL, "sd is not local");
    struct fit read = asked_for(text);
    check(memcmp(&read.parameters.kriging.psill, &first.parameters.kriging.psill,
                 4 * sizeof(double)) == 0 &&
              read.options.anisotropy_ratio == first.options.anisotropy_ratio,
          "text: %s", text);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void expect(enum shepard_status status, enum shepard_status wanted, const struct fit *fit,
                   const char *word)
{
    check(status == wanted && strstr(fit->error.message, word) != NULL, "status %d: %s",
          (int)status, fit->error.message);
}

static bool cancel(double fraction, void *user)
{
    (void)fraction;
    (void)user;
    return false;
}

static void check_errors(void)
{
    struct data data;
    struct given given;
    struct fit fit = asked_for("krige");
    const struct fit before = fit;
    draw(&data, 50);
    give(&data, &given);
#define RUN() shepard_fit(&given.data, &fit.parameters, &fit.options, NULL, NULL, &fit.error)
    check_case("errors");
    given.data.column = 1;
    expect(RUN(), SHEPARD_ERROR_ARGUMENT, &fit, "1 value columns");
    given.data.column = 0;
    given.values.weights = shepard_doubles(data.x);
    expect(RUN(), SHEPARD_ERROR_ARGUMENT, &fit, "weights");
    give(&data, &given);
    given.coordinates.count = 0;
    expect(RUN(), SHEPARD_ERROR_NO_POINTS, &fit, "no data point");
    give(&data, &given);
    fit.parameters.method = SHEPARD_METHOD_IDW;
    expect(RUN(), SHEPARD_ERROR_ARGUMENT, &fit, "SHEPARD_METHOD_KRIGE");
    fit = before;
    fit.parameters.kriging.psill = -1;
    expect(RUN(), SHEPARD_ERROR_ARGUMENT, &fit, "psill");
    fit = before;
    for (size_t i = 0; i < data.n; i++)
        data.z[i] = NAN;
    expect(RUN(), SHEPARD_ERROR_NO_POINTS, &fit, "no point has");
#undef RUN
    draw(&data, 50);
    const struct shepard_control control = {.size = sizeof control, .progress = cancel};
    expect(shepard_fit(&given.data, &fit.parameters, &fit.options, NULL, &control, &fit.error),
           SHEPARD_ERROR_CANCELLED, &fit, "cancelled");
    check(isnan(fit.parameters.kriging.psill) && isnan(fit.options.anisotropy_ratio),
          "an error has changed parameters");
    struct shepard_points *points = NULL;
    expect(shepard_points_create(&given.coordinates, &fit.options, &points, &fit.error),
           SHEPARD_ERROR_ARGUMENT, &fit, "shepard_fit");
}

int main(int argc, char **argv)
{
    const unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 20151107;
    random_state = (struct shepard_random){seed};
    printf("seed %lu\n", seed);
    check_kinds();
    for (int i = 0; i < 36; i++)
        check_parts(i % 3 == 0 ? 3 + (size_t)i / 3 : 120);
    check_consistency();
    check_same();
    check_errors();
    return check_finish("fit");
}
