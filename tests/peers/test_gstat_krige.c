/* SPDX-License-Identifier: MIT */
/* test_gstat_krige FOLDER VALUES: kriging against R's gstat on the Meuse zinc data (gstat_krige.R).
 */
#include "check.h"
#include "shepard/shepard.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGE 1726.0  /* of the values */
#define ACCURACY 1e-9 /* of the range, of the sill */
#define SKIPPED 77    /* the status that ctest reads as skipped */

/* One line of VALUES. */
struct line {
    char model[8], kind[16], nmax[8];
    double nugget, ratio, angle, x, y, zinc, variance;
};

/* gstat's name of a model, ours, and its parameters in gstat_krige.R. */
static const struct model {
    const char *name, *text;
    double range, p;
} models[] = {
    {"Exp", "exponential", 0.4, 1}, {"Sph", "spherical", 0.9, 1}, {"Mat", "matern32", 0.25, 1},
    {"Gau", "gaussian", 0.5, 1},    {"Exc", "stable", 0.5, 1.3},  {"Lin", "linear", 1, 1},
};

#define PSILL 130000.0
#define MEAN 470.0

static bool read_line(FILE *file, struct line *want)
{
    char text[300];
    if (fgets(text, sizeof text, file) == NULL)
        return false;
    const int fields = sscanf(text, "%7[^,],%lf,%lf,%lf,%15[^,],%7[^,],%lf,%lf,%lf,%lf",
                              want->model, &want->nugget, &want->ratio, &want->angle, want->kind,
                              want->nmax, &want->x, &want->y, &want->zinc, &want->variance);
    return check(fields == 10, "a line of predictions: %s", text);
}

/* The line's parameters, as a user writes them; gstat's angle is clockwise from north. */
static void parameters_of(const struct line *want, struct shepard_parameters *parameters,
                          struct shepard_points_options *options)
{
    char text[300];
    const struct model *model = models;
    while (strcmp(model->name, want->model) != 0)
        model++;
    snprintf(text, sizeof text,
             "krige:model=%s:psill=%.17g:range=%.17g:nugget=%.17g:kind=%s:sectors=1:k=%s:"
             "ratio=%.17g:angle=%.17g",
             model->text, PSILL, model->range, want->nugget, want->kind,
             strcmp(want->nmax, "Inf") == 0 ? "0" : want->nmax, want->ratio, 90 - want->angle);
    struct shepard_error error = {0};
    check(shepard_parameters_parse(text, parameters, options, &error) == SHEPARD_OK, "%s",
          error.message);
    if (parameters->kriging.covariance == SHEPARD_COVARIANCE_STABLE)
        parameters->kriging.p = model->p;
    if (parameters->kriging.kind == SHEPARD_KRIGING_SIMPLE)
        parameters->kriging.mean = MEAN;
}

struct answer {
    double zinc, sd;
};

static enum shepard_status predict(const struct table *meuse, const struct line *want,
                                   enum shepard_backend backend, struct answer *answer,
                                   struct shepard_error *error)
{
    struct shepard_points_options options;
    struct shepard_parameters parameters;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    shepard_points_options_init(&options);
    parameters_of(want, &parameters, &options);
    options.backend = backend;
    const struct shepard_array column = shepard_doubles(meuse->z);
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = meuse->n,
                                                    .x = shepard_doubles(meuse->x),
                                                    .y = shepard_doubles(meuse->y)};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    const struct shepard_output_array zinc = shepard_output_doubles(&answer->zinc);
    const struct shepard_output_array sd = shepard_output_doubles(&answer->sd);
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .kind = SHEPARD_TARGETS_LIST,
                                            .count = 1,
                                            .x = shepard_doubles(&want->x),
                                            .y = shepard_doubles(&want->y)};
    const struct shepard_output output = {.size = sizeof output, .values = &zinc, .sds = &sd};
    enum shepard_status status = shepard_points_create(&coordinates, &options, &points, error);
    if (status == SHEPARD_OK)
        status = shepard_field_create(points, &values, &field, error);
    if (status == SHEPARD_OK)
        status = shepard_predict(field, &parameters, &targets, &output, NULL, error);
    shepard_field_free(field);
    shepard_points_free(points);
    return status;
}

static void compare(const struct table *meuse, const struct line *want)
{
    struct shepard_backend_info info;
    for (size_t b = 0; shepard_backend_get_info(b, &info); b++) {
        struct shepard_error error = {0};
        struct answer got;
        if (!info.usable)
            continue;
        check_case("%s: %s nugget %g ratio %g %s nmax %s at %.17g %.17g", info.name, want->model,
                   want->nugget, want->ratio, want->kind, want->nmax, want->x, want->y);
        if (!check(predict(meuse, want, info.backend, &got, &error) == SHEPARD_OK,
                   "no prediction: %s", error.message))
            continue;
        check_near(got.zinc, want->zinc, ACCURACY * RANGE, "zinc");
        check_near(got.sd * got.sd, want->variance, ACCURACY * PSILL, "variance");
        check_measure("difference from gstat / range", fabs(got.zinc - want->zinc) / RANGE);
        check_measure("difference of the variance / sill",
                      fabs(got.sd * got.sd - want->variance) / PSILL);
    }
}

int main(int count, char **arguments)
{
    struct table meuse;
    char header[100];
    if (count != 3) {
        puts("usage: test_gstat_krige FOLDER VALUES");
        return 2;
    }
    if (!table_read(arguments[1], "meuse/meuse.csv", "zinc", NULL, 0, &meuse)) {
        printf("skipped: %s/meuse/meuse.csv is not there\n", arguments[1]);
        return SKIPPED;
    }
    check(meuse.n == 155, "%zu of the 155 Meuse points", meuse.n);
    for (size_t i = 0; i < meuse.n; i++) {
        meuse.x[i] = (meuse.x[i] - 180000) / 1000;
        meuse.y[i] = (meuse.y[i] - 330000) / 1000;
    }
    FILE *file = fopen(arguments[2], "r");
    if (!check(file != NULL && fgets(header, sizeof header, file) != NULL, "no %s", arguments[2]))
        return check_finish("gstat_krige");
    struct line want;
    size_t lines = 0;
    for (; read_line(file, &want); lines++)
        compare(&meuse, &want);
    fclose(file);
    table_free(&meuse);
    check(lines == 476, "%zu predictions of gstat, not 476", lines);
    return check_finish("gstat_krige");
}
