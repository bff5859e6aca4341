/* SPDX-License-Identifier: MIT */
/* test_gstat DATA VALUES: the library against R's gstat on the Meuse zinc data (gstat_idw.R). */
#include "check.h"
#include "shepard/shepard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 1000
#define ACCURACY 1e-12 /* relative */
#define SKIPPED 77     /* the status that ctest reads as skipped */

struct samples {
    size_t n;
    double x[POINTS_MAX], y[POINTS_MAX], zinc[POINTS_MAX];
};

/* One line of VALUES. */
struct prediction {
    double power, nmax, maxdist, x, y, zinc; /* nmax, maxdist INFINITY: no limit; zinc NaN: none */
};

static bool read_samples(const char *path, struct samples *samples)
{
    char line[500];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    bool good = fgets(line, sizeof line, file) != NULL && strncmp(line, "x,y,zinc,", 9) == 0;
    while (good && fgets(line, sizeof line, file) != NULL && samples->n < POINTS_MAX) {
        const size_t i = samples->n++;
        good = sscanf(line, "%lf,%lf,%lf,", &samples->x[i], &samples->y[i], &samples->zinc[i]) == 3;
    }
    fclose(file);
    check(good && samples->n == 155, "%s has %zu of the 155 Meuse points", path, samples->n);
    return good;
}

static bool read_prediction(FILE *file, struct prediction *want)
{
    char line[300], zinc[40];
    if (fgets(line, sizeof line, file) == NULL)
        return false;
    const int fields = sscanf(line, "%lf,%lf,%lf,%lf,%lf,%39s", &want->power, &want->nmax,
                              &want->maxdist, &want->x, &want->y, zinc);
    want->zinc = strcmp(zinc, "NA") == 0 ? NAN : strtod(zinc, NULL);
    return check(fields == 6, "a line of predictions: %s", line);
}

static double predict(const struct samples *samples, const struct prediction *want,
                      enum shepard_backend backend)
{
    const double *const columns[] = {samples->zinc};
    const struct shepard_data data = {
        .count = samples->n, .x = samples->x, .y = samples->y, .columns = 1, .values = columns};
    struct shepard_options options;
    shepard_options_init(&options);
    options.backend = backend;
    options.precision = SHEPARD_DOUBLE;
    options.eps = 0;
    options.power = want->power;
    options.neighbourhood.max_points = isinf(want->nmax) ? 0 : (size_t)want->nmax;
    if (isfinite(want->maxdist))
        options.neighbourhood.radius1 = options.neighbourhood.radius2 = want->maxdist;
    struct shepard_model *model = NULL;
    struct shepard_error error = {0};
    double value = -1;
    double *const values[] = {&value};
    const struct shepard_targets targets = {1, &want->x, &want->y};
    const struct shepard_output output = {.values = values};
    check(shepard_model_create(&data, &options, &model, &error) == SHEPARD_OK &&
              shepard_predict_points(model, &targets, &output, NULL, &error) == SHEPARD_OK,
          "no prediction: %s", error.message);
    shepard_model_free(model);
    return value;
}

static void compare(const struct samples *samples, const struct prediction *want)
{
    struct shepard_backend_info info;
    for (size_t b = 0; shepard_backend_get_info(b, &info); b++) {
        if (!info.usable)
            continue;
        check_case("%s: power %g nmax %g maxdist %g at %.17g %.17g", info.name, want->power,
                   want->nmax, want->maxdist, want->x, want->y);
        const double got = predict(samples, want, info.backend);
        check_near(got, want->zinc, ACCURACY * want->zinc, "zinc");
        if (!isnan(want->zinc))
            check_measure("relative difference from gstat", fabs(got / want->zinc - 1));
    }
}

int main(int count, char **arguments)
{
    static struct samples samples;
    char header[100];
    if (count != 3) {
        puts("usage: test_gstat DATA VALUES");
        return 2;
    }
    if (!read_samples(arguments[1], &samples)) {
        printf("skipped: there is no %s\n", arguments[1]);
        return SKIPPED;
    }
    FILE *file = fopen(arguments[2], "r");
    if (!check(file != NULL && fgets(header, sizeof header, file) != NULL, "no %s", arguments[2]))
        return check_finish("gstat");
    struct prediction want;
    size_t lines = 0;
    for (; read_prediction(file, &want); lines++)
        compare(&samples, &want);
    fclose(file);
    check(lines >= 1000, "only %zu predictions of gstat", lines);
    return check_finish("gstat");
}
