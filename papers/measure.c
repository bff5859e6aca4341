/* SPDX-License-Identifier: MIT */
#include "measure.h"

#include "method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A run as long as this is made once: its share of noise is small. */
static const double long_run = 5.0;

/* Launches and allocations may dominate times below these: of a pilot, and of a measurement. */
static const double reliable_pilot = 0.05, reliable = 1.0;

/* Points and targets of the first pilot run. */
static const size_t pilot_size = 1024;

/* A time and the work it was for. */
struct time_estimate {
    double seconds;
    double work;
};

/* A method on a case. */
struct measure_task {
    size_t method;
    const struct shepard_measure_case *on;
    const struct shepard_measure_options *options;
};

/* The jobs of a case, [count], and what they point to. */
struct measure_jobs {
    struct shepard_parameters parameters;
    struct shepard_targets targets[SHEPARD_PAPER_SETS_MAX];
    struct shepard_coordinates coordinates[SHEPARD_PAPER_SETS_MAX];
    struct shepard_dataset sets[SHEPARD_PAPER_SETS_MAX];
    struct shepard_values values[SHEPARD_PAPER_COLUMNS_MAX];
    struct shepard_paper_job jobs[SHEPARD_PAPER_COLUMNS_MAX];
    size_t count;
};

/* A job for each set, and apart for each column. */
static void make_jobs(const struct shepard_dataset *dataset, const struct shepard_workload *job,
                      struct measure_jobs *made)
{
    const size_t calls = shepard_workload_calls(job);
    made->parameters = shepard_workload_parameters(job);
    made->count = calls > job->sets ? calls : job->sets;
    for (size_t s = 0; s < job->sets; s++) {
        made->sets[s] = shepard_dataset_part(dataset, s, job->sets);
        made->coordinates[s] = shepard_dataset_coordinates(&made->sets[s], job->n);
        made->targets[s] = shepard_dataset_targets(&made->sets[s], job->m);
    }
    for (size_t i = 0; i < made->count; i++) {
        const size_t columns_apart = made->count / job->sets, s = i / columns_apart;
        made->values[i] = shepard_dataset_values(&made->sets[s]);
        if (columns_apart > 1) {
            made->values[i].column_count = 1;
            made->values[i].columns += i % columns_apart;
        }
        made->jobs[i] = (struct shepard_paper_job){&made->coordinates[s], &made->values[i],
                                                   &made->targets[s], &made->parameters};
    }
}

static void add_times(const struct shepard_paper_times *times, struct shepard_paper_times *sum)
{
    sum->total += times->total;
    sum->prepare += times->prepare;
    sum->upload += times->upload;
    sum->grid += times->grid;
    sum->neighbours += times->neighbours;
    sum->weighting += times->weighting;
    sum->download += times->download;
}

/* All calls of a case, one after another; times: their sums. */
static enum shepard_status run_calls(const struct measure_task *task,
                                     const struct shepard_workload *job, struct measure_jobs *made,
                                     struct shepard_paper_times *times, struct shepard_error *error)
{
    const size_t calls = shepard_workload_calls(job);
    enum shepard_status status = SHEPARD_OK;
    make_jobs(task->on->dataset, job, made);
    *times = (struct shepard_paper_times){0};
    for (size_t i = 0; i < calls && !status; i++) {
        const struct shepard_paper_call call = {&made->jobs[i], made->count / calls,
                                                task->options->threads};
        struct shepard_paper_times one = {0};
        status = shepard_paper_method_run(task->method, &call, task->on->values + i, &one, error);
        add_times(&one, times);
    }
    return status;
}

static enum shepard_status run_once(const struct measure_task *task,
                                    const struct shepard_workload *job,
                                    struct shepard_paper_times *times, struct shepard_error *error)
{
    struct measure_jobs *const made = malloc(sizeof *made);
    if (!made)
        return SHEPARD_ERROR_MEMORY;
    /* The error check finds NaN where a method writes nothing. */
    for (size_t a = 0; a < shepard_workload_arrays(job); a++) {
        for (size_t i = 0; i < job->m; i++)
            task->on->values[a][i] = NAN;
    }
    *error = (struct shepard_error){0};
    const enum shepard_status status = run_calls(task, job, made, times, error);
    free(made);
    return status;
}

/* The case with no more than so many points and targets. */
static struct shepard_workload smaller_case(const struct shepard_workload *job, size_t size)
{
    struct shepard_workload pilot = *job;
    pilot.n = job->n < size ? job->n : size;
    pilot.m = job->m < size ? job->m : size;
    return pilot;
}

static double scale(const struct time_estimate *known, double work)
{
    return known->seconds * work / known->work;
}

/* The shorter of two runs: another program may have used the machine for a moment. */
static enum shepard_status run_pilot(const struct measure_task *task,
                                     const struct shepard_workload *pilot,
                                     struct time_estimate *found, struct shepard_error *error)
{
    struct shepard_paper_times first = {0}, second = {0};
    enum shepard_status status = run_once(task, pilot, &first, error);
    if (!status)
        status = run_once(task, pilot, &second, error);
    *found = (struct time_estimate){fmin(first.total, second.total),
                                    shepard_paper_method_work(task->method, pilot)};
    return status;
}

