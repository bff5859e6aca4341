/* SPDX-License-Identifier: MIT */
/* test_gstat FOLDER VALUES: the library against R's gstat on the Meuse zinc data (gstat_idw.R). */
#include "check.h"
#include "shepard/shepard.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCURACY 1e-12 /* relative */
#define SKIPPED 77     /* the status that ctest reads as skipped */

/* One line of VALUES. */
struct prediction {
    double power, nmax, maxdist, x, y, zinc; /* nmax, maxdist INFINITY: no limit; zinc NaN: none */
};

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

static struct shepard_parameters parameters_of(const struct prediction *want)
{
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.precision = SHEPARD_PRECISION_DOUBLE;
    parameters.eps = 0;
    parameters.power = want->power;
    parameters.neighbourhood.max_points = isinf(want->nmax) ? 0 : (size_t)want->nmax;
    if (isfinite(want->maxdist))
        parameters.neighbourhood.radius1 = parameters.neighbourhood.radius2 = want->maxdist;
    return parameters;
}

/* One of a backend. */
struct zinc_field {
    struct shepard_points *points;
    struct shepard_field *field;
};

static struct zinc_field field_make(const struct table *samples, enum shepard_backend backend)
{
    const struct shepard_array column = shepard_doubles(samples->z);
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = samples->n,
                                                    .x = shepard_doubles(samples->x),
                                                    .y = shepard_doubles(samples->y)};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    options.backend = backend;
    struct zinc_field made = {0};
    struct shepard_error error = {0};
    check(shepard_points_create(&coordinates, &options, &made.points, &error) == SHEPARD_OK &&
              shepard_field_create(made.points, &values, &made.field, &error) == SHEPARD_OK,
          "no field: %s", error.message);
    return made;
}

static double predict(const struct shepard_field *field, const struct prediction *want)
{
    double value = -1;
    const struct shepard_output_array predicted = shepard_output_doubles(&value);
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LIST,
                                            .count = 1,
                                            .x = shepard_doubles(&want->x),
                                            .y = shepard_doubles(&want->y)};
    const struct shepard_output output = {.size = sizeof output, .values = &predicted};
    const struct shepard_parameters parameters = parameters_of(want);
    struct shepard_error error = {0};
    check(shepard_predict(field, &parameters, &targets, &output, NULL, &error) == SHEPARD_OK,
          "no prediction: %s", error.message);
    return value;
}

/* Each backend that can be used predicts with the parameters of each line. */
#define BACKENDS_MAX 8

struct backends {
    size_t count;
    const char *names[BACKENDS_MAX];
    struct zinc_field fields[BACKENDS_MAX];
};

static struct backends backends_make(const struct table *samples)
{
    struct backends backends = {0};
    struct shepard_backend_info info;
    for (size_t b = 0; shepard_backend_get_info(b, &info); b++)
        if (info.usable && backends.count < BACKENDS_MAX) {
            backends.names[backends.count] = info.name;
            backends.fields[backends.count++] = field_make(samples, info.backend);
        }
    return backends;
}

static void backends_free(struct backends *backends)
{
    for (size_t b = 0; b < backends->count; b++) {
        shepard_field_free(backends->fields[b].field);
        shepard_points_free(backends->fields[b].points);
    }
}

static void compare(const struct backends *backends, const struct prediction *want)
{
    for (size_t b = 0; b < backends->count; b++) {
        check_case("%s: power %g nmax %g maxdist %g at %.17g %.17g", backends->names[b],
                   want->power, want->nmax, want->maxdist, want->x, want->y);
        const double got = predict(backends->fields[b].field, want);
        check_near(got, want->zinc, ACCURACY * want->zinc, "zinc");
        if (!isnan(want->zinc))
            check_measure("relative difference from gstat", fabs(got / want->zinc - 1));
    }
}

int main(int count, char **arguments)
{
    struct table samples;
    char header[100];
    if (count != 3) {
        puts("usage: test_gstat FOLDER VALUES");
        return 2;
    }
    if (!table_read(arguments[1], "meuse/meuse.csv", "zinc", NULL, 0, &samples)) {
        printf("skipped: %s/meuse/meuse.csv is not there\n", arguments[1]);
        return SKIPPED;
    }
    check(samples.n == 155, "%zu of the 155 Meuse points", samples.n);
    FILE *file = fopen(arguments[2], "r");
    if (!check(file != NULL && fgets(header, sizeof header, file) != NULL, "no %s", arguments[2]))
        return check_finish("gstat");
    struct prediction want;
    struct backends backends = backends_make(&samples);
    size_t lines = 0;
    for (; read_prediction(file, &want); lines++)
        compare(&backends, &want);
    backends_free(&backends);
    fclose(file);
    table_free(&samples);
    check(lines >= 1000, "only %zu predictions of gstat", lines);
    return check_finish("gstat");
}
