/* SPDX-License-Identifier: MIT */
#include "beside_cpu.h"

#include <math.h>
#include <stdio.h>

/* What is measured on one backend. */
struct side {
    struct shepard_task task;
    double *values;
    union shepard_task_stages stages; /* of the last turn */
    struct shepard_runs create, predict, total;
    bool noticed;
};

static void note(const char *text, void *user)
{
    struct side *side = user;
    fprintf(stderr, "bench: notice: %s\n", text);
    side->noticed = true;
}

static bool run_once(struct side *side, bool first)
{
    struct shepard_preparation made;
    side->stages = (union shepard_task_stages){{0}};
    const struct shepard_control control = {
        .size = sizeof control, .user = side, .notice = note, .timing = &side->stages.timing};
    const struct shepard_seconds start = shepard_seconds_now();
    bool good = !shepard_task_make(&side->task, &made);
    const struct shepard_seconds created = shepard_seconds_since(start);
    good = good && !shepard_task_predict(&side->task, &made, shepard_task_all(&side->task),
                                         &side->values, &control);
    const struct shepard_seconds both = shepard_seconds_since(start);
    shepard_preparation_free(&made);
    if (first)
        return good;
    shepard_runs_add(&side->create, created);
    shepard_runs_add(&side->predict, shepard_seconds_sum(both, -1, created));
    shepard_runs_add(&side->total, both);
    return good;
}

/* One run before, then the measured ones. */
static bool run_all(struct side *side, size_t turns)
{
    bool good = true;
    for (size_t turn = 0; good && turn <= turns; turn++)
        good = run_once(side, turn == 0);
    return good;
}

static double largest_difference(const struct shepard_task *task, const double *a, const double *b)
{
    const double *z = task->dataset->values[task->column];
    double low = INFINITY, high = -INFINITY, largest = 0;
    for (size_t i = 0; i < task->dataset->n; i++) {
        low = fmin(low, z[i]);
        high = fmax(high, z[i]);
    }
    for (size_t i = 0; i < task->dataset->m; i++)
        largest = fabs(a[i] - b[i]) <= largest ? largest : fabs(a[i] - b[i]);
    return largest / (high - low);
}

bool shepard_beside_cpu_measure(const struct shepard_task *task, const char *name, size_t turns,
                                double *const values[2])
{
    struct side device = {.task = *task, .values = values[0]};
    struct side host = {.task = *task, .values = values[1]};
    device.task.options.backend = SHEPARD_BACKEND_CUDA;
    host.task.options.backend = SHEPARD_BACKEND_CPU;
    if (!run_all(&device, turns) || !run_all(&host, turns < 2 ? turns : 2))
        return false;
    const struct shepard_neighbourhood *hood = &task->parameters.neighbourhood;
    const struct shepard_timing *stages = &device.stages.timing;
    shepard_record_begin("beside_cpu");
    shepard_record_text("run", name);
    shepard_record_numbers(
        "points targets sectors each create_wall predict_wall nearest_device_seconds "
        "sums_device_seconds cpu_wall error",
        (const double[]){
            (double)task->dataset->n, (double)task->dataset->m, hood->sectors,
            (double)(hood->sectors > 1 ? hood->max_points_per_sector : hood->max_points),
            shepard_runs_median(&device.create).wall, shepard_runs_median(&device.predict).wall,
            stages->nearest, stages->sums, shepard_runs_median(&host.total).wall,
            largest_difference(task, values[0], values[1])});
    shepard_record_runs(&device.total);
    shepard_record_end();
    return !device.noticed;
}
