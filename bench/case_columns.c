/* SPDX-License-Identifier: MIT */
#include "case.h"

#include <stdlib.h>

/* A field for each day of a year. */
enum { FIELDS = 365, NEIGHBOURS = 12 };

/* Points are made once, or again for each field. Values come round again: what they are does not
 * change the cost. */
static bool run(struct shepard_task *task, bool again, double *values, struct shepard_runs *runs)
{
    const struct shepard_part all = shepard_task_all(task);
    struct shepard_preparation made = {NULL, NULL};
    bool good = true;
    const struct shepard_seconds start = shepard_seconds_now();
    for (size_t f = 0; good && f < FIELDS; f++) {
        if (again)
            shepard_preparation_free(&made);
        task->column = f % SHEPARD_TASK_COLUMNS;
        good = (made.points || !shepard_task_put_points(task, &made)) &&
               !shepard_task_put_field(task, &made) &&
               !shepard_task_predict(task, &made, all, &values, NULL);
        shepard_field_free(made.field);
        made.field = NULL;
    }
    shepard_preparation_free(&made);
    shepard_runs_add(runs, shepard_seconds_since(start));
    return good;
}

static void report(const struct shepard_task *task, const struct shepard_runs *once,
                   const struct shepard_runs *again, struct shepard_record *record)
{
    const double wall = shepard_runs_median(once).wall, more = shepard_runs_median(again).wall;
    shepard_record_begin(record, "columns");
    shepard_record_numbers(
        record, "points targets fields neighbours",
        (const double[]){(double)task->dataset->n, (double)task->dataset->m, FIELDS, NEIGHBOURS});
    shepard_record_runs(record, once);
    shepard_record_numbers(record, "again_wall_median ratio seconds_of_points_per_field",
                           (const double[]){more, more / wall, (more - wall) / FIELDS});
    shepard_record_end(record);
}

bool shepard_case_columns(const struct shepard_case *bench)
{
    struct shepard_dataset dataset;
    double *values = malloc(bench->targets * sizeof *values);
    struct shepard_runs once = {0}, again = {0}, first = {0};
    bool good = shepard_task_draw(&dataset, SHEPARD_DATASET_UNIFORM, bench->points, bench->targets,
                                  SHEPARD_TASK_COLUMNS) &&
                values;
    struct shepard_task task = shepard_task_of(&dataset, bench->threads);
    task.parameters.neighbourhood.max_points = NEIGHBOURS;
    good = good && run(&task, false, values, &first); /* touches memory */
    for (double spent = 0; good && shepard_case_goes_on(bench, once.count, spent);) {
        good = run(&task, false, values, &once) && run(&task, true, values, &again);
        spent += once.wall[once.count - 1] + again.wall[once.count - 1];
    }
    if (good)
        report(&task, &once, &again, bench->record);
    free(values);
    shepard_dataset_free(&dataset);
    return good;
}
