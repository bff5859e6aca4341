/* SPDX-License-Identifier: MIT */
/* test_planes_accuracy FOLDER: root mean square errors on open data sets, by leave-one-out or
 * against values that were held back. Damped planes of quadrants, and AIDW of octants, against the
 * mean of the 12 nearest points by squared distances. Sets that FOLDER lacks are skipped. */
#include "check.h"
#include "shepard/shepard.h"
#include "table.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SKIPPED 77 /* the status that ctest reads as skipped */

/* How much worse than the mean of the nearest a plane may be on any set. */
#define PLANE_WORST 1.04
/* The same for AIDW. */
#define AIDW_WORST 1.04

enum method { NEAREST_12, EXACT_PLANE_12, PLANE_4X2, AIDW_8X2, METHODS };

static const char *const methods[METHODS] = {
    [NEAREST_12] = "idw:k=12",
    [EXACT_PLANE_12] = "idw:k=12:degree=1:damping=0",
    [PLANE_4X2] = "idw:degree=1:sectors=4:max_points_per_sector=2",
    [AIDW_8X2] = "aidw:sectors=8:max_points_per_sector=2",
};

/* What is known, and what is predicted from it. */
struct set {
    const char *name, *file, *value;
    const char *truth;      /* a file of the values to predict; NULL: of the same file */
    unsigned known;         /* percent of the rows that are known; 0: leave-one-out */
    bool logarithm, ground; /* of the values; only returns of class 2 */
    double plane_most;      /* what the planes of quadrants may have, from trials; 0: not known */
};

static const struct set sets[] = {
    {"zinc", "meuse/meuse.csv", "zinc", NULL, 0, false, false, 226},
    {"log zinc", "meuse/meuse.csv", "zinc", NULL, 0, true, false, 0.395},
    {"altitude", "meuse/meuse_alt.csv", "alt", NULL, 0, false, false, 1.66},
    {"volcano", "volcano/volcano.csv", "z", NULL, 0, false, false, 0.625},
    {"mvk", "lidar/mvk_thin.csv", "z", NULL, 0, false, false, 22},
    {"walker", "walker/walker.csv", "v", "walker/walker_exhaustive.csv", 100, false, false, 149.5},
    {"volcano 10 %", "volcano/volcano.csv", "z", NULL, 10, false, false, 0},
    {"autzen", "lidar/autzen_trim.csv", "z", NULL, 80, false, true, 0},
};

/* ---- data ------------------------------------------------------------------------------------ */

static bool is_drawn(size_t row, unsigned percent)
{
    uint64_t hash = (row + 1) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (hash >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return (hash ^ (hash >> 32)) % 100 < percent;
}

/* Keeps the rows that are drawn by their number, or the others. */
static void keep_drawn(struct table *table, unsigned percent, bool drawn)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->n; i++) {
        if (is_drawn(i, percent) != drawn)
            continue;
        table->x[kept] = table->x[i];
        table->y[kept] = table->y[i];
        table->z[kept++] = table->z[i];
    }
    table->n = kept;
}

static bool read_rows(const char *folder, const char *file, const struct set *set,
                      struct table *table)
{
    const char *const where = set->ground ? "classification" : NULL;
    if (!table_read(folder, file, set->value, where, 2, table))
        return false;
    check(table->n > 0, "%s lacks one of its columns", file);
    for (size_t i = 0; set->logarithm && i < table->n; i++)
        table->z[i] = log(table->z[i]);
    return true;
}

/* The data, and the places to predict at: all of *data itself with leave-one-out. */
static bool read_set(const char *folder, const struct set *set, struct table *data,
                     struct table *places)
{
    *places = (struct table){0};
    if (!read_rows(folder, set->file, set, data))
        return false;
    if (set->known == 0)
        return true;
    if (!read_rows(folder, set->truth != NULL ? set->truth : set->file, set, places))
        return false;
    keep_drawn(data, set->known, true);
    if (set->truth == NULL)
        keep_drawn(places, set->known, false);
    return true;
}

/* ---- predictions ----------------------------------------------------------------------------- */

