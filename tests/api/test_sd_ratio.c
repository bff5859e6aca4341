/* SPDX-License-Identifier: MIT */
/* test_sd_ratio [SEED]: how much surer kriging is of what is held out than of the targets, against
 * sums of its semivariogram, and what it does to the error that a tuning states. */
#include "check.h"

#include "base/random.h"
#include "shepard/shepard_tune.h"

#include "api/sd_ratio.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 400
#define TARGETS 150

static struct shepard_random chance;

static double x[POINTS], y[POINTS], z[POINTS], to_x[TARGETS], to_y[TARGETS];

/* Data in the left half of a square, targets mostly there, some farther right, where no datum can
 * stand for them: kriging is less sure of these. */
static void draw(double unit)
{
    for (size_t i = 0; i < POINTS; i++) {
        x[i] = 50 * shepard_random_uniform(&chance);
        y[i] = 100 * shepard_random_uniform(&chance);
        z[i] = unit * (sin(x[i] / 9) + shepard_random_normal(&chance));
    }
    for (size_t i = 0; i < TARGETS; i++) {
        to_x[i] = 80 * shepard_random_uniform(&chance);
        to_y[i] = 100 * shepard_random_uniform(&chance);
    }
}

static struct shepard_holdout *hold_out(enum shepard_validation_kind kind)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = POINTS,
                                                    .x = shepard_doubles(x),
                                                    .y = shepard_doubles(y)};
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LIST,
                                            .count = TARGETS,
                                            .x = shepard_doubles(to_x),
                                            .y = shepard_doubles(to_y)};
    const struct shepard_array column = shepard_doubles(z);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    struct shepard_validation validation;
    struct shepard_holdout *holdout = NULL;
    struct shepard_error error = {.message = ""};
    shepard_points_options_init(&options);
    options.threads = 1;
    shepard_validation_init(&validation);
    validation.kind = kind;
    validation.targets = &targets;
    /* Each target once. */
    validation.samples = kind == SHEPARD_VALIDATION_STARS ? TARGETS : 0;
    check(shepard_holdout_create(&coordinates, &values, &options, &validation, NULL, &holdout,
                                 &error) == SHEPARD_OK,
          "%s", error.message);
    return holdout;
}

static double find_ratio(struct shepard_holdout *holdout, const char *text)
{
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    struct shepard_error error = {.message = ""};
    double ratio = NAN;
    shepard_points_options_init(&options);
    check(shepard_parameters_parse(text, &parameters, &options, &error) == SHEPARD_OK &&
              shepard_holdout_find_sd_ratio(holdout, &parameters, &options, &ratio, NULL, &error) ==
                  SHEPARD_OK,
          "%s: %s", text, error.message);
    return ratio;
}

static double nearest_of_target(size_t t)
{
    double nearest = INFINITY;
    for (size_t i = 0; i < POINTS; i++)
        nearest = fmin(nearest, hypot(x[i] - to_x[t], y[i] - to_y[t]));
    return nearest;
}

/* Kriging from one datum at distance h has twice the semivariance of h. */
static void check_nearest(double unit)
{
    check_case("nearest datum, unit %g", unit);
    const double range = shepard_random_magnitude(&chance, 2, 20);
    const double nugget = shepard_random_magnitude(&chance, 0.01, 1);
    char text[200];
    draw(unit);
    struct shepard_holdout *holdout = hold_out(SHEPARD_VALIDATION_STARS);
    struct shepard_holdout_info info = {.size = sizeof info};
    shepard_holdout_get_info(holdout, &info);
    snprintf(text, sizeof text,
             "krige:k=1:model=exponential:psill=1:range=%.17g:nugget=%.17g:sd=local", range,
             nugget);
    double at_targets = 0, held_out = 0;
    for (size_t t = 0; t < TARGETS; t++)
        at_targets += nugget + 1 - exp(-nearest_of_target(t) / range);
    for (size_t i = 0; i < info.count; i++)
        held_out += nugget + 1 - exp(-info.nearest[i] / range);
    const double want = sqrt(at_targets / TARGETS / (held_out / (double)info.count));
    check_near(find_ratio(holdout, text), want, 1e-9 * want, "ratio");
    shepard_holdout_free(holdout);
}

/* Values have no part in it. */
static void check_values(void)
{
    static const char text[] = "krige:k=9:model=exponential:psill=1:range=9:nugget=0.1:sd=local";
    double ratios[2];
    check_case("values");
    draw(1);
    for (size_t r = 0; r < 2; r++) {
        struct shepard_holdout *holdout = hold_out(SHEPARD_VALIDATION_STARS);
        ratios[r] = find_ratio(holdout, text);
        shepard_holdout_free(holdout);
        for (size_t i = 0; i < POINTS; i++)
            z[i] *= shepard_random_normal(&chance);
    }
    check_near(ratios[1], ratios[0], 1e-12, "ratio");
}

/* The error that a tuning states is times the ratio, of stars alone. */
static void check_tuning(enum shepard_validation_kind kind)
{
    static const char *const given[] = {"idw:k=9"};
    struct shepard_tuning tuning;
    struct shepard_tuning_result result = {.size = sizeof result};
    struct shepard_error error = {.message = ""};
    check_case("tuning, kind %d", (int)kind);
    draw(1);
    struct shepard_holdout *holdout = hold_out(kind);
    shepard_tuning_init(&tuning);
    tuning.candidates = given;
    tuning.candidate_count = 1;
    check(shepard_tune(holdout, &tuning, &result, NULL, &error) == SHEPARD_OK, "%s", error.message);
    check((result.sd_ratio != 1) == (kind == SHEPARD_VALIDATION_STARS) && result.sd_ratio > 0.2 &&
              result.sd_ratio < 5,
          "ratio %g", result.sd_ratio);
    check_near(result.honest_rmse, result.sd_ratio * result.scores.rmse, 1e-12, "honest RMSE");
    shepard_holdout_free(holdout);
}

int main(int count, char **arguments)
{
    const uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 20161125;
    chance.state = seed;
    printf("seed %llu\n", (unsigned long long)seed);
    check_nearest(1);
    check_nearest(0x1p-600);
    check_values();
    check_tuning(SHEPARD_VALIDATION_STARS);
    check_tuning(SHEPARD_VALIDATION_LEAVE_ONE_OUT);
    return check_finish("sd_ratio");
}
