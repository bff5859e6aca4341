/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <math.h>

#define SECTORS 8

/* Targets that are compared with the backend ref. */
#define CHECKED 64

/* Seconds of what was measured by turns; the first touches memory. */
struct krige_runs {
    double first_wall;
    struct shepard_runs create, predict, total;
};

static struct shepard_task task_of(const struct shepard_case *bench)
{
    static const struct shepard_variant krige = {.method = SHEPARD_METHOD_KRIGE};
    struct shepard_task task = shepard_task_of(&bench->dataset, bench->threads, &krige);
    task.sds = bench->values[1];
    return task;
}

/* Leaves the fit of the last turn in the task. */
static bool fit(const struct shepard_case *bench, struct shepard_task *task)
{
    const struct shepard_coordinates coordinates =
        shepard_dataset_coordinates(&bench->dataset, bench->dataset.n);
    const struct shepard_values values = shepard_dataset_values(&bench->dataset);
    const struct shepard_fit_data data = {
        .size = sizeof data, .coordinates = &coordinates, .values = &values};
    struct shepard_fit_info info = {.size = sizeof info};
    struct shepard_runs runs = {0};
    struct shepard_error error;
    double first_wall = 0;
    task->options.anisotropy_ratio = task->options.anisotropy_angle = NAN;
    const struct shepard_task open = *task;
    for (size_t turn = 0; turn <= bench->repeat; turn++) {
        *task = open;
        const struct shepard_seconds start = shepard_seconds_now();
        if (shepard_fit(&data, &task->parameters, &task->options, &info, NULL, &error)) {
            fprintf(stderr, "bench: %s\n", error.message);
            return false;
        }
        const struct shepard_seconds taken = shepard_seconds_since(start);
        if (turn > 0)
            shepard_runs_add(&runs, taken);
        else
            first_wall = taken.wall;
    }
    shepard_record_begin("krige_fit");
    shepard_record_numbers(
        "points evaluations first_wall",
        (const double[]){(double)info.points, (double)info.evaluations, first_wall});
    shepard_record_runs(&runs);
    shepard_record_end();
    return true;
}

static bool run_once(const struct shepard_case *bench, const struct shepard_task *task,
                     struct krige_runs *runs, bool first)
{
    struct shepard_preparation made;
    const struct shepard_seconds start = shepard_seconds_now();
    bool good = !shepard_task_make(task, &made);
    const struct shepard_seconds created = shepard_seconds_since(start);
    good = good && !shepard_task_predict(task, &made, shepard_task_all(task), bench->values, NULL);
    const struct shepard_seconds both = shepard_seconds_since(start);
    shepard_preparation_free(&made);
    if (first) {
        runs->first_wall = both.wall;
        return good;
    }
    shepard_runs_add(&runs->create, created);
    shepard_runs_add(&runs->predict, shepard_seconds_sum(both, -1, created));
    shepard_runs_add(&runs->total, both);
    return good;
}

static double sum(const double *values, size_t count)
{
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += values[i];
    return all;
}

/* The largest difference of a value or an sd from that of the backend ref, over the root of the
 * sill; no number where ref failed. */
static double error_of(const struct shepard_case *bench, const struct shepard_task *task)
{
    const size_t count = task->dataset->m < CHECKED ? task->dataset->m : CHECKED;
    double values[CHECKED], sds[CHECKED], largest = 0;
    struct shepard_task reference = *task;
    struct shepard_preparation made;
    reference.options.backend = SHEPARD_BACKEND_REF;
    reference.sds = sds;
    const bool good = !shepard_task_make(&reference, &made) &&
                      !shepard_task_predict(&reference, &made, (struct shepard_part){0, count},
                                            (double *const[]){values}, NULL);
    shepard_preparation_free(&made);
    for (size_t i = 0; i < count; i++)
        largest =
            fmax(largest, fmax(fabs(bench->values[0][i] - values[i]), fabs(task->sds[i] - sds[i])));
    const struct shepard_kriging *kriging = &task->parameters.kriging;
    return good ? largest / sqrt(kriging->psill + kriging->nugget) : NAN;
}

/* Values and sd; their means are what the peers' answers are compared with. */
static bool predict(const struct shepard_case *bench, const struct shepard_task *task)
{
    const struct shepard_neighbourhood *hood = &task->parameters.neighbourhood;
    const size_t m = bench->dataset.m;
    struct krige_runs runs = {0};
    for (size_t turn = 0; turn <= bench->repeat; turn++)
        if (!run_once(bench, task, &runs, turn == 0))
            return false;
    shepard_record_begin("krige");
    shepard_record_text("tool", "shepard");
    shepard_record_numbers(
        "points targets sectors each first_wall create_wall predict_wall mean_value mean_sd error",
        (const double[]){
            (double)bench->dataset.n, (double)m, hood->sectors,
            (double)(hood->sectors == SECTORS ? hood->max_points_per_sector : hood->max_points),
            runs.first_wall, shepard_runs_median(&runs.create).wall,
            shepard_runs_median(&runs.predict).wall, sum(bench->values[0], m) / (double)m,
            sum(task->sds, m) / (double)m, error_of(bench, task)});
    shepard_record_runs(&runs.total);
    shepard_record_end();
    return true;
}

bool shepard_case_krige(const struct shepard_case *bench)
{
    struct shepard_task task = task_of(bench);
    if (bench->k) { /* the same in peer_gstat.R */
        task.parameters.kriging.covariance = SHEPARD_COVARIANCE_EXPONENTIAL;
        task.parameters.kriging.psill = 500;
        task.parameters.kriging.range = 2000;
        task.parameters.kriging.nugget = 25;
        task.parameters.neighbourhood =
            (struct shepard_neighbourhood){.sectors = 1, .max_points = bench->k};
        return predict(bench, &task);
    }
    bool good = fit(bench, &task);
    for (size_t each = 2; good && each <= 3; each++) {
        task.parameters.neighbourhood =
            (struct shepard_neighbourhood){.sectors = SECTORS, .max_points_per_sector = each};
        good = predict(bench, &task);
    }
    return good;
}
