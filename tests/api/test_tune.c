/* SPDX-License-Identifier: MIT */
/* test_tune [SEED]: what a tuning tries and chooses, against validations of the same texts. */
#include "check.h"

#include "base/random.h"
#include "shepard/shepard_tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 250
#define TRIALS_MAX 256
#define PI 3.14159265358979323846

static struct shepard_random chance;

struct data {
    double x[POINTS], y[POINTS], z[POINTS];
};

/* The trials of one search. */
struct trials {
    char texts[TRIALS_MAX][512];
    double rmse[TRIALS_MAX];
    bool best[TRIALS_MAX];
    size_t count, failed;
    size_t stop_after; /* 0: never */
};

static bool collect(const struct shepard_trial *trial, void *user)
{
    struct trials *trials = user;
    check(trial->number == trials->count, "trial %zu comes as %zu", trial->number, trials->count);
    snprintf(trials->texts[trials->count], sizeof trials->texts[0], "%s", trial->text);
    trials->rmse[trials->count] = trial->scores != NULL ? trial->scores->rmse : INFINITY;
    check((trial->status == SHEPARD_OK) == (trial->scores != NULL), "%s: status %d", trial->text,
          (int)trial->status);
    trials->failed += trial->status != SHEPARD_OK;
    trials->best[trials->count++] = trial->best;
    return trials->count != trials->stop_after;
}

/* Waves that run along an angle, with noise. */
static struct data make_data(double angle, double noise)
{
    struct data data;
    for (size_t i = 0; i < POINTS; i++) {
        data.x[i] = 100 * shepard_random_uniform(&chance);
        data.y[i] = 100 * shepard_random_uniform(&chance);
        const double across = data.y[i] * cos(angle) - data.x[i] * sin(angle);
        data.z[i] = sin(across / 8) + noise * shepard_random_normal(&chance);
    }
    return data;
}

static struct shepard_holdout *hold_out(const struct data *data, int threads)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = POINTS,
                                                    .x = shepard_doubles(data->x),
                                                    .y = shepard_doubles(data->y)};
    const struct shepard_array column = shepard_doubles(data->z);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    struct shepard_validation validation;
    struct shepard_holdout *holdout = NULL;
    struct shepard_error error = {.message = ""};
    shepard_points_options_init(&options);
    shepard_validation_init(&validation);
    options.threads = threads;
    check(shepard_holdout_create(&coordinates, &values, &options, &validation, NULL, &holdout,
                                 &error) == SHEPARD_OK,
          "%s", error.message);
    return holdout;
}

static struct shepard_tuning tuning_of(struct trials *trials)
{
    struct shepard_tuning tuning;
    shepard_tuning_init(&tuning);
    *trials = (struct trials){.count = 0};
    tuning.trial = collect;
    tuning.user = trials;
    return tuning;
}

/* values: NULL, or [POINTS]. */
static double validate_to(struct shepard_holdout *holdout, const char *text, double *values)
{
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    struct shepard_validation_result result = {.size = sizeof result, .values = values};
    struct shepard_error error = {.message = ""};
    shepard_points_options_init(&options);
    check(shepard_parameters_parse(text, &parameters, &options, &error) == SHEPARD_OK, "%s",
          error.message);
    parameters.nodata = NAN;
    check(shepard_holdout_validate(holdout, &parameters, &options, &result, NULL, &error) ==
              SHEPARD_OK,
          "%s: %s", text, error.message);
    return result.scores.rmse;
}

static double validate(struct shepard_holdout *holdout, const char *text)
{
    return validate_to(holdout, text, NULL);
}

/* Standard error of the difference of two mean squared errors, by the scatter of the data. */
static double difference_error(struct shepard_holdout *holdout, const char *a, const char *b)
{
    static double values[2][POINTS];
    struct shepard_holdout_info info = {.size = sizeof info};
    double sum = 0, squares = 0;
    validate_to(holdout, a, values[0]);
    validate_to(holdout, b, values[1]);
    shepard_holdout_get_info(holdout, &info);
    const double n = (double)info.count;
    for (size_t i = 0; i < info.count; i++) {
        const double to = info.observed[i], d = (values[0][i] - to) * (values[0][i] - to) -
                                                (values[1][i] - to) * (values[1][i] - to);
        sum += d;
        squares += d * d;
    }
    return sqrt((squares - sum * sum / n) / (n * n));
}