static struct shepard_targets targets_of(const struct table *places)
{
    struct shepard_targets targets = {.size = sizeof targets};
    targets.kind = places->n > 0 ? SHEPARD_TARGETS_LIST : SHEPARD_TARGETS_LEAVE_ONE_OUT;
    if (places->n > 0) {
        targets.count = places->n;
        targets.x = shepard_doubles(places->x);
        targets.y = shepard_doubles(places->y);
    }
    return targets;
}

static double error_of(const struct shepard_field *field, const char *method,
                       const struct table *places, const struct table *truth)
{
    struct shepard_parameters parameters;
    struct shepard_error error = {0};
    double *values = calloc(truth->n, sizeof *values), sum = 0;
    const struct shepard_output_array predicted = shepard_output_doubles(values);
    const struct shepard_output output = {.size = sizeof output, .values = &predicted};
    const struct shepard_targets targets = targets_of(places);
    check(shepard_parameters_parse(method, &parameters, NULL, &error) == SHEPARD_OK &&
              shepard_predict(field, &parameters, &targets, &output, NULL, &error) == SHEPARD_OK,
          "%s: %s", method, error.message);
    for (size_t i = 0; i < truth->n; i++) {
        const double off = values[i] - truth->z[i];
        sum += off * off;
    }
    free(values);
    return sqrt(sum / (double)truth->n);
}

static void errors_of(const struct table *data, const struct table *places, double errors[METHODS])
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = data->n,
                                                    .x = shepard_doubles(data->x),
                                                    .y = shepard_doubles(data->y)};
    const struct shepard_array column = shepard_doubles(data->z);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error = {0};
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    check(shepard_points_create(&coordinates, &options, &points, &error) == SHEPARD_OK &&
              shepard_field_create(points, &values, &field, &error) == SHEPARD_OK,
          "no field: %s", error.message);
    for (int m = 0; m < METHODS && field != NULL; m++)
        errors[m] = error_of(field, methods[m], places, places->n > 0 ? places : data);
    shepard_field_free(field);
    shepard_points_free(points);
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* Whether the set was there; adds the logarithms of errors over those of the nearest to logs. */
static bool try_set(const char *folder, const struct set *set, double logs[METHODS])
{
    struct table data, places;
    double errors[METHODS] = {0};
    const bool there = read_set(folder, set, &data, &places);
    if (there) {
        check_case("%s", set->name);
        errors_of(&data, &places, errors);
        printf("%-13s n %6zu", set->name, data.n);
        for (int m = 0; m < METHODS; m++) {
            printf("  %9.4f", errors[m]);
            logs[m] += log(errors[m] / errors[NEAREST_12]);
        }
        putchar('\n');
        check(errors[PLANE_4X2] <= PLANE_WORST * errors[NEAREST_12], "planes: %g, the nearest: %g",
              errors[PLANE_4X2], errors[NEAREST_12]);
        check(errors[AIDW_8X2] <= AIDW_WORST * errors[NEAREST_12], "AIDW: %g, the nearest: %g",
              errors[AIDW_8X2], errors[NEAREST_12]);
        check(set->plane_most == 0 || errors[PLANE_4X2] <= set->plane_most,
              "planes: %g, more than %g", errors[PLANE_4X2], set->plane_most);
    }
    table_free(&data);
    table_free(&places);
    return there;
}

int main(int count, char **arguments)
{
    double logs[METHODS] = {0};
    size_t tried = 0;
    if (count != 2) {
        puts("usage: test_planes_accuracy FOLDER");
        return 2;
    }
    for (int m = 0; m < METHODS; m++)
        printf("column %d: %s\n", m + 1, methods[m]);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        tried += try_set(arguments[1], &sets[i], logs);
    if (tried == 0)
        return SKIPPED;
    printf("geometric mean, relative to the first:");
    for (int m = 0; m < METHODS; m++)
        printf("  %.3f", exp(logs[m] / (double)tried));
    putchar('\n');
    check_case("all sets");
    check(logs[PLANE_4X2] < 0 && logs[AIDW_8X2] < 0, "no gain over the nearest");
    return check_finish("accuracy of planes and AIDW");
}
