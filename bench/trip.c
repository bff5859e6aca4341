/* SPDX-License-Identifier: MIT */
#include "trip.h"

#include "pinned.h"
#include "truth.h"

#define CHECKED_LEAST 64
#define CHECKED_MOST 512

enum { STAGES = sizeof(struct shepard_timing) / sizeof(double) };

/* The stages as an array, in the order of the structure. */
union stages {
    struct shepard_timing timing;
    double seconds[STAGES];
};

/* What is measured, run after run. */
struct log {
    struct shepard_trip *trip;
    struct shepard_sample sample;
    double *values; /* [targets], pinned */
    double stages[STAGES][SHEPARD_REPEAT_MAX];
};

/* One run. */
struct run {
    struct shepard_seconds create, total;
    union stages stages;
};

static void note(const char *text, void *user)
{
    struct shepard_trip *trip = user;
    snprintf(trip->notice, sizeof trip->notice, "%s", text);
}

static enum shepard_status fail(const struct shepard_trip *trip, enum shepard_status status,
                                const char *text)
{
    printf("%s: %s: %s\n", trip->name, status == SHEPARD_ERROR_MEMORY ? "left out" : "failed",
           text);
    return status;
}

static enum shepard_status predict(struct log *log, const struct shepard_model *model,
                                   struct shepard_timing *timing, struct shepard_work *work)
{
    const struct shepard_task *task = &log->trip->task;
    const struct shepard_output output = {.values = &log->values};
    const struct shepard_control control = {
        .user = log->trip, .work = work, .notice = note, .timing = timing};
    struct shepard_error error;
    enum shepard_status status;
    if (task->side) {
        const struct shepard_raster raster = shepard_task_raster(task);
        status = shepard_predict_raster(model, &raster, NULL, &output, &control, &error);
    } else {
        const struct shepard_targets targets = shepard_cloud_targets(task->cloud, task->cloud->m);
        status = shepard_predict_points(model, &targets, &output, &control, &error);
    }
    return status ? fail(log->trip, status, error.message) : SHEPARD_OK;
}

static void add_timing(union stages *to, const struct shepard_timing *timing)
{
    const union stages more = {*timing};
    for (int s = 0; s < STAGES; s++)
        to->seconds[s] += more.seconds[s];
}

static void keep_info(struct shepard_trip *trip, const struct shepard_model_info *info)
{
    trip->area = info->area;
    trip->bytes = (double)info->bytes / (double)info->points;
    trip->device_bytes = (double)info->device_bytes / (double)info->points;
    if (info->notice[0])
        note(info->notice, trip);
}

/* work: NULL in runs that count: counting may cost time. */
static enum shepard_status run_once(struct log *log, struct run *run, struct shepard_work *work)
{
    const struct shepard_task *task = &log->trip->task;
    const struct shepard_data data = shepard_cloud_data(task->cloud, 1);
    struct shepard_model *model = NULL;
    struct shepard_error error;
    struct shepard_model_info info;
    *run = (struct run){0};
    const struct shepard_seconds start = shepard_seconds_now();
    enum shepard_status status = shepard_model_create(&data, &task->options, &model, &error);
    if (status)
        return fail(log->trip, status, error.message);
    run->create = shepard_seconds_since(start);
    status = predict(log, model, &run->stages.timing, work);
    run->total = shepard_seconds_since(start);
    shepard_model_get_info(model, &info);
    add_timing(&run->stages, &info.timing);
    keep_info(log->trip, &info);
    shepard_model_free(model);
    return status;
}

static enum shepard_status run_all(struct log *log)
{
    struct shepard_trip *trip = log->trip;
    struct run run;
    enum shepard_status status = run_once(log, &run, &trip->work);
    for (size_t r = 0; !status && r < trip->repeat; r++) {
        status = run_once(log, &run, NULL);
        shepard_runs_add(&trip->create, run.create);
        shepard_runs_add(&trip->total, run.total);
        for (int s = 0; s < STAGES; s++)
            log->stages[s][r] = run.stages.seconds[s];
    }
    return status;
}

static void find_medians(struct log *log)
{
    union stages medians;
    for (int s = 0; s < STAGES; s++)
        medians.seconds[s] = shepard_median(log->stages[s], log->trip->repeat);
    log->trip->device = medians.timing;
}

static size_t count_checked(const struct shepard_trip *trip, double pairs)
{
    const double count = pairs / (double)trip->task.cloud->n;
    if (count > CHECKED_MOST)
        return CHECKED_MOST;
    return count > CHECKED_LEAST ? (size_t)count : CHECKED_LEAST;
}

static enum shepard_status compare(struct log *log)
{
    struct shepard_trip *trip = log->trip;
    const struct shepard_part all = {0, shepard_task_targets(&trip->task)};
    shepard_sample_keep(&log->sample, all, &log->values);
    trip->checked = log->sample.count;
    if (shepard_truth_error(&log->sample, trip->area, &trip->error))
        return SHEPARD_OK;
    return fail(trip, SHEPARD_ERROR_MEMORY, "no memory on the host");
}

enum shepard_status shepard_trip_take(struct shepard_trip *trip, double pairs)
{
    struct log log = {.trip = trip,
                      .values = shepard_pinned_numbers(shepard_task_targets(&trip->task))};
    const bool drawn = shepard_sample_draw(&log.sample, &trip->task, count_checked(trip, pairs));
    enum shepard_status status = SHEPARD_OK;
    if (!drawn || !log.values)
        status = fail(trip, SHEPARD_ERROR_MEMORY, "no memory on the host");
    if (!status)
        status = run_all(&log);
    if (!status) {
        find_medians(&log);
        status = compare(&log);
    }
    shepard_sample_free(&log.sample);
    shepard_pinned_free(log.values);
    return status;
}

double shepard_trip_seconds(const struct shepard_trip *trip)
{
    return shepard_runs_median(&trip->total).wall;
}