static size_t trial_of(const struct trials *trials, const char *text)
{
    size_t i = 0;
    while (i < trials->count && strcmp(trials->texts[i], text) != 0)
        i++;
    return i;
}

/* Each trial is the validation of its text; none is clearly better than the choice. Twice the
 * margin leaves room for the scatter of the parts by which the library finds its own. */
static void check_choice(void)
{
    const struct data data = make_data(0.5 * PI * shepard_random_uniform(&chance), 0.1);
    struct shepard_holdout *holdout = hold_out(&data, 1);
    static struct trials trials;
    const struct shepard_tuning tuning = tuning_of(&trials);
    struct shepard_tuning_result result = {.size = sizeof result};
    struct shepard_error error = {.message = ""};
    check_case("choice");
    check(shepard_tune(holdout, &tuning, &result, NULL, &error) == SHEPARD_OK, "%s", error.message);
    size_t best = 0;
    for (size_t i = 0; i < trials.count; i++) {
        const double want = validate(holdout, trials.texts[i]);
        check(fabs(trials.rmse[i] - want) <= 1e-9 * want, "%s: %.12g, not %.12g", trials.texts[i],
              trials.rmse[i], want);
        for (size_t k = 0; k < i; k++)
            check(strcmp(trials.texts[i], trials.texts[k]) != 0, "%s twice", trials.texts[i]);
        best = trials.rmse[i] < trials.rmse[best] ? i : best;
    }
    check(trials.count == result.trials && trials.count >= 60 && result.complete,
          "%zu trials of %zu", trials.count, result.trials);
    const size_t chosen = trial_of(&trials, result.text);
    check(chosen < trials.count && trials.best[chosen] && result.scores.rmse == trials.rmse[chosen],
          "choice %s, rmse %g", result.text, result.scores.rmse);
    const double margin = 4 * difference_error(holdout, result.text, trials.texts[best]);
    const double least = trials.rmse[best] * trials.rmse[best];
    check(result.scores.rmse * result.scores.rmse <= least + margin, "choice %s, not %s: %g and %g",
          result.text, trials.texts[best], result.scores.rmse, trials.rmse[best]);
    check(result.honest_rmse >= 0.9 * result.scores.rmse &&
              result.honest_rmse < 2 * result.scores.rmse,
          "honest %g of %g", result.honest_rmse, result.scores.rmse);
    shepard_holdout_free(holdout);
}

/* The sd of a choice of kriging fits its errors: they are one sd, in the mean square. */
static void check_slope(void)
{
    const struct data data = make_data(0, 0.05);
    struct shepard_holdout *holdout = hold_out(&data, 1);
    static struct trials trials;
    struct shepard_tuning tuning = tuning_of(&trials);
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    struct shepard_tuning_result result = {
        .size = sizeof result, .parameters = &parameters, .options = &options};
    struct shepard_error error = {.message = ""};
    static double values[POINTS], sds[POINTS];
    struct shepard_validation_result again = {.size = sizeof again, .values = values, .sds = sds};
    check_case("slope");
    shepard_points_options_init(&options);
    tuning.points_min = tuning.points_max = 12; /* no neighbourhood of a fitted covariance */
    trials.stop_after = 1;
    check(shepard_tune(holdout, &tuning, &result, NULL, &error) == SHEPARD_OK, "%s", error.message);
    check(parameters.method == SHEPARD_METHOD_KRIGE && !result.complete, "first: %s", result.text);
    check(shepard_holdout_validate(holdout, &parameters, &options, &again, NULL, &error) ==
              SHEPARD_OK,
          "%s", error.message);
    double sum = 0;
    for (size_t i = 0; i < POINTS; i++)
        sum += pow((values[i] - data.z[i]) / sds[i], 2);
    check_near(sum / POINTS, 1, 1e-3, "mean square of errors in sd");
    check_near(again.scores.crps, result.scores.crps, 1e-9, "crps");
    shepard_holdout_free(holdout);
}

