/* SPDX-License-Identifier: MIT */
/* test_star_accuracy FOLDER: the error that the star hold-out states for targets, against the error
 * at targets whose values are known, on open data sets (walker, volcano, lidar).
 * Sets that FOLDER lacks are skipped. */
#include "check.h"
#include "table.h"

#include "base/random.h"
#include "shepard/shepard_validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED 77
/* Where the data can tell, an estimate is no less than this part of the truth; of few holes. */
#define LEAST 0.8
#define LEAST_OF_HOLES 0.7

/* ---- splits ---------------------------------------------------------------------------------- */

struct split {
    struct table data, targets;
};

static void free_split(struct split *split)
{
    table_free(&split->data);
    table_free(&split->targets);
}

/* Each row a datum with this chance, else a target. */
static struct split split_at_random(const struct table *all, double chance,
                                    struct shepard_random *random)
{
    struct split split = {0};
    for (size_t i = 0; i < all->n; i++)
        table_add(shepard_random_uniform(random) < chance ? &split.data : &split.targets, all->x[i],
                  all->y[i], all->z[i]);
    return split;
}

/* Every 8th column of a lattice is data. */
static struct split split_by_lines(const struct table *all)
{
    struct split split = {0};
    for (size_t i = 0; i < all->n; i++)
        table_add(fmod(all->x[i], 80) == 0 ? &split.data : &split.targets, all->x[i], all->y[i],
                  all->z[i]);
    return split;
}

/* Targets are what lies in discs round random rows, data a part of the rest. */
static struct split split_by_holes(const struct table *all, size_t holes, double radius,
                                   double chance, struct shepard_random *random)
{
    struct split split = {0};
    size_t centre[20];
    for (size_t h = 0; h < holes; h++)
        centre[h] = (size_t)(shepard_random_uniform(random) * (double)all->n);
    for (size_t i = 0; i < all->n; i++) {
        bool inside = false;
        for (size_t h = 0; h < holes; h++)
            inside = inside ||
                     hypot(all->x[i] - all->x[centre[h]], all->y[i] - all->y[centre[h]]) < radius;
        if (inside)
            table_add(&split.targets, all->x[i], all->y[i], all->z[i]);
        else if (shepard_random_uniform(random) < chance)
            table_add(&split.data, all->x[i], all->y[i], all->z[i]);
    }
    return split;
}

/* ---- errors ---------------------------------------------------------------------------------- */

static const char *const methods[] = {"idw:k=12", "aidw",
                                      "idw:sectors=4:max_points_per_sector=2:degree=1"};
#define METHODS (sizeof methods / sizeof *methods)

static double truth_of(const struct shepard_field *field, const struct shepard_targets *targets,
                       const struct table *at, const struct shepard_parameters *parameters)
{
    struct shepard_scores scores;
    double *predicted = malloc(at->n * sizeof *predicted);
    const struct shepard_output_array to = shepard_output_doubles(predicted);
    const struct shepard_output output = {.size = sizeof output, .values = &to};
    check(shepard_predict(field, parameters, targets, &output, NULL, NULL) == SHEPARD_OK,
          "no prediction");
    shepard_scores_compute(at->z, predicted, NULL, at->n, &scores);
    free(predicted);
    return scores.rmse;
}

static double estimate_of(struct shepard_holdout *holdout,
                          const struct shepard_parameters *parameters)
{
    struct shepard_validation_result result = {.size = sizeof result};
    struct shepard_error error = {.message = ""};
    check(shepard_holdout_validate(holdout, parameters, NULL, &result, NULL, &error) == SHEPARD_OK,
          "%s", error.message);
    return result.scores.rmse;
}

/* can_tell: whether the data are such that they can; least, most: the parts of the truth that an
 * estimate may be. It is too large where data lie thickest where values vary most (walker: data
 * near a target still lie in the thicker part of its surroundings); what is in a few holes is
 * smoother or rougher than what is round them. */
