/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "comparison.h"

static const struct shepard_variant variants[] = {
    {"idw-k12", SHEPARD_METHOD_IDW, 0, 12, 0},  {"idw", SHEPARD_METHOD_IDW, 0, 0, 0},
    {"aidw", SHEPARD_METHOD_AIDW, 0, 0, 0},     {"idw-k12-plane", SHEPARD_METHOD_IDW, 0, 12, 1},
    {"idw-plane", SHEPARD_METHOD_IDW, 0, 0, 1},
};

struct leave_one_out {
    struct shepard_task task;
    struct shepard_preparation made;
    double *values;
};

static bool run(void *context, bool others)
{
    struct leave_one_out *const on = context;
    on->task.leave_one_out = !others;
    return !shepard_task_predict(&on->task, &on->made, shepard_task_all(&on->task), &on->values,
                                 NULL);
}

bool shepard_leave_one_out_measure(const struct shepard_task *task, const char *way, size_t turns,
                                   double *values)
{
    struct leave_one_out on = {.task = *task, .values = values};
    struct shepard_comparison comparison;
    const bool good = !shepard_task_prepare(task, &on.made) && run(&on, true) &&
                      shepard_compare(run, &on, turns, &comparison);
    if (good) {
        shepard_record_begin("leave_one_out");
        shepard_record_text("way", way);
        shepard_record_numbers("points", (const double[]){(double)task->dataset->n});
        shepard_record_runs(&comparison.own);
        shepard_record_numbers("other_wall_median ratio",
                               (const double[]){shepard_runs_median(&comparison.other).wall,
                                                shepard_comparison_ratio(&comparison)});
        shepard_record_end();
    }
    shepard_preparation_free(&on.made);
    return good;
}

bool shepard_case_leave_one_out(const struct shepard_case *bench)
{
    bool good = true;
    for (size_t v = 0; good && v < sizeof variants / sizeof *variants; v++) {
        const struct shepard_task task =
            shepard_task_of(&bench->dataset, bench->threads, &variants[v]);
        good =
            shepard_leave_one_out_measure(&task, variants[v].name, bench->repeat, bench->values[0]);
    }
    return good;
}