/* The covariance is fitted once; a text of kriging without numbers gets its own, complete. */
static void check_fitted(void)
{
    static const char *const given[] = {"krige:k=16:psill=auto:nodata=7"};
    const struct data data = make_data(0.4, 0.2);
    struct shepard_holdout *holdout = hold_out(&data, 1);
    static struct trials trials;
    struct shepard_tuning tuning = tuning_of(&trials);
    struct shepard_tuning_result result = {.size = sizeof result};
    struct shepard_error error = {.message = ""};
    check_case("fitted");
    trials.stop_after = 4;
    check(shepard_tune(holdout, &tuning, &result, NULL, &error) == SHEPARD_OK, "%s", error.message);
    const char *first = strstr(trials.texts[0], ":model=stable");
    check(first != NULL &&
              strncmp(trials.texts[0], "krige:sectors=8:max_points_per_sector=2:", 40) == 0,
          "%s", trials.texts[0]);
    for (size_t i = 1; i < trials.count && first != NULL; i++) {
        const char *fit = strstr(trials.texts[i], ":model=stable");
        check(fit != NULL && strcmp(fit, first) == 0, "%s", trials.texts[i]);
    }
    const double nearest16 = trials.rmse[2];
    check(strncmp(trials.texts[2], "krige:k=16:", 11) == 0, "%s", trials.texts[2]);
    tuning = tuning_of(&trials);
    tuning.candidates = given;
    tuning.candidate_count = 1;
    check(shepard_tune(holdout, &tuning, &result, NULL, &error) == SHEPARD_OK, "%s", error.message);
    check(strstr(result.text, "psill=auto") == NULL && strstr(result.text, "nodata") == NULL &&
              strstr(result.text, "k=16") != NULL,
          "%s", result.text);
    check(validate(holdout, result.text) == result.scores.rmse, "%s", result.text);
    /* Four digits change little. */
    check_near(result.scores.rmse, nearest16, 1e-3, "all digits");
    shepard_holdout_free(holdout);
}

/* Waves are found to run where they run. */
static void check_angle(void)
{
    const int degrees = (int)(180 * shepard_random_uniform(&chance));
    const struct data data = make_data(degrees * PI / 180, 0.01);
    struct shepard_holdout *holdout = hold_out(&data, 1);
    static struct trials trials;
    const struct shepard_tuning tuning = tuning_of(&trials);
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    struct shepard_tuning_result result = {
        .size = sizeof result, .parameters = &parameters, .options = &options};
    check_case("waves at %d degrees", degrees);
    shepard_points_options_init(&options);
    check(shepard_tune(holdout, &tuning, &result, NULL, NULL) == SHEPARD_OK, "tune");
    const double off = fabs(remainder(options.anisotropy_angle - degrees, 180));
    check(options.anisotropy_ratio > 1 && off <= 20, "%s", result.text);
    shepard_holdout_free(holdout);
}

/* Threads change nothing, and neither does a second run. */
static void check_same(void)
{
    const struct data data = make_data(1, 0.3);
    struct shepard_holdout *one = hold_out(&data, 1), *two = hold_out(&data, 2);
    static struct trials a, b;
    const struct shepard_tuning first = tuning_of(&a), second = tuning_of(&b);
    struct shepard_tuning_result x = {.size = sizeof x}, y = {.size = sizeof y};
    check_case("threads");
    check(shepard_tune(one, &first, &x, NULL, NULL) == SHEPARD_OK, "one");
    check(shepard_tune(two, &second, &y, NULL, NULL) == SHEPARD_OK, "two");
    check(a.count == b.count && strcmp(x.text, y.text) == 0 && x.honest_rmse == y.honest_rmse,
          "%zu %s, %zu %s", a.count, x.text, b.count, y.text);
    for (size_t i = 0; i < a.count && i < b.count; i++)
        check(strcmp(a.texts[i], b.texts[i]) == 0 && a.rmse[i] == b.rmse[i], "%s, %s", a.texts[i],
              b.texts[i]);
    shepard_holdout_free(one);
    shepard_holdout_free(two);
}

static void check_refused(struct shepard_holdout *holdout, const struct shepard_tuning *tuning,
                          const char *argument, const char *words)
{
    struct shepard_tuning_result result = {.size = sizeof result};
    struct shepard_error error = {.message = ""};
    const enum shepard_status status = shepard_tune(holdout, tuning, &result, NULL, &error);
    check(status == SHEPARD_ERROR_ARGUMENT && strcmp(error.argument, argument) == 0 &&
              strstr(error.message, words) != NULL,
          "%s: status %d, %s: %s", argument, (int)status, error.argument, error.message);
}

