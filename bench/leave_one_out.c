/* SPDX-License-Identifier: MIT */
#include "leave_one_out.h"

static bool run(struct shepard_task *task, const struct shepard_preparation *made, bool leaving,
                double *values, struct shepard_runs *runs)
{
    task->leave_one_out = leaving;
    const struct shepard_seconds start = shepard_seconds_now();
    const bool good = !shepard_task_predict(task, made, shepard_task_all(task), &values, NULL);
    shepard_runs_add(runs, shepard_seconds_since(start));
    return good;
}

static double report(const struct shepard_task *task, const char *way,
                     const struct shepard_runs *left_out, const struct shepard_runs *others,
                     struct shepard_record *record)
{
    double ratios[SHEPARD_REPEAT_MAX];
    for (size_t i = 0; i < left_out->count; i++)
        ratios[i] = left_out->wall[i] / others->wall[i];
    const double ratio = shepard_median(ratios, left_out->count);
    shepard_record_begin(record, "leave_one_out");
    shepard_record_text(record, "way", way);
    shepard_record_numbers(record, "points", (const double[]){(double)task->dataset->n});
    shepard_record_runs(record, left_out);
    shepard_record_numbers(record, "others_wall_median ratio",
                           (const double[]){shepard_runs_median(others).wall, ratio});
    shepard_record_end(record);
    return ratio;
}

/* The two take turns, so that what else the machine does meets both alike. */
bool shepard_leave_one_out_measure(const struct shepard_task *task, const char *way, size_t turns,
                                   double *values, struct shepard_record *record, double *ratio)
{
    struct shepard_task own = *task;
    struct shepard_preparation made;
    struct shepard_runs first = {0}, left_out = {0}, others = {0};
    bool good = !shepard_task_prepare(&own, &made) && run(&own, &made, false, values, &first) &&
                run(&own, &made, true, values, &first);
    for (size_t turn = 0; good && turn < turns; turn++)
        good =
            run(&own, &made, false, values, &others) && run(&own, &made, true, values, &left_out);
    if (good)
        *ratio = report(&own, way, &left_out, &others, record);
    shepard_preparation_free(&made);
    return good;
}
