/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "comparison.h"

#include <math.h>

enum { SETS = 20 };

/* What is measured, and what all runs share. */
struct sweep {
    struct shepard_task tasks[SETS]; /* the same points and field, other parameters */
    double *values;                  /* [m] */
    double sums[SETS];               /* of the values that predictions from one field gave */
    size_t wrong;                    /* predictions from a fresh field that gave others */
    struct shepard_runs one;         /* points, field and all predictions in a row */
    struct shepard_runs parts;       /* one preparation, and the predictions alone */
    struct shepard_runs again;       /* points and field made again for each */
};

/* Ten powers over all points, and ten neighbourhoods with a power each. */
static struct shepard_task task_of(const struct shepard_dataset *dataset, size_t set,
                                   size_t threads)
{
    static const double powers[SETS] = {0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6,
                                        1,   2, 3,   4, 1.5, 2, 2.5, 3, 2, 1};
    static const size_t k[SETS / 2] = {8, 10, 12, 14, 16, 20, 24, 32, 40, 48};
    const struct shepard_variant variant = {.method = SHEPARD_METHOD_IDW,
                                            .power = powers[set],
                                            .neighbours = set < SETS / 2 ? 0 : k[set - SETS / 2]};
    return shepard_task_of(dataset, threads, &variant);
}

static bool predict(struct sweep *sweep, size_t set, const struct shepard_preparation *made,
                    double *sum)
{
    const struct shepard_part all = shepard_task_all(&sweep->tasks[set]);
    const bool good = !shepard_task_predict(&sweep->tasks[set], made, all, &sweep->values, NULL);
    *sum = 0;
    for (size_t i = 0; good && i < all.count; i++)
        *sum += sweep->values[i];
    return good;
}

/* All sets on one field, which prepares what it lacks as they come. */
static bool run_one(struct sweep *sweep, struct shepard_seconds *seconds)
{
    struct shepard_preparation made;
    const struct shepard_seconds start = shepard_seconds_now();
    bool good = !shepard_task_make(&sweep->tasks[0], &made);
    for (size_t s = 0; good && s < SETS; s++)
        good = predict(sweep, s, &made, &sweep->sums[s]);
    *seconds = shepard_seconds_since(start);
    shepard_preparation_free(&made);
    return good;
}

/* One set on points and a field of its own: seconds of both, and of the prediction. */
static bool run_fresh(struct sweep *sweep, size_t set, struct shepard_seconds *both,
                      struct shepard_seconds *predicted)
{
    struct shepard_preparation made;
    double sum = 0;
    const struct shepard_seconds start = shepard_seconds_now();
    bool good = !shepard_task_prepare(&sweep->tasks[set], &made);
    const struct shepard_seconds prepared = shepard_seconds_now();
    good = good && predict(sweep, set, &made, &sum);
    *predicted = shepard_seconds_since(prepared);
    *both = shepard_seconds_since(start);
    sweep->wrong += sum != sweep->sums[set];
    shepard_preparation_free(&made);
    return good;
}

static bool run_turn(struct sweep *sweep)
{
    struct shepard_seconds one, both, predicted, parts = {0, 0}, again = {0, 0};
    bool good = run_one(sweep, &one);
    for (size_t s = 0; good && s < SETS; s++) {
        good = run_fresh(sweep, s, &both, &predicted);
        again = shepard_seconds_sum(again, 1, both);
        parts = shepard_seconds_sum(parts, 1, s ? predicted : both);
    }
    shepard_runs_add(&sweep->one, one);
    shepard_runs_add(&sweep->parts, parts);
    shepard_runs_add(&sweep->again, again);
    return good;
}

static void report(const struct sweep *sweep)
{
    const struct shepard_dataset *dataset = sweep->tasks[0].dataset;
    double ratios[SHEPARD_REPEAT_MAX];
    for (size_t r = 0; r < sweep->one.count; r++)
        ratios[r] = sweep->one.wall[r] / sweep->parts.wall[r];
    shepard_record_begin("parameters");
    shepard_record_numbers("points targets sets",
                           (const double[]){(double)dataset->n, (double)dataset->m, SETS});
    shepard_record_runs(&sweep->one);
    shepard_record_numbers("parts_wall_median ratio again_wall_median wrong",
                           (const double[]){shepard_runs_median(&sweep->parts).wall,
                                            shepard_median(ratios, sweep->one.count),
                                            shepard_runs_median(&sweep->again).wall,
                                            (double)sweep->wrong});
    shepard_record_end();
}

bool shepard_case_parameters(const struct shepard_case *bench)
{
    struct shepard_seconds first;
    struct sweep sweep = {.values = bench->values[0]};
    for (size_t s = 0; s < SETS; s++)
        sweep.tasks[s] = task_of(&bench->dataset, s, bench->threads);
    bool good = run_one(&sweep, &first); /* touches memory */
    const double start = shepard_seconds_wall();
    while (good &&
           shepard_another_turn(bench->repeat, sweep.one.count, shepard_seconds_wall() - start))
        good = run_turn(&sweep);
    if (good)
        report(&sweep);
    return good && sweep.wrong == 0;
}

/* ---- sectors --------------------------------------------------------------------------------- */

static const struct shepard_neighbourhood hoods[] = {
    {.sectors = 1, .max_points = 16},
    {.sectors = 8, .max_points_per_sector = 2},
    {.sectors = 4, .max_points_per_sector = 3},
};
enum { HOODS = sizeof hoods / sizeof *hoods };

/* Neighbourhoods take turns; the first turn touches memory. */
bool shepard_case_sectors(const struct shepard_case *bench)
{
    static const struct shepard_variant idw = {.method = SHEPARD_METHOD_IDW};
    struct shepard_task task = shepard_task_of(&bench->dataset, bench->threads, &idw);
    struct shepard_runs runs[HOODS] = {{0}};
    struct shepard_preparation made;
    task.side = (size_t)sqrt((double)bench->targets);
    bool good = !shepard_task_make(&task, &made);
    for (size_t turn = 0; good && turn <= bench->repeat; turn++)
        for (size_t h = 0; good && h < HOODS; h++) {
            task.parameters.neighbourhood = hoods[h];
            const struct shepard_seconds start = shepard_seconds_now();
            good =
                !shepard_task_predict(&task, &made, shepard_task_all(&task), bench->values, NULL);
            if (turn > 0)
                shepard_runs_add(&runs[h], shepard_seconds_since(start));
        }
    shepard_preparation_free(&made);
    const double nearest = shepard_runs_median(&runs[0]).wall;
    shepard_record_begin("sectors");
    shepard_record_text("data", shepard_dataset_name(bench->dataset.kind));
    shepard_record_numbers("points nearest_wall octants quadrants",
                           (const double[]){(double)bench->dataset.n, nearest,
                                            shepard_runs_median(&runs[1]).wall / nearest,
                                            shepard_runs_median(&runs[2]).wall / nearest});
    shepard_record_end();
    return good;
}