/* Candidates of the caller, limits, and what is wrong. */
static void check_limits(void)
{
    static const char *const given[] = {"idw:k=12", "idw:k=3:min_points=5", "idw:k=5:power=3"};
    static const char *const wrong[] = {"idv:k=12"};
    const struct data data = make_data(1, 0.3);
    struct shepard_holdout *holdout = hold_out(&data, 1);
    static struct trials trials;
    struct shepard_tuning tuning = tuning_of(&trials);
    struct shepard_tuning_result result = {.size = sizeof result};
    check_case("limits");
    tuning.candidates = given;
    tuning.candidate_count = 3;
    check(shepard_tune(holdout, &tuning, &result, NULL, NULL) == SHEPARD_OK, "given");
    check(trials.count == 3 && trials.failed == 1 && result.complete, "%zu, %zu failed",
          trials.count, trials.failed);
    tuning.candidates = wrong;
    tuning.candidate_count = 1;
    trials.count = 0;
    struct shepard_error error = {.message = ""};
    check(shepard_tune(holdout, &tuning, &result, NULL, &error) == SHEPARD_ERROR_ARGUMENT &&
              strstr(error.message, "idv") != NULL,
          "wrong: %s", error.message);
    tuning = tuning_of(&trials);
    trials.stop_after = 3;
    check(shepard_tune(holdout, &tuning, &result, NULL, NULL) == SHEPARD_OK && !result.complete &&
              result.trials == 3,
          "stopped after %zu", result.trials);
    tuning.seconds = 1e-9;
    check_refused(holdout, &tuning, "tuning.seconds", "too short for one trial");
    tuning.seconds = -1;
    check_refused(holdout, &tuning, "tuning.seconds", "-1");
    shepard_tuning_init(&tuning);
    tuning.power_min = 3;
    tuning.power_max = 2;
    check_refused(holdout, &tuning, "tuning.power_min", "smaller one first");
    shepard_tuning_init(&tuning);
    tuning.points_min = 40;
    check_refused(holdout, &tuning, "tuning.points_min", "smaller one first");
    /* Powers stay inside their limits. */
    tuning = tuning_of(&trials);
    tuning.power_min = 2.2;
    tuning.power_max = 2.6;
    check(shepard_tune(holdout, &tuning, &result, NULL, NULL) == SHEPARD_OK, "powers");
    for (size_t i = 0; i < trials.count; i++) {
        const char *power = strstr(trials.texts[i], "power=");
        check(power == NULL || (atof(power + 6) >= 2.2 && atof(power + 6) <= 2.6), "%s",
              trials.texts[i]);
    }
    shepard_holdout_free(holdout);
}

/* Values in units whose squares are no doubles have the choice of others, and texts that parse. */
static void check_units(void)
{
    static const char *const given[] = {"idw:k=12:power=1", "idw:k=5",
                                        "idw:sectors=4:k=8:degree=1"};
    static const double units[] = {1, 0x1p-600, 0x1p600};
    const struct data data = make_data(1, 0.2);
    struct shepard_tuning_result want = {.size = sizeof want};
    check_case("units");
    for (size_t u = 0; u < 3; u++) {
        struct data scaled = data;
        static struct trials trials;
        struct shepard_tuning tuning = tuning_of(&trials);
        struct shepard_parameters parameters;
        struct shepard_tuning_result result = {.size = sizeof result, .parameters = &parameters};
        struct shepard_error error = {.message = ""};
        for (size_t i = 0; i < POINTS; i++)
            scaled.z[i] *= units[u];
        struct shepard_holdout *holdout = hold_out(&scaled, 1);
        tuning.trial = NULL;
        check(shepard_tune(holdout, &tuning, &result, NULL, &error) == SHEPARD_OK, "%g: %s",
              units[u], error.message);
        tuning.candidates = given;
        tuning.candidate_count = 3;
        check(shepard_tune(holdout, &tuning, &result, NULL, &error) == SHEPARD_OK, "%s",
              error.message);
        if (u == 0)
            want = result;
        check(strcmp(result.text, want.text) == 0, "unit %g: %s, not %s", units[u], result.text,
              want.text);
        check(result.honest_rmse == units[u] * want.honest_rmse &&
                  result.scores.rmse == units[u] * want.scores.rmse,
              "unit %g: %g, not %g", units[u], result.honest_rmse, want.honest_rmse);
        shepard_holdout_free(holdout);
    }
}

int main(int count, char **arguments)
{
    const uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 20161123;
    chance.state = seed;
    printf("seed %llu\n", (unsigned long long)seed);
    check_choice();
    check_slope();
    check_fitted();
    check_angle();
    check_same();
    check_limits();
    check_units();
    return check_finish("tune");
}