static void try_split(const char *name, const struct split *split, bool can_tell, double least,
                      double most)
{
    const struct table *data = &split->data;
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = data->n,
                                                    .x = shepard_doubles(data->x),
                                                    .y = shepard_doubles(data->y)};
    const struct shepard_array column = shepard_doubles(data->z);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    const struct shepard_targets targets = {.size = sizeof targets,
                                            .count = split->targets.n,
                                            .x = shepard_doubles(split->targets.x),
                                            .y = shepard_doubles(split->targets.y)};
    struct shepard_points_options options;
    struct shepard_validation validation;
    struct shepard_points *points = NULL;
    struct shepard_field *field = NULL;
    struct shepard_holdout *stars = NULL, *each = NULL;
    struct shepard_holdout_info info = {.size = sizeof info};
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    shepard_validation_init(&validation);
    shepard_points_create(&coordinates, &options, &points, NULL);
    shepard_field_create(points, &values, &field, NULL);
    shepard_holdout_create(&coordinates, &values, &options, &validation, NULL, &each, NULL);
    validation.kind = SHEPARD_VALIDATION_STARS;
    validation.targets = &targets;
    shepard_holdout_create(&coordinates, &values, &options, &validation, NULL, &stars, NULL);
    check_case("%s", name);
    if (!check(each != NULL && stars != NULL, "nothing held out"))
        return;
    shepard_holdout_get_info(stars, &info);
    printf("%s: %zu data, %zu targets, nearest distances %.3g and %.3g%s\n", name, data->n,
           split->targets.n, info.held_out_nearest, info.target_nearest,
           info.representative ? "" : " (the data cannot tell)");
    check(info.representative == can_tell && (*info.notice == '\0') == can_tell, "notice '%s'",
          info.notice);
    for (size_t i = 0; i < METHODS; i++) {
        struct shepard_parameters parameters;
        shepard_parameters_parse(methods[i], &parameters, &options, NULL);
        const double truth = truth_of(field, &targets, &split->targets, &parameters);
        const double estimate = estimate_of(stars, &parameters);
        printf("  %-48s RMSE %8.4g stars %8.4g (%.2f) leave-one-out (%.2f)\n", methods[i], truth,
               estimate, estimate / truth, estimate_of(each, &parameters) / truth);
        check(!can_tell || (estimate >= least * truth && estimate <= most * truth),
              "%s: %g, not %g", methods[i], estimate, truth);
    }
    shepard_holdout_free(stars);
    shepard_holdout_free(each);
    shepard_field_free(field);
    shepard_points_free(points);
}

/* ---- sets ------------------------------------------------------------------------------------ */

static bool try_walker(const char *folder)
{
    struct split split = {0};
    const bool there =
        table_read(folder, "walker/walker.csv", "v", NULL, 2, &split.data) &&
        table_read(folder, "walker/walker_exhaustive.csv", "v", NULL, 2, &split.targets);
    if (there)
        try_split("walker", &split, true, LEAST, 1.38);
    free_split(&split);
    return there;
}

static bool try_volcano(const char *folder, struct shepard_random *random)
{
    struct table all;
    if (!table_read(folder, "volcano/volcano.csv", "z", NULL, 2, &all))
        return false;
    struct split splits[] = {split_at_random(&all, 0.1, random), split_by_lines(&all),
                             split_by_holes(&all, 6, 80, 0.3, random)};
    try_split("volcano, one in ten", &splits[0], true, LEAST, 1.25);
    try_split("volcano, lines", &splits[1], false, 0, INFINITY);
    try_split("volcano, holes", &splits[2], true, LEAST_OF_HOLES, 1.25);
    for (int i = 0; i < 3; i++)
        free_split(&splits[i]);
    table_free(&all);
    return true;
}

/* Returns of class 2 are of the ground. */
static bool try_lidar(const char *folder, struct shepard_random *random)
{
    struct table all;
    if (!table_read(folder, "lidar/autzen_trim.csv", "z", "classification", 2, &all))
        return false;
    struct split splits[] = {split_at_random(&all, 0.8, random),
                             split_by_holes(&all, 12, 25, 1, random)};
    try_split("lidar, four in five", &splits[0], true, LEAST, 1.25);
    try_split("lidar, holes", &splits[1], true, LEAST_OF_HOLES, 1.25);
    for (int i = 0; i < 2; i++)
        free_split(&splits[i]);
    table_free(&all);
    return true;
}

int main(int count, char **words)
{
    const char *const folder = count > 1 ? words[1] : "";
    struct shepard_random random = {20261123};
    const bool walker = try_walker(folder), volcano = try_volcano(folder, &random);
    return try_lidar(folder, &random) || walker || volcano ? check_finish("accuracy of stars")
                                                           : SKIPPED;
}
