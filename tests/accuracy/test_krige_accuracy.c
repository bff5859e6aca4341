/* SPDX-License-Identifier: MIT */
/* test_krige_accuracy FOLDER [SEED]: root mean square errors of krige and no other key,
 * leave-one-out and on values that were held back, and how many lie within 1.96 sd. */
#include "check.h"
#include "table.h"

#include "base/random.h"
#include "shepard/shepard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SKIPPED 77
/* Random parts of a table that are held back, one after the other: errors differ by a tenth. */
#define SPLITS 4

/* What a run promises. */
struct bounds {
    const char *name;
    double rmse;        /* at most */
    double least_cover; /* part within 1.96 sd; at most 0.99 */
};

/* Of all runs of one name. */
struct errors {
    double squares, within;
    size_t targets;
};

static void add(struct errors *errors, const double *truth, const double *values, const double *sds,
                size_t m)
{
    for (size_t i = 0; i < m; i++) {
        const double error = values[i] - truth[i];
        errors->squares += error * error;
        errors->within += fabs(error) <= 1.96 * sds[i];
    }
    errors->targets += m;
}

static void check_errors(const struct bounds *bounds, const struct errors *errors)
{
    const double m = (double)errors->targets;
    const double rmse = sqrt(errors->squares / m), cover = errors->within / m;
    printf("%-20s %6zu targets: RMSE %.4g (at most %.4g), coverage %.3f\n", bounds->name,
           errors->targets, rmse, bounds->rmse, cover);
    check(rmse <= bounds->rmse, "%s: RMSE %g, not %g", bounds->name, rmse, bounds->rmse);
    check(cover >= bounds->least_cover && cover <= 0.99, "%s: coverage %g", bounds->name, cover);
}

/* truth NULL: leave-one-out. */
static void run(const struct table *data, const struct table *truth, struct errors *errors)
{
    const size_t m = truth != NULL ? truth->n : data->n;
    const struct shepard_array column = shepard_doubles(data->z);
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = data->n,
                                                    .x = shepard_doubles(data->x),
                                                    .y = shepard_doubles(data->y)};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    const struct shepard_fit_data fit = {
        .size = sizeof fit, .coordinates = &coordinates, .values = &values};
    struct shepard_targets targets = {.size = sizeof targets,
                                      .kind = SHEPARD_TARGETS_LEAVE_ONE_OUT};
    if (truth != NULL)
        targets = (struct shepard_targets){.size = sizeof targets,
                                           .count = m,
                                           .x = shepard_doubles(truth->x),
                                           .y = shepard_doubles(truth->y)};
    double *predicted = calloc(m, sizeof *predicted), *sds = calloc(m, sizeof *sds);
    if (predicted == NULL || sds == NULL)
        exit(2);
    const struct shepard_output_array to = shepard_output_doubles(predicted);
    const struct shepard_output_array to_sds = shepard_output_doubles(sds);
    const struct shepard_output output = {.size = sizeof output, .values = &to, .sds = &to_sds};
    struct shepard_points_options options;
    struct shepard_parameters parameters;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_error error = {0};
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    enum shepard_status status = shepard_parameters_parse("krige", &parameters, &options, &error);
    if (status == SHEPARD_OK)
        status = shepard_fit(&fit, &parameters, &options, NULL, NULL, &error);
    if (status == SHEPARD_OK)
        status = shepard_points_create(&coordinates, &options, &points, &error);
    if (status == SHEPARD_OK)
        status = shepard_field_create(points, &values, &field, &error);
    if (status == SHEPARD_OK)
        status = shepard_predict(field, &parameters, &targets, &output, NULL, &error);
    if (check(status == SHEPARD_OK, "%s", error.message))
        add(errors, truth != NULL ? truth->z : data->z, predicted, sds, m);
    shepard_field_free(field);
    shepard_points_free(points);
    free(predicted);
    free(sds);
}

static void swap(double *a, size_t i, size_t j)
{
    const double kept = a[i];
    a[i] = a[j];
    a[j] = kept;
}

static void shuffle(struct table *table, struct shepard_random *random)
{
    for (size_t i = 0; i + 1 < table->n; i++) {
        const size_t j = i + (size_t)(shepard_random_bits(random) % (table->n - i));
        swap(table->x, i, j);
        swap(table->y, i, j);
        swap(table->z, i, j);
    }
}

/* A random part of a table is the data, the rest is the truth. */
static void hold_back(const struct bounds *bounds, struct table *all, double part, uint64_t seed)
{
    struct shepard_random random = {seed};
    struct errors errors = {0};
    const size_t n = (size_t)nearbyint(part * (double)all->n);
    for (int split = 0; split < SPLITS; split++) {
        shuffle(all, &random);
        const struct table data = {n, all->x, all->y, all->z};
        const struct table rest = {all->n - n, all->x + n, all->y + n, all->z + n};
        run(&data, &rest, &errors);
    }
    check_errors(bounds, &errors);
}

static void predict_once(const struct bounds *bounds, const struct table *data,
                         const struct table *truth)
{
    struct errors errors = {0};
    run(data, truth, &errors);
    check_errors(bounds, &errors);
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* Leave-one-out; false: skipped. */
static bool try_left_out(const struct bounds *bounds, const char *folder, const char *file,
                         const char *value)
{
    struct table data;
    const bool there = table_read(folder, file, value, NULL, 2, &data);
    if (there)
        predict_once(bounds, &data, NULL);
    table_free(&data);
    return there;
}

static bool try_part(const struct bounds *bounds, const char *folder, const char *file,
                     const char *where, double part, uint64_t seed)
{
    struct table all;
    const bool there = table_read(folder, file, "z", where, 2, &all);
    if (there)
        hold_back(bounds, &all, part, seed);
    table_free(&all);
    return there;
}

static bool try_walker(const struct bounds *bounds, const char *folder)
{
    struct table data, truth = {0};
    const bool there = table_read(folder, "walker/walker.csv", "v", NULL, 2, &data) &&
                       table_read(folder, "walker/walker_exhaustive.csv", "v", NULL, 2, &truth);
    if (there)
        predict_once(bounds, &data, &truth);
    table_free(&data);
    table_free(&truth);
    return there;
}

int main(int argc, char **argv)
{
    static const struct bounds zinc = {"zinc LOO", 226, 0.9}, altitude = {"altitude LOO", 1.6, 0.9},
                               volcano = {"volcano LOO", 0.535, 0.9},
                               walker = {"walker 470 -> 78000", 147.5, 0.9},
                               part = {"volcano 10 %", 1.25, 0.9},
                               ground = {"autzen ground 80 %", 0.176, 0.9};
    const char *const folder = argc > 1 ? argv[1] : "";
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int tried = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    tried += try_left_out(&zinc, folder, "meuse/meuse.csv", "zinc");
    tried += try_left_out(&altitude, folder, "meuse/meuse_alt.csv", "alt");
    tried += try_left_out(&volcano, folder, "volcano/volcano.csv", "z");
    tried += try_part(&part, folder, "volcano/volcano.csv", NULL, 0.1, seed);
    tried += try_walker(&walker, folder);
    tried += try_part(&ground, folder, "lidar/autzen_trim.csv", "classification", 0.8, seed);
    return tried > 0 ? check_finish("accuracy of krige") : SKIPPED;
}
