/* SPDX-License-Identifier: MIT */
#include "accuracy_run.h"

#include <stdlib.h>
#include <string.h>

enum shepard_status shepard_accuracy_run_open(struct shepard_accuracy_run *run, size_t checked)
{
    const size_t size = run->step * sizeof(double);
    bool good = shepard_sample_draw(&run->sample, &run->task, checked);
    for (size_t c = 0; good && c < run->task.columns; c++) {
        run->values[c] =
            run->pinned ? run->pinned->allocate(size, run->pinned->user) : malloc(size);
        good = run->values[c];
        if (good)
            memset(run->values[c], 0, size); /* in memory before the clock starts */
    }
    if (!good)
        fputs("bench: no memory for predictions\n", stderr);
    return good ? SHEPARD_OK : SHEPARD_ERROR_MEMORY;
}

void shepard_accuracy_run_close(struct shepard_accuracy_run *run)
{
    for (size_t c = 0; c < run->task.columns; c++) {
        if (!run->pinned)
            free(run->values[c]);
        else if (run->values[c])
            run->pinned->release(run->values[c], run->pinned->user);
    }
    shepard_sample_free(&run->sample);
}

static void note(const char *text, void *user)
{
    struct shepard_accuracy_run *run = user;
    snprintf(run->notice, sizeof run->notice, "%s", text);
}

static enum shepard_status predict(struct shepard_accuracy_run *run,
                                   const struct shepard_preparation *made,
                                   const struct shepard_control *control)
{
    const size_t targets = shepard_task_all(&run->task).count;
    enum shepard_status status = SHEPARD_OK;
    for (size_t first = 0; !status && first < targets; first += run->step) {
        const size_t left = targets - first;
        const struct shepard_part part = {first, left < run->step ? left : run->step};
        status = shepard_task_predict(&run->task, made, part, run->values, control);
        shepard_sample_keep(&run->sample, part, run->task.columns, run->values);
    }
    return status;
}

static void keep_info(struct shepard_accuracy_run *run, const struct shepard_preparation *made,
                      union shepard_task_stages *stages)
{
    run->info = shepard_preparation_info(made);
    if (run->info.notice[0])
        note(run->info.notice, run);
    run->info.notice = "";
    const union shepard_task_stages making = {run->info.timing};
    for (int s = 0; s < SHEPARD_TASK_STAGES; s++)
        stages->seconds[s] += making.seconds[s];
}

static void add_seconds(struct shepard_accuracy_run *run, struct shepard_seconds created,
                        struct shepard_seconds total)
{
    shepard_runs_add(&run->create, created);
    shepard_runs_add(&run->predict, shepard_seconds_sum(total, -1, created));
    shepard_runs_add(&run->total, total);
}

enum shepard_status shepard_accuracy_run_once(struct shepard_accuracy_run *run)
{
    const bool is_first = run->first.wall == 0;
    union shepard_task_stages stages = {{0}};
    const struct shepard_control control = {.size = sizeof control,
                                            .user = run,
                                            .work = is_first ? &run->work : NULL,
                                            .notice = note,
                                            .timing = &stages.timing};
    struct shepard_preparation made;
    const struct shepard_seconds start = shepard_seconds_now();
    enum shepard_status status = shepard_task_prepare(&run->task, &made);
    const struct shepard_seconds created = shepard_seconds_since(start);
    if (!status)
        status = predict(run, &made, &control);
    const struct shepard_seconds total = shepard_seconds_since(start);
    if (!status) {
        keep_info(run, &made, &stages);
        run->stages[run->total.count] = stages;
        if (is_first)
            run->first = total;
        else
            add_seconds(run, created, total);
    }
    shepard_preparation_free(&made);
    return status;
}

void shepard_accuracy_run_finish(struct shepard_accuracy_run *run)
{
    union shepard_task_stages medians;
    double all[SHEPARD_REPEAT_MAX];
    for (int s = 0; s < SHEPARD_TASK_STAGES; s++) {
        for (size_t r = 0; r < run->total.count; r++)
            all[r] = run->stages[r].seconds[s];
        medians.seconds[s] = shepard_median(all, run->total.count);
    }
    run->median = medians.timing;
    shepard_sample_solve(&run->sample);
    run->error = shepard_sample_error(&run->sample, run->task.columns);
}

void shepard_accuracy_run_record(const struct shepard_accuracy_run *run)
{
    const struct shepard_task *task = &run->task;
    const struct shepard_seconds create = shepard_runs_median(&run->create);
    const struct shepard_seconds predicted = shepard_runs_median(&run->predict);
    const double m = (double)shepard_task_all(task).count, n = (double)run->info.points;
    const bool adaptive = task->parameters.method == SHEPARD_METHOD_AIDW;
    shepard_record_text("method", adaptive ? "aidw" : "idw");
    shepard_record_text("data", shepard_dataset_name(task->dataset->kind));
    shepard_record_text("isa", run->info.isa);
    shepard_record_numbers("points targets columns threads neighbours eps smoothing",
                           (const double[]){(double)task->dataset->n, m, (double)task->columns,
                                            run->info.threads,
                                            (double)task->parameters.neighbourhood.max_points,
                                            task->parameters.eps, task->parameters.smoothing});
    shepard_record_numbers(
        "create_wall create_cpu predict_wall predict_cpu first_wall",
        (const double[]){create.wall, create.cpu, predicted.wall, predicted.cpu, run->first.wall});
    shepard_record_runs(&run->total);
    shepard_record_numbers(
        "model_bytes_per_point device_bytes_per_point checked pairs_per_target nodes_per_target "
        "error",
        (const double[]){(double)run->info.bytes / n, (double)run->info.device_bytes / n,
                         (double)run->sample.count, run->work.pairs / m, run->work.nodes / m,
                         run->error});
}
