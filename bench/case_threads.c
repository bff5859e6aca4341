/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <stdlib.h>

enum { SEARCH_K = 10 };

/* The k nearest of all targets: points and search. */
static bool search(const struct shepard_task *task, double *room, struct shepard_seconds *seconds)
{
    const struct shepard_targets targets = shepard_dataset_targets(task->dataset, task->dataset->m);
    const struct shepard_nearest_output output = {.size = sizeof output,
                                                  .distances = shepard_output_doubles(room)};
    struct shepard_preparation made = {NULL, NULL};
    const struct shepard_seconds start = shepard_seconds_now();
    const bool good = !shepard_task_put_points(task, &made) &&
                      !shepard_nearest(made.points, &targets, SEARCH_K, &output, NULL, NULL);
    *seconds = shepard_seconds_since(start);
    shepard_preparation_free(&made);
    return good;
}

/* Exact sums of power 2, the preparation left out. */
static bool sum(const struct shepard_task *task, double *room, struct shepard_seconds *seconds)
{
    struct shepard_preparation made;
    bool good = !shepard_task_prepare(task, &made);
    const struct shepard_seconds start = shepard_seconds_now();
    good = good && !shepard_task_predict(task, &made, shepard_task_all(task), &room, NULL);
    *seconds = shepard_seconds_since(start);
    shepard_preparation_free(&made);
    return good;
}

static bool measure(const struct shepard_case *bench, const char *name, size_t targets,
                    bool (*work)(const struct shepard_task *, double *, struct shepard_seconds *))
{
    struct shepard_dataset dataset;
    double first = 0, *const room = malloc(targets * SEARCH_K * sizeof *room);
    bool good =
        shepard_task_draw(&dataset, SHEPARD_DATASET_UNIFORM, bench->points, targets, 1) && room;
    for (size_t threads = 1; good && threads <= bench->threads; threads *= 2) {
        struct shepard_task task = shepard_task_of(&dataset, threads);
        struct shepard_runs runs = {0};
        task.parameters.eps = 0;
        for (size_t r = 0; good && r < bench->repeat; r++) {
            struct shepard_seconds seconds;
            good = work(&task, room, &seconds);
            shepard_runs_add(&runs, seconds);
        }
        const double wall = shepard_runs_median(&runs).wall;
        first = threads == 1 ? wall : first;
        shepard_record_begin(bench->record, "threads");
        shepard_record_text(bench->record, "work", name);
        shepard_record_numbers(bench->record, "threads speedup",
                               (const double[]){(double)threads, first / wall});
        shepard_record_runs(bench->record, &runs);
        shepard_record_end(bench->record);
    }
    free(room);
    shepard_dataset_free(&dataset);
    return good;
}

bool shepard_case_threads(const struct shepard_case *bench)
{
    return measure(bench, "knn", bench->targets, search) &&
           measure(bench, "pairs", bench->sums, sum);
}
