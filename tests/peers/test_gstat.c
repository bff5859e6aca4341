/* SPDX-License-Identifier: MIT */
/* test_gstat FOLDER VALUES plane|space|sphere: the library against R on the Meuse zinc data, in the
 * plane and in space against gstat (gstat_idw.R, gstat_idw_space.R), on a sphere against the
 * formula (sphere_idw.R). */
#include "check.h"
#include "shepard/shepard.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCURACY 1e-12     /* relative */
#define VERTICAL_FACTOR 40 /* of elevations in gstat_idw_space.R */
#define SKIPPED 77         /* the status that ctest reads as skipped */

/* One line of VALUES. */
struct prediction {
    double power, nmax, maxdist, x, y, z; /* nmax, maxdist INFINITY: no limit; z in space only */
    double zinc;                          /* NaN: none */
};

static bool read_prediction(FILE *file, enum shepard_metric metric, struct prediction *want)
{
    char line[300], zinc[40] = "";
    int used = 0;
    if (fgets(line, sizeof line, file) == NULL)
        return false;
    int fields = sscanf(line, "%lf,%lf,%lf,%lf,%lf,%n", &want->power, &want->nmax, &want->maxdist,
                        &want->x, &want->y, &used);
    if (metric == SHEPARD_METRIC_SPACE)
        fields += sscanf(line + used, "%lf,%39s", &want->z, zinc);
    else
        fields += sscanf(line + used, "%39s", zinc);
    want->zinc = strcmp(zinc, "NA") == 0 ? NAN : strtod(zinc, NULL);
    return check(fields == (metric == SHEPARD_METRIC_SPACE ? 7 : 6), "a line of predictions: %s",
                 line);
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

/* The Meuse points. */
struct samples {
    enum shepard_metric metric;
    struct table zinc, elevation; /* z is the value */
};

/* One of a backend. */
struct zinc_field {
    struct shepard_points *points;
    struct shepard_field *field;
};

static struct zinc_field field_make(const struct samples *samples, enum shepard_backend backend)
{
    const struct shepard_array column = shepard_doubles(samples->zinc.z);
    struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                              .count = samples->zinc.n,
                                              .x = shepard_doubles(samples->zinc.x),
                                              .y = shepard_doubles(samples->zinc.y)};
    if (samples->metric == SHEPARD_METRIC_SPACE)
        coordinates.z = shepard_doubles(samples->elevation.z);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    options.backend = backend;
    options.metric = samples->metric;
    if (samples->metric == SHEPARD_METRIC_SPACE)
        options.vertical_factor = VERTICAL_FACTOR;
    struct zinc_field made = {0};
    struct shepard_error error = {0};
    check(shepard_points_create(&coordinates, &options, &made.points, &error) == SHEPARD_OK &&
              shepard_field_create(made.points, &values, &made.field, &error) == SHEPARD_OK,
          "no field: %s", error.message);
    return made;
}

static double predict(const struct shepard_field *field, enum shepard_metric metric,
                      const struct prediction *want)
{
    double value = -1;
    const struct shepard_output_array predicted = shepard_output_doubles(&value);
    struct shepard_targets targets = {.size = sizeof targets,
                                      .kind = SHEPARD_TARGETS_LIST,
                                      .count = 1,
                                      .x = shepard_doubles(&want->x),
                                      .y = shepard_doubles(&want->y)};
    if (metric == SHEPARD_METRIC_SPACE)
        targets.z = shepard_doubles(&want->z);
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
    enum shepard_metric metric;
    size_t count;
    const char *names[BACKENDS_MAX];
    struct zinc_field fields[BACKENDS_MAX];
};

static struct backends backends_make(const struct samples *samples)
{
    struct backends backends = {.metric = samples->metric};
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
        const double got = predict(backends->fields[b].field, backends->metric, want);
        check_near(got, want->zinc, ACCURACY * want->zinc, "zinc");
        if (!isnan(want->zinc))
            check_measure("relative difference from R", fabs(got / want->zinc - 1));
    }
}

static bool read_metric(const char *name, enum shepard_metric *metric)
{
    static const char *const names[] = {[SHEPARD_METRIC_PLANE] = "plane",
                                        [SHEPARD_METRIC_SPHERE] = "sphere",
                                        [SHEPARD_METRIC_SPACE] = "space"};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *metric = (enum shepard_metric)i;
            return true;
        }
    return false;
}

/* As sphere_idw.R spreads them over the Earth. */
static void spread_over_sphere(struct table *points)
{
    for (size_t i = 0; i < points->n; i++) {
        points->x[i] = (points->x[i] - 180000) / 8;
        points->y[i] = (points->y[i] - 331600) / 26;
    }
}

static bool read_samples(const char *folder, struct samples *samples)
{
    if (!table_read(folder, "meuse/meuse.csv", "zinc", NULL, 0, &samples->zinc))
        return false;
    if (!table_read(folder, "meuse/meuse.csv", "elev", NULL, 0, &samples->elevation)) {
        table_free(&samples->zinc);
        return false;
    }
    check(samples->zinc.n == 155 && samples->elevation.n == 155, "%zu of the 155 Meuse points",
          samples->zinc.n);
    if (samples->metric == SHEPARD_METRIC_SPHERE)
        spread_over_sphere(&samples->zinc);
    return true;
}

static void compare_all(const struct samples *samples, FILE *file)
{
    char header[100];
    struct prediction want;
    struct backends backends = backends_make(samples);
    size_t lines = 0;
    check(fgets(header, sizeof header, file) != NULL, "no header");
    for (; read_prediction(file, samples->metric, &want); lines++)
        compare(&backends, &want);
    backends_free(&backends);
    check(lines >= 700, "only %zu predictions of R", lines);
}

int main(int count, char **arguments)
{
    struct samples samples;
    if (count != 4 || !read_metric(arguments[3], &samples.metric)) {
        puts("usage: test_gstat FOLDER VALUES plane|space|sphere");
        return 2;
    }
    if (!read_samples(arguments[1], &samples)) {
        printf("skipped: %s/meuse/meuse.csv is not there\n", arguments[1]);
        return SKIPPED;
    }
    FILE *file = fopen(arguments[2], "r");
    if (check(file != NULL, "no %s", arguments[2])) {
        compare_all(&samples, file);
        fclose(file);
    }
    table_free(&samples.zinc);
    table_free(&samples.elevation);
    return check_finish("gstat");
}