/* Whether the time grew with the work from a smaller run to a larger one. */
static bool has_grown(const struct time_estimate *small, const struct time_estimate *large)
{
    return large->seconds >= reliable_pilot &&
           large->seconds / small->seconds >= 0.6 * large->work / small->work;
}

/* The time of the case: scaled from the nearest measurement; if there is none, or it is too short,
 * from pilots of growing size, until one fits the budget or is reliable. */
static enum shepard_status estimate_time(const struct measure_task *task,
                                         const struct shepard_measurement *near, double *seconds,
                                         struct shepard_error *error)
{
    const double work = shepard_paper_method_work(task->method, &task->on->job);
    struct time_estimate known = {INFINITY, 0};
    if (near)
        known = (struct time_estimate){near->times.total,
                                       shepard_paper_method_work(task->method, &near->job)};
    bool is_reliable = near && near->times.total >= reliable;
    for (size_t size = pilot_size; known.work < work && !is_reliable; size *= 2) {
        const struct shepard_workload pilot = smaller_case(&task->on->job, size);
        struct time_estimate next;
        if (shepard_paper_method_work(task->method, &pilot) <= known.work)
            continue;
        if (known.work > 0 && scale(&known, work) <= task->options->budget)
            break;
        const enum shepard_status status = run_pilot(task, &pilot, &next, error);
        if (status)
            return status;
        is_reliable = known.work > 0 && has_grown(&known, &next);
        known = next;
    }
    *seconds = scale(&known, work);
    return SHEPARD_OK;
}

static int compare_totals(const void *a, const void *b)
{
    const double u = ((const struct shepard_paper_times *)a)->total;
    const double v = ((const struct shepard_paper_times *)b)->total;
    return (u > v) - (u < v);
}

/* Keeps the times of the run with the median total, so that its stages belong together. The error
 * of results that have no limit stays NaN. */
static enum shepard_status run_often(const struct measure_task *task,
                                     struct shepard_measurement *measurement,
                                     struct shepard_error *error)
{
    struct shepard_paper_times times[SHEPARD_PAPER_RUNS_MAX] = {{0}};
    int runs = 0;
    double sum = 0;
    measurement->error = isfinite(measurement->error_limit) ? 0 : NAN;
    if (isnan(measurement->error))
        snprintf(measurement->message, sizeof measurement->message,
                 "results are incomplete, as the method has it: not compared");
    while (runs < task->options->runs && (runs == 0 || times[runs - 1].total <= long_run)) {
        const enum shepard_status status = run_once(task, &task->on->job, &times[runs], error);
        if (status)
            return status;
        const double found = shepard_error_check_largest(task->on->check, task->on->values);
        if (!isnan(measurement->error) && !(found <= measurement->error))
            measurement->error = found;
        sum += times[runs++].total;
    }
    qsort(times, (size_t)runs, sizeof times[0], compare_totals);
    measurement->times = times[(runs - 1) / 2];
    measurement->mean = sum / runs;
    measurement->runs = runs;
    return SHEPARD_OK;
}

static enum shepard_status measure(const struct measure_task *task,
                                   const struct shepard_measurement *near,
                                   struct shepard_measurement *measurement,
                                   struct shepard_error *error)
{
    const struct shepard_workload warm_up = smaller_case(&task->on->job, pilot_size);
    struct shepard_paper_times untimed;
    double seconds = 0;
    enum shepard_status status = run_once(task, &warm_up, &untimed, error);
    if (!status)
        status = estimate_time(task, near, &seconds, error);
    if (status)
        return status;
    if (seconds <= task->options->budget) {
        measurement->state = SHEPARD_MEASUREMENT_MEASURED;
        return run_often(task, measurement, error);
    }
    measurement->state = shepard_paper_method_is_serial(task->method)
                             ? SHEPARD_MEASUREMENT_EXTRAPOLATED
                             : SHEPARD_MEASUREMENT_SKIPPED;
    measurement->times.total = seconds;
    return SHEPARD_OK;
}

void shepard_measure(size_t method, const struct shepard_measure_case *on,
                     const struct shepard_measure_options *options,
                     const struct shepard_paper_results *results,
                     struct shepard_measurement *measurement)
{
    const struct measure_task task = {method, on, options};
    struct shepard_error error = {0};
    *measurement = (struct shepard_measurement){
        .method = method,
        .job = on->job,
        .error = NAN,
        .error_limit = shepard_paper_method_error_limit(method, on->job.n)};
    const enum shepard_status status =
        measure(&task, shepard_paper_results_below(results, method, &on->job), measurement, &error);
    if (!status)
        return;
    measurement->state = SHEPARD_MEASUREMENT_FAILED;
    measurement->error = NAN;
    measurement->runs = 0;
    snprintf(measurement->message, sizeof measurement->message, "%s",
             error.message[0] ? error.message : shepard_status_text(status));
}
